import {EventLog} from './event-log.js';
import type {ReplicaRecord, ResourceRecord, RunCounters, TierRecord} from './record.js';
import type {ReplicaTrace} from './run-trace.js';
import {GrowingTimeline} from './timeline.js';
import {TokenClock} from './token-clock.js';

/** A step as the recorder sees it; times in ns. */
export interface RecordedStep {
  readonly start: number;
  readonly end: number;
  readonly sums: {readonly decodes: number; readonly chunks: number; readonly chunkTokens: number; readonly emitting: number};
  readonly prediction: {
    readonly seconds: number;
    readonly flops: number;
    readonly bytes: number;
    readonly bounds: Float64Array;
    readonly terms: Float64Array;
    readonly outside: number;
  };
}

/** What a memory below HBM counted itself. */
export type TierTotals = Omit<TierRecord, 'usedBlocks'>;

const NONE = new Int32Array(0);
const NO_FLOWS = new Float64Array(0);

/** What a recorder needs to know of a run before it begins. */
export interface RecordShape {
  /** Bounds and cost terms that a step's seconds are split into. */
  readonly bounds: number;
  readonly terms: number;
  /** Names of the memories below HBM. */
  readonly tiers?: readonly string[];
  /** Links and ports of memories that transfers share. */
  readonly resources?: number;
}

/** Writes down what happens in one replica. Called in the order of its events, so that equal runs leave equal records. */
export class Recorder {
  readonly #timeline: GrowingTimeline;
  readonly #log = new EventLog();
  /** When the replica's tokens are with their clients. */
  readonly clock = new TokenClock();
  readonly #counters: RunCounters;
  /** Where every step and transfer is kept too; null: nowhere. Set before the run. */
  trace: ReplicaTrace | null = null;
  /** Blocks · s used of each tier, and the most at once. */
  readonly #tierTime: Float64Array;
  readonly #tierMax: Int32Array;
  #now = 0;

  constructor({bounds, terms, tiers = [], resources = 0}: RecordShape) {
    this.#timeline = new GrowingTimeline(bounds, tiers.length, resources);
    this.#tierTime = new Float64Array(tiers.length);
    this.#tierMax = new Int32Array(tiers.length);
    this.#counters = {
      steps: 0,
      prefillSteps: 0,
      mixedSteps: 0,
      decodeSteps: 0,
      busySeconds: 0,
      prefillSeconds: 0,
      mixedSeconds: 0,
      decodeSeconds: 0,
      boundSeconds: new Float64Array(bounds),
      termSeconds: new Float64Array(terms),
      outsideSeconds: new Float64Array(terms),
      flops: 0,
      bytes: 0,
      prefillTokens: 0,
      generatedTokens: 0,
      discardedTokens: 0,
      preemptions: 0,
      evictions: 0,
      lookupTokensAfterPreemption: 0,
      hitTokensAfterPreemption: 0,
      duplicateBlocks: 0,
      maxWaiting: 0,
      maxRunning: 0,
      maxHeldBlocks: 0,
      waitingSeconds: 0,
    };
  }

  /** The state held since the last call, up to `now` (ns). Called before anything changes at `now`. */
  advance(
    now: number,
    running: number,
    waiting: number,
    held: number,
    cached: number,
    loading = 0,
    tiers: Int32Array = NONE,
    flows: Float64Array = NO_FLOWS,
  ): void {
    const c = this.#counters;
    if (running > c.maxRunning) c.maxRunning = running;
    if (held > c.maxHeldBlocks) c.maxHeldBlocks = held;
    if (waiting > 0) {
      if (waiting > c.maxWaiting) c.maxWaiting = waiting;
      c.waitingSeconds += (now - this.#now) * 1e-9;
    }
    for (let t = 0; t < this.#tierTime.length; t++) {
      this.#tierTime[t] += tiers[t] * (now - this.#now) * 1e-9;
      if (tiers[t] > this.#tierMax[t]) this.#tierMax[t] = tiers[t];
    }
    this.#now = now;
    this.#timeline.advance(now, running, waiting, held, cached, loading, tiers, flows);
  }

  /** A step ended. */
  step({start, end, sums, prediction}: RecordedStep): void {
    const c = this.#counters;
    const seconds = (end - start) * 1e-9;
    c.steps++;
    c.busySeconds += seconds;
    if (sums.chunks === 0) {
      c.decodeSteps++;
      c.decodeSeconds += seconds;
    } else if (sums.decodes === 0) {
      c.prefillSteps++;
      c.prefillSeconds += seconds;
    } else {
      c.mixedSteps++;
      c.mixedSeconds += seconds;
    }
    c.prefillTokens += sums.chunkTokens;
    c.generatedTokens += sums.emitting;
    c.flops += prediction.flops;
    c.bytes += prediction.bytes;
    for (let b = 0; b < c.boundSeconds.length; b++) c.boundSeconds[b] += prediction.bounds[b];
    for (let t = 0; t < c.termSeconds.length; t++) {
      c.termSeconds[t] += prediction.terms[t];
      if ((prediction.outside >> t) & 1) c.outsideSeconds[t] += prediction.terms[t];
    }
    this.#timeline.step(sums.decodes + sums.chunkTokens, seconds, prediction.bounds);
    if (this.trace !== null) this.trace.step(start, end, sums.decodes, sums.chunkTokens);
    this.#log.add(end);
    this.#log.add(sums.decodes + sums.chunkTokens * 4096);
  }

  /** Tokens generated so far, less those discarded. */
  get keptTokens(): number {
    return this.#counters.generatedTokens - this.#counters.discardedTokens;
  }

  /** Preemptions so far. */
  get preemptions(): number {
    return this.#counters.preemptions;
  }

  preempted(discardedTokens: number): void {
    this.#counters.preemptions++;
    this.#counters.discardedTokens += discardedTokens;
  }

  lookupAfterPreemption(tokens: number, hit: number): void {
    this.#counters.lookupTokensAfterPreemption += tokens;
    this.#counters.hitTokensAfterPreemption += hit;
  }

  /** A request left the replica: `end` and `reason` are indices. */
  ended({id, finished, end, reason}: {id: number; finished: number; end: number; reason: number}): void {
    this.#log.add(id);
    this.#log.add(finished);
    this.#log.add(end * 16 + reason);
  }

  take(totals: {
    evictions: number;
    duplicateBlocks: number;
    tiers: readonly TierTotals[];
    resources: readonly ResourceRecord[];
  }): ReplicaRecord {
    return {
      timeline: this.#timeline.take(),
      counters: {...this.#counters, evictions: totals.evictions, duplicateBlocks: totals.duplicateBlocks},
      tiers: totals.tiers.map((tier, t) => ({
        ...tier,
        usedBlocks: {mean: this.#now > 0 ? this.#tierTime[t] / (this.#now * 1e-9) : 0, max: this.#tierMax[t]},
      })),
      resources: totals.resources,
      eventLog: this.#log.hex(),
    };
  }
}
