import {InputError} from '../core/errors.js';
import type {SimTime} from '../core/time.js';
import type {Trace} from '../traces/trace.js';
import {type ArrivalProcess, NEVER} from './arrivals.js';
import {IdPool} from './block-ids.js';
import type {Chain} from './chain.js';
import {Supply} from './supply.js';
import type {Arrival, IdRange, Workload, WorkloadConfig, WorkloadOptions} from './workload.js';

type Config = Extract<WorkloadConfig, {kind: 'replay'}>;

/**
 * A recorded trace, request by request; a row is a session of one turn.
 *
 * The trace's ids are cut to the engine's block size: one of its blocks becomes several, or the last of several (ids are prefix-inclusive) stands for one. Whole blocks of the prompt can be shared; the rest of the chain, with the output, is the row's own.
 */
export class Replay implements Workload {
  readonly shares: boolean;
  readonly ids = new IdPool();
  readonly #trace: Trace;
  readonly #supply: Supply;
  readonly #blockSize: number;

  constructor({trace}: Config, {blockSize, limit}: WorkloadOptions) {
    this.#trace = trace;
    this.#blockSize = blockSize;
    this.#supply = new Supply(new Recorded(trace.times), limit);
    this.shares = trace.blockSize > 0;
    if (!this.shares) return;
    refuseOddBlocks(trace.blockSize, blockSize);
    this.ids.share(trace.distinct * Math.max(1, trace.blockSize / blockSize));
  }

  next(): Arrival | null {
    const time = this.#supply.start();
    if (time === NEVER) return null;
    const row = this.#supply.sessions - 1;
    const input = this.#trace.inputs[row],
      output = this.#trace.outputs[row];
    return {time, session: row, turn: 0, input, output, chain: this.shares ? this.#chain(row, input, output) : null};
  }

  follow(): null {
    return null;
  }

  released(session: number): IdRange {
    return this.ids.release(session);
  }

  #chain(row: number, input: number, output: number): Chain {
    const bases: number[] = [],
      counts: number[] = [];
    const append = (base: number, count: number): void => {
      const last = bases.length - 1;
      if (last >= 0 && bases[last] + counts[last] === base) counts[last] += count;
      else {
        bases.push(base);
        counts.push(count);
      }
    };
    const {offsets, ids, blockSize: recorded} = this.#trace;
    const size = this.#blockSize;
    const shared = Math.floor(input / size),
      blocks = Math.ceil((input + output) / size);
    if (recorded >= size) {
      const parts = recorded / size;
      for (let i = 0; i * parts < shared; i++) append(ids[offsets[row] + i] * parts, Math.min(parts, shared - i * parts));
    } else {
      const parts = size / recorded;
      for (let i = 1; i <= shared; i++) append(ids[offsets[row] + i * parts - 1], 1);
    }
    append(this.ids.allocate(row, blocks - shared), blocks - shared); // never empty: every row generates
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
