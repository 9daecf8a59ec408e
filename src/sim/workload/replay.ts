import {InputError} from '../core/errors.js';
import type {SimTime} from '../core/time.js';
import type {Trace} from '../traces/trace.js';
import {type ArrivalProcess, NEVER} from './arrivals.js';
import type {Chain} from './chain.js';
import {Conversations} from './conversations.js';
import {RecordedIds} from './recorded-ids.js';
import type {Script} from './script.js';
import {SessionRows} from './session-rows.js';
import type {Stream, StreamOptions} from './stream.js';
import {processOf, Supply} from './supply.js';
import type {Arrivals, Traffic} from './workload.js';

type Config = Extract<Traffic, {kind: 'replay'}>;

/**
 * A recorded trace. A row is a session of one turn at its recorded time, unless the trace has sessions.
 *
 * Those start when they did, or when `arrivals` says, in the trace's order. A later turn comes its recorded gap after the answer before; where the trace knows no gaps, at its recorded time, but not before that answer.
 */
export function replay({trace, arrivals}: Config, options: StreamOptions): Stream {
  const rows = new SessionRows(trace);
  const shares = trace.blockSize > 0;
  if (shares) refuseOddBlocks(trace.blockSize, options);
  const ids = shares ? new RecordedIds(trace, rows, options.ids, options.blockSize) : null;
  const process = arrivals === null ? null : processOf(arrivals, options, requestsPerSession(arrivals, trace.rows / rows.count));
  const supply = new Supply(new Starts(trace.times, rows, process), options.intake);
  const write = (index: number, session: number) => new Recorded(trace, rows, ids, index, session);
  return new Conversations(options, supply, shares, write, rows.count === trace.rows ? NEVER : 0);
}

/** How many of the things that a rate counts make a session, on average. */
function requestsPerSession(arrivals: Arrivals, mean: number): number {
  return 'of' in arrivals && arrivals.of === 'request' ? mean : 1;
}

function refuseOddBlocks(recorded: number, {blockSize: wanted}: StreamOptions): void {
  if (recorded % wanted === 0 || wanted % recorded === 0) return;
  const works = [16, 32, 64, 128, 256, 512, 1024].filter((size) => recorded % size === 0 || size % recorded === 0);
  throw new InputError(
    `kv.block_size: blocks of ${wanted} tokens cannot be cut from the trace's blocks of ${recorded}; sizes that divide it or are multiples of it work: ${works.join(', ')}`,
  );
}

/** One session of a trace. */
class Recorded implements Script {
  readonly turns: number;
  readonly #trace: Trace;
  readonly #rows: SessionRows;
  readonly #index: number;
  readonly #ids: RecordedIds | null;
  readonly #own: {readonly base: number; readonly ends: Int32Array} | null;

  constructor(trace: Trace, rows: SessionRows, ids: RecordedIds | null, index: number, session: number) {
    this.turns = rows.turns(index);
    this.#trace = trace;
    this.#rows = rows;
    this.#index = index;
    this.#ids = ids;
    this.#own = ids?.allocate(index, session) ?? null;
  }

  input(turn: number): number {
    return this.#trace.inputs[this.#row(turn)];
  }

  output(turn: number): number {
    return this.#trace.outputs[this.#row(turn)];
  }

  chain(turn: number): Chain | null {
    if (this.#ids === null || this.#own === null) return null;
    return this.#ids.chain(this.#row(turn), this.#own.base, this.#own.ends[turn]);
  }

  time(turn: number, started: SimTime, now: SimTime): SimTime {
    const {gaps, times} = this.#trace;
    const row = this.#row(turn);
    return gaps === null ? Math.max(now, started + times[row] - times[this.#row(0)]) : now + gaps[row];
  }

  #row(turn: number): number {
    return this.#rows.row(this.#index, turn);
  }
}

/** Starts each session of a trace once: at its recorded time, or by a process. */
class Starts implements ArrivalProcess {
  readonly replaces: boolean;
  readonly #times: Float64Array;
  readonly #rows: SessionRows;
  readonly #process: ArrivalProcess | null;
  #session = 0;

  constructor(times: Float64Array, rows: SessionRows, process: ArrivalProcess | null) {
    this.#times = times;
    this.#rows = rows;
    this.#process = process;
    this.replaces = process?.replaces ?? false;
  }

  next(): SimTime {
    if (this.#session === this.#rows.count) return NEVER;
    return this.#process === null ? this.#times[this.#rows.row(this.#session++, 0)] : this.#started(this.#process.next());
  }

  replace(now: SimTime): SimTime {
    if (this.#process === null || this.#session === this.#rows.count) return NEVER;
    return this.#started(this.#process.replace(now));
  }

  #started(time: SimTime): SimTime {
    if (time !== NEVER) this.#session++;
    return time;
  }
}
