import type {CostModel} from '../../models/cost/cost.js';
import type {AdmissionPolicy} from '../../policies/admission/policy.js';
import type {SchedulingFactory, SchedulingPolicy} from '../../policies/scheduling/policy.js';
import type {LinkedList} from '../core/linked-list.js';
import {type Clock, fromSeconds, type SimTime} from '../core/time.js';
import type {BlockPool} from '../memory/block-pool.js';
import type {End, Reason} from '../metrics/record.js';
import type {Recorder} from '../metrics/recorder.js';
import type {TokenClock} from '../metrics/token-clock.js';
import {Admission} from './admission.js';
import {audit} from './audit.js';
import type {Below} from './below.js';
import type {ReplicaConfig} from './config.js';
import {DecodeSet} from './decode-set.js';
import {Pipeline} from './pipeline.js';
import {Planner} from './planner.js';
import {Prefetcher, type PrefetcherParts} from './prefetcher.js';
import {Request, State} from './request.js';
import {RequestBlocks} from './request-blocks.js';
import type {Step} from './step.js';
import {ReplicaView} from './view.js';

/** Hears of every request that leaves a replica. */
export type OnEnd = (request: Request, end: End, reason: Reason, now: SimTime) => void;

/** Who is admitted, and in which order. */
export interface ReplicaPolicies {
  readonly scheduling: SchedulingFactory;
  readonly admission: AdmissionPolicy;
  /** Names of the workload's classes. */
  readonly classes: readonly string[];
}

/** Who decides what a replica loads before it is asked for, and what it must know for that. */
export type Prefetching = Pick<PrefetcherParts, 'policy' | 'queue' | 'owner' | 'wakeAt'>;

/**
 * One instance of the engine: waiting and running requests, their KV blocks, and the steps in flight.
 *
 * Up to `inFlight` steps are planned before the first of them ends (asynchronous scheduling).
 */
export class Replica {
  readonly waiting: SchedulingPolicy<Request>;
  readonly running: LinkedList<Request>;
  readonly pool: BlockPool;
  readonly decodes: DecodeSet;
  readonly #config: ReplicaConfig;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #onEnd: OnEnd;
  readonly #tokens: TokenClock;
  readonly #pipeline: Pipeline;
  readonly #blocks: RequestBlocks;
  readonly #planner: Planner;

  /** `clock` is set while the replica runs ahead; else whoever owns it sets it. */
  constructor(
    config: ReplicaConfig,
    cost: CostModel,
    pool: BlockPool,
    policies: ReplicaPolicies,
    recorder: Recorder,
    clock: Clock,
    onEnd: OnEnd,
  ) {
    this.#clock = clock;
    this.#config = config;
    this.pool = pool;
    this.#recorder = recorder;
    this.#onEnd = onEnd;
    this.#tokens = recorder.clock;
    this.decodes = new DecodeSet(config.kv.blockSize, cost.window);
    this.#pipeline = new Pipeline(config.inFlight, cost);
    this.#blocks = new RequestBlocks(config, pool);
    const view = new ReplicaView(config, pool, this.decodes, this.#pipeline);
    this.waiting = policies.scheduling<Request>({view, classes: policies.classes});
    this.#planner = new Planner({
      config,
      cost,
      pool,
      decodes: this.decodes,
      pipeline: this.#pipeline,
      blocks: this.#blocks,
      admission: new Admission(config, pool, policies.admission, this.#blocks, this.#pipeline, recorder),
      waiting: this.waiting,
      view,
      recorder,
      tokens: this.#tokens,
    });
    this.running = this.#planner.running;
  }

  /** Requests that wait to run for the first time or again; who waits for a prefetch is one of them. */
  get queued(): number {
    return this.waiting.size + (this.prefetcher?.staged.size ?? 0);
  }

  /** Null: nothing is loaded before it is asked for. */
  get prefetcher(): Prefetcher | null {
    return this.#blocks.below?.prefetcher ?? null;
  }

