import {Worker} from 'node:worker_threads';
import type {EngineProfile} from '../../../models/engines/engine.js';
import {workerFile} from '../../sweep/executors/worker-file.js';
import type {DiskOptions} from '../load.js';
import type {MemoryPlan, Scenario} from '../scenario.js';
import {carryOut, type Planned, type Run, type RunOutcome} from '../variation.js';

/** A planned scenario, and where it was loaded from. */
export interface LoadedScenario extends Planned {
  readonly path: string;
  readonly options: DiskOptions;
}

/** A run of one of several scenarios, by its place among them. */
export interface PoolRun extends Run {
  readonly scenario: number;
}

/** A scenario as a worker gets it: null where programs of its own are part of it, which are loaded again. */
export interface SentScenario {
  readonly scenario: Scenario | null;
  readonly plan: MemoryPlan;
  readonly sha256: string;
  readonly path: string;
  readonly options: DiskOptions;
}

/** Runs that all threads share; each takes the one that `next[0]` says, and adds 1 to it. */
export interface ToWorker {
  readonly runs: readonly PoolRun[];
  readonly next: Int32Array;
}

/** A run that a worker has done; null: it found no more of them. */
export type FromWorker = {readonly index: number; readonly outcome: RunOutcome} | null;

/** How far the runs are: the one that this thread is at, counted from 0 in the order in which they were begun. */
export type PoolProgress = (begun: number, run: PoolRun, done: number, now: number) => void;

/** Before so long code is still being compiled, which says nothing of how long a run will take, ms. */
const LEAST_SEEN = 250;
/** A worker starts the program and compiles it for itself, which is worth it when so much is left to simulate, ms. */
const LEAST_LEFT = 4000;

/** What a pool is made with. */
export interface RunPoolOptions {
  /** Threads at the most, the one that asks among them. */
  readonly jobs: number;
  /** Runs in all, as far as it is known before. */
  readonly expected: number;
  /** Requests that a run will have; null: not known before. */
  readonly total: (run: PoolRun) => number | null;
  readonly progress: PoolProgress;
  /** Workers are started when it takes longer to simulate what is left, ms. Default 4000. */
  readonly leastLeft?: number;
  /** The workers' program. Default: `run-worker.js`. */
  readonly file?: string;
}

interface Round extends ToWorker {
  readonly outcomes: (RunOutcome | null)[];
  /** Settled when the workers have found no more to do. */
  readonly idle: Promise<void>[];
}

/**
 * Simulates runs in this thread, and in worker threads too once they are seen to take long. What comes of a run is the same in every thread,
 * and is returned in the order asked for.
 *
 * This thread is at a run of its own and can hand out none meanwhile, so all take their next one from a counter that they share.
 */
export class RunPool {
  readonly #scenarios: readonly LoadedScenario[];
  readonly #jobs: number;
  readonly #progress: PoolProgress;
  readonly #total: (run: PoolRun) => number | null;
  readonly #workers = new Set<Worker>();
  readonly #leastLeft: number;
  readonly #file: string | undefined;
  /** Runs that are expected in all, and those of earlier rounds. */
  #expected: number;
  #before = 0;
  #round: Round | null = null;
  /** Longest run so far, ms. */
  #longest = 0;

  constructor(scenarios: readonly LoadedScenario[], {jobs, expected, total, progress, leastLeft = LEAST_LEFT, file}: RunPoolOptions) {
    this.#scenarios = scenarios;
    this.#jobs = jobs;
    this.#expected = expected;
    this.#total = total;
    this.#progress = progress;
    this.#leastLeft = leastLeft;
    this.#file = file;
  }

  /** Worker threads that there are. */
  get workers(): number {
    return this.#workers.size;
  }

  /** Carries out all runs; outcomes by index. Throws what a run throws. */
  async all(runs: readonly PoolRun[]): Promise<RunOutcome[]> {
    const round: Round = {runs, next: new Int32Array(new SharedArrayBuffer(4)), outcomes: runs.map(() => null), idle: []};
    this.#round = round;
    this.#expected = Math.max(this.#expected, this.#before + runs.length);
    for (const worker of this.#workers) round.idle.push(handOver(worker, round));
    for (let i = Atomics.add(round.next, 0, 1); i < runs.length; i = Atomics.add(round.next, 0, 1))
      round.outcomes[i] = this.#carryOut(i, round);
    await Promise.all(round.idle);
    this.#before += runs.length;
    // What a worker could not do is done here, so that an error is thrown as what it is.
    return runs.map((_, i) => round.outcomes[i] ?? this.#carryOut(i, round));
  }

  /** Ends the workers, whatever they are at. */
  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }

  #carryOut(index: number, {runs, next}: Round): RunOutcome {
    const run = runs[index];
    const started = processorTime();
    const total = this.#total(run);
    this.#startWhereWorth(this.#longest);
    const outcome = carryOut(this.#scenarios[run.scenario], run, (done, now) => {
      const begun = this.#before + Math.min(Atomics.load(next, 0), runs.length);
      this.#progress(begun - 1, run, done, now);
      const spent = processorTime() - started;
      if (spent >= LEAST_SEEN) this.#startWhereWorth(total !== null && done > 0 && done < total ? (spent * total) / done : spent);
      return true;
    });
    this.#longest = Math.max(this.#longest, processorTime() - started);
    return outcome;
  }

  /** Starts the workers where runs take so long, in ms. They start although this thread goes on with its own run. */
  #startWhereWorth(each: number): void {
    if (this.#jobs === 1 || this.#workers.size > 0) return;
    const round = this.#round!;
    const left = this.#expected - this.#before - Math.min(Atomics.load(round.next, 0), round.runs.length);
    if (left === 0 || each * left < this.#leastLeft) return;
    const sent = this.#scenarios.map(sendable);
    for (let n = Math.min(this.#jobs - 1, left); n > 0; n--) {
      const worker = new Worker(this.#file ?? workerFile('run-worker.js'), {workerData: sent});
      // What a dead worker had taken is done by this thread.
      worker.on('error', () => {});
      worker.once('exit', () => this.#workers.delete(worker));
      this.#workers.add(worker);
      round.idle.push(handOver(worker, round));
    }
  }
}

/** CPU time that the process has used, ms: on a busy machine runs take long by the clock, and a thread more makes that worse. */
function processorTime(): number {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1e3;
}

/** Lets a worker take runs of the round; settled when it finds no more, or has ended. */
function handOver(worker: Worker, {runs, next, outcomes}: Round): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      worker.off('message', received);
      worker.off('exit', settle);
      resolve();
    };
    const received = (message: FromWorker) => {
      if (message === null) settle();
      else outcomes[message.index] = message.outcome;
    };
    worker.on('message', received);
    worker.on('exit', settle);
    worker.postMessage({runs, next} satisfies ToWorker);
  });
}

/** Functions cannot be sent: what decides an engine's defaults is left out, because a run does not ask it, and policies from files are loaded again. */
export function sendable({scenario, plan, path, options}: LoadedScenario): SentScenario {
  const {limits: _limits, placed: _placed, ...engine} = scenario.engine;
  const programs = scenario.kv.ownEviction !== undefined || scenario.kv.tiers.some(({ownEviction}) => ownEviction !== undefined);
  const plain = {...scenario, engine: engine as EngineProfile};
  return {scenario: programs ? null : plain, plan, sha256: scenario.sha256, path, options};
}
