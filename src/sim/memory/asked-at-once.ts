import {InputError} from '../core/errors.js';
import {EventQueue, Phase} from '../core/event-queue.js';
import type {Trace} from '../traces/trace.js';
import type {Arrival, Workload} from '../workload/workload.js';
import {AccessLog, type LoggedAccesses} from './access-log.js';

/** What a workload asks of a deployment that answers at once. */
export interface Asked {
  /** A row a request, in order of arrival: the blocks that can be shared of its prompt, then of its answer, whole ones only. */
  readonly trace: Trace;
  /** Whole blocks of all prompts. Those that nobody can share are in no row: they can only miss, and take no room. */
  readonly lookups: number;
  /** Requests longer than the model's context: they ask nothing, and their sessions end. */
  readonly tooLong: number;
}

/**
 * Takes a workload's requests in order of arrival, where every answer takes no time: sessions think, use tools and wait for arrivals, and for nothing else.
 *
 * The workload is used up. Throws InputError when nothing of it can be shared, when nothing arrives, and when requests follow each other without end at one moment.
 */
export function askedAtOnce(workload: Workload, engine: {readonly blockSize: number; readonly maxModelLen: number}): Asked {
  if (!workload.shares)
    throw new InputError(
      'workload: no block of it can be shared, so nothing can hit; turns, workload.shared_prefixes or a trace with block ids would',
    );
  return new Asking(workload, engine.blockSize, engine.maxModelLen).run();
}

const NONE = -1;
/** Requests at one moment, beyond which time is not expected to go on. */
const LIVELOCK = 1e6;

class Asking {
  readonly #workload: Workload;
  readonly #blockSize: number;
  readonly #maxModelLen: number;
  readonly #queue = new EventQueue();
  /** What an event's argument stands for; freed places are used again. */
  readonly #slots: Arrival[] = [];
  readonly #freeSlots: number[] = [];
  /** Slot of the one independent arrival that is in the queue, or NONE. */
  #independent = NONE;
  readonly #log = new AccessLog();
  readonly #times: number[] = [];
  readonly #inputs: number[] = [];
  readonly #outputs: number[] = [];
  readonly #sessions: number[] = [];
  #lookups = 0;
  #tooLong = 0;

  constructor(workload: Workload, blockSize: number, maxModelLen: number) {
    this.#workload = workload;
    this.#blockSize = blockSize;
    this.#maxModelLen = maxModelLen;
  }

  run(): Asked {
    const queue = this.#queue;
    this.#pull();
    for (let moment = NONE, requests = 0; queue.pop(); ) {
      requests = queue.time === moment ? requests + 1 : 0;
      moment = queue.time;
      if (requests === LIVELOCK) throw endless(moment);
      this.#arrive(queue.arg, moment);
    }
    if (this.#times.length === 0) throw new InputError('workload: no request arrives before the end of the run that fits the context');
    return {trace: this.#trace(), lookups: this.#lookups, tooLong: this.#tooLong};
  }

  #arrive(slot: number, now: number): void {
    const arrival = this.#slots[slot];
    this.#freeSlots.push(slot);
    if (slot === this.#independent) this.#pull();
    const fits = arrival.input < this.#maxModelLen;
    if (fits) this.#ask(arrival);
    else this.#tooLong++;
    const next = this.#workload.follow(arrival, now, fits);
    if (next !== null) this.#push(next);
    if (this.#workload.barrier !== undefined && this.#independent === NONE) this.#pull();
  }

  #ask({time, input, output: wanted, chain, session}: Arrival): void {
    const output = Math.min(wanted, this.#maxModelLen - input);
    const row = this.#times.length;
    this.#times.push(time);
    this.#inputs.push(input);
    this.#outputs.push(output);
    this.#sessions.push(session);
    this.#lookups += Math.floor(input / this.#blockSize);
    // The last token is told, and never computed.
    if (chain !== null) this.#log.add(chain, 0, Math.floor((input + output - 1) / this.#blockSize), row);
  }

  /** Puts the next independent arrival into the queue. */
  #pull(): void {
    const arrival = this.#workload.next();
    this.#independent = arrival === null ? NONE : this.#push(arrival);
  }

  #push(arrival: Arrival): number {
    const slot = this.#freeSlots.pop() ?? this.#slots.length;
    this.#slots[slot] = arrival;
    this.#queue.push(arrival.time, Phase.arrive, 0, slot);
    return slot;
  }

  #trace(): Trace {
    const logged = this.#log.take()!;
    return {
      format: 'scenario',
      rows: this.#times.length,
      times: Float64Array.from(this.#times),
      inputs: Int32Array.from(this.#inputs),
      outputs: Int32Array.from(this.#outputs),
      blockSize: this.#blockSize,
      offsets: offsetsOf(logged, this.#times.length),
      ids: logged.ids,
      distinct: logged.distinct,
      sessions: Int32Array.from(this.#sessions),
      gaps: null,
      kinds: null,
      notes: [],
    };
  }
}

/** Where each row begins; a row without blocks where the next one does, so they are found from the end. */
function offsetsOf({ids, first, request}: LoggedAccesses, rows: number): Int32Array {
  const offsets = new Int32Array(rows + 1).fill(ids.length);
  for (let row = rows - 1, piece = first.length - 1; row >= 0; row--)
    offsets[row] = piece >= 0 && request[piece] === row ? first[piece--] : offsets[row + 1];
  return offsets;
}

function endless(time: number): InputError {
  return new InputError(
    `workload: ${LIVELOCK} requests follow each other at ${time * 1e-9} s, because answers take no time here; end the run by run.requests or run.sessions, or let sessions think`,
  );
}