  /** Requests that wait for blocks from below, or have them and wait to run. */
  get loading(): number {
    return this.#planner.parked.size + this.#planner.ready.size;
  }

  /** Gives the replica memories below HBM. Called once, before the first request. */
  connect(below: Omit<Below, 'prefetcher'>, prefetch: Prefetching | null): void {
    const {hierarchy, fluid, tag, flows} = below;
    this.#blocks.below = {...below, prefetcher: prefetch === null ? null : this.#prefetcherOf(prefetch, hierarchy)};
    const port = {
      fluid,
      tag,
      others: flows,
      resource: hierarchy.resource('hbm'),
      capacity: hierarchy.capacity('hbm'),
      layers: hierarchy.layers,
    };
    this.#pipeline.connect(port, (gate) => hierarchy.isStored(gate));
    this.pool.onVictim = (id) => hierarchy.leavesHbm(id);
  }

  #prefetcherOf(prefetch: Prefetching, {fetches, tiers}: Below['hierarchy']): Prefetcher {
    const {blockSize} = this.#config.kv;
    return new Prefetcher({
      ...prefetch,
      fetches: fetches!,
      blocks: this.#blocks,
      blockSize,
      extraTokens: (tiers[0].capacity - this.pool.capacity) * blockSize,
      head: () => this.waiting.head,
      enqueue: (request, now) => this.waiting.push(request, now),
    });
  }

  /** When the executing step ends, if nothing disturbs it; Infinity while idle, or while the step is a flow and the fluid knows. */
  get nextEnd(): SimTime {
    return this.#pipeline.nextEnd;
  }

  /** A request reaches the engine. It waits, or is turned away. */
  submit(request: Request, now: SimTime): void {
    const {queueLimit} = this.#config.scheduler;
    if (request.input >= this.#config.maxModelLen) this.#turnAway(request, 'rejected', 'too_long', now);
    else if (this.#blocks.atEnd(request) > this.pool.capacity) this.#turnAway(request, 'failed', 'no_room', now);
    else if (queueLimit !== null && this.queued >= queueLimit) this.#turnAway(request, 'rejected', 'queue_limit', now);
    else if (this.prefetcher?.queued(request, now) !== true) this.waiting.push(request, now);
  }

  /** The request has waited as long as it may: it leaves, unless it was ever scheduled. */
  expire(request: Request, now: SimTime): void {
    if (request.state !== State.waiting || request.preemptions > 0) return;
    if (this.prefetcher?.unstage(request, now) !== true) this.waiting.remove(request);
    this.#turnAway(request, 'timed-out', 'queue_timeout', now);
  }

  /** The executing step ends: its tokens exist, requests that have all of theirs leave, the next step begins. */
  complete(now: SimTime): void {
    const step = this.#pipeline.end(now);
    this.#recorder.step(step);
    this.#blocks.completed(step, now);
    const {prefilled, last, loading} = step;
    for (let i = 0; i < loading.requests.length; i++) {
      if (loading.holds(i) && now > step.computed) loading.requests[i].loadTime += now - step.computed;
    }
    const received = this.#received(step, now);
    if (step.tick >= 0) this.#tokens.tick(received);
    for (let i = 0; i < prefilled.requests.length; i++) {
      const request = prefilled.requests[i];
      if (!prefilled.holds(i)) continue;
      if (Number.isNaN(request.firstTokenAt)) request.firstTokenAt = received;
      this.#tokens.prefilled(request, received);
    }
    for (let i = 0; i < last.requests.length; i++) {
      if (last.holds(i)) this.#finish(last.requests[i], now, received);
    }
    this.#pipeline.discard(step);
  }

  /** When clients have the tokens of a step: the server detokenises and sends in another process, which the next step does not wait for. */
  #received(step: Step, now: SimTime): SimTime {
    return now + fromSeconds(this.#config.overhead.delivery * step.sums.emitting);
  }

  /** Plans as many steps as may be in flight. Called once per time, after all that happens at it. */
  schedule(now: SimTime): void {
    while (!this.#pipeline.full) {
      const step = this.#planner.plan(now);
      if (step === null) return;
      this.#pipeline.commit(step, now);
    }
  }

  /** A transfer is about to begin: the step that ran alone until now becomes a flow that began when it did. */
  enterFluid(now: SimTime): void {
    this.#pipeline.enterFluid(now);
  }

  /** Blocks that had left HBM are written, or a first layer has come: a step that waits for that begins. */
  retry(now: SimTime): void {
    this.#pipeline.retry(now);
  }

  /** The flow of the executing step has ended; returns whether the step has too. */
  computed(now: SimTime): boolean {
    return this.#pipeline.computed(now);
  }

  /** The last block that a request waited for has come, or that a step reads while it computes. */
  loaded(waiter: Request | Step, now: SimTime): void {
    if (waiter instanceof Request) this.#planner.loaded(waiter, now);
    else this.#pipeline.loaded(waiter, now);
  }

  /**
   * Runs ahead through steps in which nothing but decoding happens, while they end before `horizon`. Equal to stepping, only faster.
   *
   * Nobody joins or leaves, so what waits goes on waiting: room only shrinks, and no block becomes resident.
   */
  fastForward(horizon: SimTime): void {
    const {decodes, pool} = this;
    const pipeline = this.#pipeline;
    const planner = this.#planner;
    if (!pipeline.full || decodes.count === 0) return;
    if (this.#blocks.below !== null && this.#blocks.below.flows.size > 0) return;
    planner.foresee();
    if (planner.calmSteps === 0) return;
    for (const step of pipeline.steps) if (step.sums.chunks > 0 || step.last.requests.length > 0 || step.tick < 0) return;
    const calmTick = decodes.tick + planner.calmSteps;
    const until = Math.min(horizon, planner.calmUntil);
    let lastTick = Math.min(decodes.nextEnd(), calmTick);
    const room = this.#roomAhead();
    while (pipeline.nextEnd < until && decodes.tick < lastTick && pool.held + decodes.need() <= room) {
      const done = pipeline.end(pipeline.nextEnd);
      this.#recorder.advance(
        done.end,
        this.running.size,
        this.queued,
        pool.held,
        pool.cached,
        this.loading,
        this.#blocks.below?.hierarchy.used,
      );
      this.#recorder.step(done);
      const now = done.end;
      this.#clock.now = now;
      this.#tokens.tick(this.#received(done, now));
      this.#blocks.grow(decodes.need());
      planner.steps++;
      done.sums.emitting = 0;
      decodes.addTo(done.sums);
      done.tick = decodes.tick;
      decodes.advance();
      pipeline.commit(done, now);
      lastTick = Math.min(decodes.nextEnd(), calmTick);
    }
  }

  /** Blocks that may be held before anything must leave HBM that would have to be written first. */
  #roomAhead(): number {
    const ahead = this.#blocks.below?.hierarchy.ahead ?? -1;
    const {capacity, cached} = this.pool;
    return ahead < 0 || cached === 0 ? capacity : capacity - cached - ahead;
  }

  /** Throws when the sums differ from a count of the running requests, or the books do not balance. For tests and debug runs. */
  audit(): void {
    const lent = this.#blocks.below?.hierarchy.lent() ?? [];
    audit([this.running, this.#planner.parked, this.#planner.ready], lent, this.decodes, this.pool, this.#config.kv.blockSize);
  }

  /** The request leaves the replica now; its client has the last token at `received`. */
  #finish(request: Request, now: SimTime, received: SimTime): void {
    this.#tokens.left(request);
    const whole = Math.floor(request.computed / this.#config.kv.blockSize);
    this.#blocks.release(request, now, 'keep');
    if (request.chain !== null) this.#blocks.below?.hierarchy.answered(request.chain);
    this.running.remove(request);
    request.state = State.ended;
    this.prefetcher?.ended(request, whole, now);
    this.#onEnd(request, 'finished', '', received);
  }

  #turnAway(request: Request, end: End, reason: Reason, now: SimTime): void {
    request.state = State.ended;
    this.#onEnd(request, end, reason, now);
  }
}
