import {EventQueue, Phase} from '../../core/event-queue.js';
import type {SimTime} from '../../core/time.js';
import {widened} from '../../core/widened.js';
import type {Chain} from '../chain.js';
import {createWorkload} from '../index.js';
import type {Arrival, WorkloadConfig} from '../workload.js';

/** What a workload asks for, as columns like those of a trace. */
export interface Drawn {
  readonly rows: number;
  /** ns, never falling. */
  readonly times: Float64Array;
  readonly inputs: Int32Array;
  readonly outputs: Int32Array;
  readonly offsets: Int32Array;
  readonly ids: Int32Array;
  readonly distinct: number;
  readonly sessions: Int32Array;
}

/** How it is drawn. */
export interface DrawOptions {
  readonly seed: number;
  readonly sessions: number;
  readonly blockSize: number;
  /** Whether the block in which a prompt ends counts too; it never comes again. */
  readonly partialIds: boolean;
  /** ns that every answer takes: nothing is simulated here. */
  readonly answer: SimTime;
}

/** Draws a workload without a deployment, every answer after the same time. */
export function drawn(workload: WorkloadConfig, options: DrawOptions): Drawn {
  const {seed, sessions, blockSize} = options;
  const source = createWorkload(workload, {
    seed,
    replication: 0,
    blockSize: Math.max(1, blockSize),
    limit: {requests: null, sessions, duration: null},
  });
  const columns = new DrawnColumns(options);
  const queue = new EventQueue();
  const arrivals: Arrival[] = [];
  const push = (arrival: Arrival | null, kind: number): void => {
    if (arrival !== null) queue.push(arrival.time, Phase.arrive, kind, arrivals.push(arrival) - 1);
  };
  push(source.next(), FRESH);
  while (queue.pop()) {
    const arrival = arrivals[queue.arg];
    if (queue.kind === ENDS) {
      push(source.follow(arrival, queue.time, true), FOLLOWS);
      continue;
    }
    columns.add(arrival);
    queue.push(queue.time + options.answer, Phase.complete, ENDS, queue.arg);
    if (queue.kind === FRESH) push(source.next(), FRESH);
  }
  return columns.drawn(source.ids.limit);
}

const FRESH = 0,
  FOLLOWS = 1,
  ENDS = 2;

/** Collects arrivals into columns. */
class DrawnColumns {
  readonly #options: DrawOptions;
  readonly #times: number[] = [];
  readonly #inputs: number[] = [];
  readonly #outputs: number[] = [];
  readonly #sessions: number[] = [];
  readonly #offsets: number[] = [0];
  /** Partial blocks are ~0, ~1 … until the number of the others is known. */
  #ids = new Int32Array(4096);
  #partial = 0;

  constructor(options: DrawOptions) {
    this.#options = options;
  }

  add({time, input, output, session, chain}: Arrival): void {
    this.#times.push(time);
    this.#inputs.push(input);
    this.#outputs.push(output);
    this.#sessions.push(session);
    const {blockSize, partialIds} = this.#options;
    if (blockSize > 0) this.#append(chain, Math.floor(input / blockSize), partialIds && input % blockSize > 0);
    else this.#offsets.push(0);
  }

  #append(chain: Chain | null, whole: number, partial: boolean): void {
    let at = this.#offsets[this.#offsets.length - 1];
    const end = at + whole + (partial ? 1 : 0);
    if (end > this.#ids.length) this.#ids = widened(this.#ids, Math.max(end, this.#ids.length * 2));
    const last = at + whole;
    for (let run = 0; chain !== null && run < chain.bases.length; run++)
      for (let i = 0; i < chain.counts[run] && at < last; i++) this.#ids[at++] = chain.bases[run] + i;
    while (at < end) this.#ids[at++] = ~this.#partial++;
    this.#offsets.push(end);
  }

  drawn(limit: number): Drawn {
    const ids = this.#ids.slice(0, this.#offsets[this.#offsets.length - 1]);
    for (let i = 0; i < ids.length; i++) if (ids[i] < 0) ids[i] = limit + ~ids[i];
    return {
      rows: this.#times.length,
      times: Float64Array.from(this.#times),
      inputs: Int32Array.from(this.#inputs),
      outputs: Int32Array.from(this.#outputs),
      offsets: Int32Array.from(this.#offsets),
      ids,
      distinct: limit + this.#partial,
      sessions: Int32Array.from(this.#sessions),
    };
  }
}
