import {InputError} from '../core/errors.js';
import type {SimTime} from '../core/time.js';
import type {Trace} from '../traces/trace.js';
import {type ArrivalProcess, NEVER} from './arrivals.js';
import type {IdPool} from './block-ids.js';
import type {Chain} from './chain.js';
import type {Stream, StreamOptions} from './stream.js';
import {Supply} from './supply.js';
import type {Arrival, IdRange, Traffic} from './workload.js';

type Config = Extract<Traffic, {kind: 'replay'}>;

/**
 * A recorded trace, request by request; a row is a session of one turn.
 *
 * The trace's ids are cut to the engine's block size: one of its blocks becomes several, or the last of several (ids are prefix-inclusive) stands for one. Whole blocks of the prompt can be shared; the rest of the chain, with the output, is the row's own.
 */
export class Replay implements Stream {
  readonly shares: boolean;
  readonly ids: IdPool;
  readonly classes: readonly string[];
  readonly #trace: Trace;
  readonly #supply: Supply;
  readonly #blockSize: number;
  readonly #class: number;
  /** The first id of the trace's own blocks. */
  readonly #base: number;

  constructor({trace}: Config, options: StreamOptions) {
    const {blockSize} = options;
    this.ids = options.ids;
    this.classes = options.classes;
    this.#class = options.class;
    this.#trace = trace;
    this.#blockSize = blockSize;
    this.#supply = new Supply(new Recorded(trace.times), options.intake);
    this.shares = trace.blockSize > 0;
    if (this.shares) refuseOddBlocks(trace.blockSize, blockSize);
    this.#base = !this.shares ? 0 : this.ids.share(trace.distinct * Math.max(1, trace.blockSize / blockSize));
  }

  next(): Arrival | null {
    const time = this.#supply.start();
    if (time === NEVER) return null;
    const {session, sessions} = this.#supply;
    const row = sessions - 1;
    const input = this.#trace.inputs[row],
      output = this.#trace.outputs[row];
    const chain = this.shares ? this.#chain(row, session, input, output) : null;
    return {time, session, turn: 0, input, output, chain, class: this.#class};
  }

  upcoming(): SimTime {
    return this.#supply.upcoming();
  }

  follow(): null {
    return null;
  }

  released(session: number): IdRange {
    return this.ids.release(session);
  }

  #chain(row: number, session: number, input: number, output: number): Chain {
    const bases: number[] = [],
      counts: number[] = [];
    const append = (id: number, count: number): void => {
      const last = bases.length - 1;
      if (last >= 0 && bases[last] + counts[last] === id) counts[last] += count;
      else {
        bases.push(id);
        counts.push(count);
      }
    };
    const {offsets, ids, blockSize: recorded} = this.#trace;
    const size = this.#blockSize,
      base = this.#base;
    const shared = Math.floor(input / size),
      blocks = Math.ceil((input + output) / size);
    if (recorded >= size) {
      const parts = recorded / size;
      for (let i = 0; i * parts < shared; i++) append(base + ids[offsets[row] + i] * parts, Math.min(parts, shared - i * parts));
    } else {
      const parts = size / recorded;
      for (let i = 1; i <= shared; i++) append(base + ids[offsets[row] + i * parts - 1], 1);
    }
    append(this.ids.allocate(session, blocks - shared), blocks - shared); // never empty: every row generates
    return {bases, counts, blocks};
  }
}

function refuseOddBlocks(recorded: number, wanted: number): void {
  if (recorded % wanted === 0 || wanted % recorded === 0) return;
  const works = [16, 32, 64, 128, 256, 512, 1024].filter((size) => recorded % size === 0 || size % recorded === 0);
  throw new InputError(
    `kv.block_size: blocks of ${wanted} tokens cannot be cut from the trace's blocks of ${recorded}; sizes that divide it or are multiples of it work: ${works.join(', ')}`,
  );
}

/** Starts at recorded times. */
class Recorded implements ArrivalProcess {
  readonly #times: Float64Array;
  #row = 0;

  constructor(times: Float64Array) {
    this.#times = times;
  }

  next(): SimTime {
    return this.#row < this.#times.length ? this.#times[this.#row++] : NEVER;
  }

  replace(): SimTime {
    return NEVER;
  }
}
