import type {CostModel} from '../../models/cost/cost.js';
import {fromSeconds, type SimTime} from '../core/time.js';
import type {BlockPool} from '../memory/block-pool.js';
import type {End, Reason} from '../metrics/record.js';
import type {Recorder} from '../metrics/recorder.js';
import type {TokenClock} from '../metrics/token-clock.js';
import {Admission, chunkTokens, PARKED} from './admission.js';
import {audit} from './audit.js';
import type {Below} from './below.js';
import type {ReplicaConfig} from './config.js';
import {DecodeSet} from './decode-set.js';
import {Pipeline} from './pipeline.js';
import {Request, State} from './request.js';
import {RequestBlocks} from './request-blocks.js';
import {RequestList} from './request-list.js';
import type {Step} from './step.js';

/** Hears of every request that leaves a replica. */
export type OnEnd = (request: Request, end: End, reason: Reason, now: SimTime) => void;

/**
 * One instance of the engine: waiting and running requests, their KV blocks, and the steps in flight.
 *
 * Scheduling is vLLM V1's (FORMATS §8.1): running requests first, then waiting ones in order of arrival, within a budget of tokens, sequences and blocks; the request admitted last is preempted when blocks run out, and starts again.
 * Up to `inFlight` steps are planned before the first of them ends (asynchronous scheduling). Where vLLM lets an unfinished prompt starve the decodes behind it (possible only with a chunk threshold), decodes go first here.
 */
export class Replica {
  readonly waiting = new RequestList();
  readonly running = new RequestList();
  readonly pool: BlockPool;
  readonly decodes: DecodeSet;
  /** Requests whose blocks are being loaded from below, in order of their lookups. */
  readonly #parked = new RequestList();
  /** Loaded requests, which go before the queue. */
  readonly #ready = new RequestList();
  readonly #config: ReplicaConfig;
  readonly #cost: CostModel;
  readonly #recorder: Recorder;
  readonly #onEnd: OnEnd;
  readonly #tokens: TokenClock;
  /** Running requests whose prompt is not yet computed, in order of admission. */
  readonly #prefills: Request[] = [];
  readonly #pipeline: Pipeline;
  readonly #blocks: RequestBlocks;
  readonly #admission: Admission;
  #admissions = 0;
  #steps = 0;

  constructor(config: ReplicaConfig, cost: CostModel, pool: BlockPool, recorder: Recorder, onEnd: OnEnd) {
    this.#config = config;
    this.#cost = cost;
    this.pool = pool;
    this.#recorder = recorder;
    this.#onEnd = onEnd;
    this.#tokens = recorder.clock;
    this.decodes = new DecodeSet(config.kv.blockSize, cost.window);
    this.#pipeline = new Pipeline(config.inFlight, cost);
    this.#blocks = new RequestBlocks(config, pool);
    this.#admission = new Admission(config, pool, this.#blocks, this.#pipeline, recorder);
  }

  /** Requests that wait for blocks from below, or have them and wait to run. */
  get loading(): number {
    return this.#parked.size + this.#ready.size;
  }

  /** Gives the replica memories below HBM. Called once, before the first request. */
  connect(below: Below): void {
    const {hierarchy, fluid} = below;
    this.#blocks.below = below;
    const port = {fluid, resource: hierarchy.resource('hbm'), capacity: hierarchy.capacity('hbm'), layers: hierarchy.layers};
    this.#pipeline.connect(port, (gate) => hierarchy.isStored(gate));
    this.pool.onVictim = (id) => hierarchy.leavesHbm(id);
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
    else if (queueLimit !== null && this.waiting.size >= queueLimit) this.#turnAway(request, 'rejected', 'queue_limit', now);
    else this.waiting.push(request);
  }

  /** The request has waited as long as it may: it leaves, unless it was ever scheduled. */
  expire(request: Request, now: SimTime): void {
    if (request.state !== State.waiting || request.preemptions > 0) return;
    this.waiting.remove(request);
    this.#turnAway(request, 'timed-out', 'queue_timeout', now);
  }

  /** The executing step ends: its tokens exist, requests that have all of theirs leave, the next step begins. */
  complete(now: SimTime): void {
    const step = this.#pipeline.end(now);
    this.#recorder.step(step);
    for (const {request, from, to} of step.produced) this.#blocks.below!.hierarchy.produced(request.chain!, from, to, now);
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
      const step = this.#plan(now);
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
    if (waiter instanceof Request) this.#join(waiter, now);
    else this.#pipeline.loaded(waiter, now);
  }

  #join(request: Request, now: SimTime): void {
    this.#parked.remove(request);
    request.loadTime += now - request.loadingSince;
    this.#ready.push(request);
  }

  /**
   * Runs ahead through steps in which nothing but decoding happens, while they end before `horizon`. Equal to stepping, only faster.
   *
   * Nobody joins or leaves, so what waits goes on waiting: room only shrinks, and no block becomes resident.
   */
  fastForward(horizon: SimTime): void {
    const {decodes, pool} = this;
    const pipeline = this.#pipeline;
    if (!pipeline.full || this.#prefills.length > 0 || decodes.count === 0) return;
    if (this.#blocks.below !== null && (this.#blocks.below.fluid.size > 0 || this.#ready.size > 0)) return;
    if (this.waiting.size > 0 && (this.#config.scheduler.prefillInterval > 1 || this.#couldAdmit())) return;
    for (const step of pipeline.steps) if (step.sums.chunks > 0 || step.last.requests.length > 0 || step.tick < 0) return;
    let lastTick = decodes.nextEnd();
    const room = this.#roomAhead();
    while (pipeline.nextEnd < horizon && decodes.tick < lastTick && pool.held + decodes.need() <= room) {
      const done = pipeline.end(pipeline.nextEnd);
      this.#recorder.advance(
        done.end,
        this.running.size,
        this.waiting.size,
        pool.held,
        pool.cached,
        this.loading,
        this.#blocks.below?.hierarchy.used,
      );
      this.#recorder.step(done);
      const now = done.end;
      this.#tokens.tick(this.#received(done, now));
      this.#blocks.grow(decodes.need());
      this.#steps++;
      done.sums.emitting = 0;
      decodes.addTo(done.sums);
      done.tick = decodes.tick;
      decodes.advance();
      pipeline.commit(done, now);
      lastTick = decodes.nextEnd();
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
    audit([this.running, this.#parked, this.#ready], lent, this.decodes, this.pool, this.#config.kv.blockSize);
  }

  // ---- planning

  #plan(now: SimTime): Step | null {
    const {scheduler} = this.#config;
    const step = this.#pipeline.blank();
    const prefillDue = scheduler.prefillInterval <= 1 || this.#steps % scheduler.prefillInterval === 0;
    const preempted = this.#makeRoom(prefillDue, now);
    let budget = scheduler.maxNumBatchedTokens - this.decodes.count;
    if (this.decodes.count > 0) this.#planDecodes(step);
    if (prefillDue) {
      budget = this.#planChunks(step, budget);
      if (!preempted) this.#admit(step, budget, now);
    }
    if (step.sums.decodes + step.sums.chunks === 0) {
      this.#pipeline.discard(step);
      return this.#pipeline.steps.length === 0 && this.#mustPlanAgain(prefillDue, preempted) ? this.#plan(now) : null;
    }
    this.#steps++;
    step.gate = this.#blocks.below?.hierarchy.takeGate() ?? 0;
    return step;
  }

  /** Whether an idle engine whose step came out empty has something to do all the same. */
  #mustPlanAgain(prefillDue: boolean, preempted: boolean): boolean {
    if (preempted || this.#ready.size > 0) return true; // the only one that ran gave way to what is loading, or a load was there at once
    if (prefillDue || this.waiting.size + this.#prefills.length === 0) return false;
    this.#steps++;
    return true;
  }

  #planDecodes(step: Step): void {
    const {decodes} = this;
    decodes.addTo(step.sums);
    step.tick = decodes.tick;
    decodes.advance();
    for (let request = decodes.popEnded(); request !== null; request = decodes.popEnded()) {
      request.state = State.draining;
      step.last.add(request);
    }
  }

  /** Prompts that are under way go on. Returns the budget that is left. */
  #planChunks(step: Step, budget: number): number {
    let kept = 0;
    for (const request of this.#prefills) {
      const tokens = chunkTokens(this.#config.scheduler, request, budget);
      if (tokens > 0) {
        this.#blocks.grow(this.#blocks.forChunk(request, tokens));
        this.#compute(step, request, tokens);
        budget -= tokens;
      }
      if (request.state === State.prefill) this.#prefills[kept++] = request;
    }
    this.#prefills.length = kept;
    return budget;
  }

  /**
   * Takes the blocks that the decodes need now, and sees to it that those of the chunks are there, preempting the youngest request while they are not.
   *
   * Blocks are granted in order of admission, so all that is free is used up before somebody must go. Returns whether anybody had to.
   */
  #makeRoom(prefillDue: boolean, now: SimTime): boolean {
    const {decodes, pool} = this;
    let any = false;
    let granted = 0;
    while (decodes.need() - granted > pool.free) {
      any = true;
      granted += pool.free;
      this.#blocks.grow(pool.free);
      this.#preempt(this.running.youngest!, now);
    }
    this.#blocks.grow(decodes.need() - granted);
    while (prefillDue && this.#chunkNeed() > pool.free) {
      any = true;
      const victim = this.running.youngest!;
      if (victim.state === State.decode && decodes.needs(victim)) pool.held--; // the block it was granted above
      this.#preempt(victim, now);
    }
    return any;
  }

  /** Blocks of the next chunks of the prompts under way. */
  #chunkNeed(): number {
    let need = 0;
    let budget = this.#config.scheduler.maxNumBatchedTokens - this.decodes.count;
    for (const request of this.#prefills) {
      const tokens = chunkTokens(this.#config.scheduler, request, budget);
      need += this.#blocks.forChunk(request, tokens);
      budget -= tokens;
    }
    return need;
  }

  #admit(step: Step, budget: number, now: SimTime): void {
    const {maxNumSeqs} = this.#config.scheduler;
    for (let request = this.#ready.oldest; request !== null && budget > 0 && this.running.size < maxNumSeqs; request = this.#ready.oldest) {
      const tokens = chunkTokens(this.#config.scheduler, request, budget);
      if (tokens === 0) return;
      this.#ready.remove(request);
      budget -= this.#run(step, request, tokens);
    }
    for (
      let request = this.waiting.oldest;
      request !== null && budget > 0 && this.running.size < maxNumSeqs;
      request = this.waiting.oldest
    ) {
      const tokens = this.#tryAdmit(request, step, budget, now);
      if (tokens === 0) return;
      if (tokens !== PARKED) budget -= this.#run(step, request, tokens);
    }
  }

  /** The request joins the running ones with a first chunk, which is returned. */
  #run(step: Step, request: Request, tokens: number): number {
    this.running.push(request);
    request.order = this.#admissions++;
    request.state = State.prefill;
    this.#compute(step, request, tokens);
    if (request.state === State.prefill) this.#prefills.push(request);
    return tokens;
  }

  /** Takes the request out of the queue when it can run, or wait for a load; what is returned says which. */
  #tryAdmit(request: Request, step: Step, budget: number, now: SimTime): number {
    const tokens = this.#admission.admit(request, step, budget, now);
    if (tokens === 0) return 0;
    this.waiting.remove(request);
    if (tokens === PARKED) {
      this.#parked.push(request);
      if (request.loads === 0) this.#join(request, now);
    }
    return tokens;
  }

  #couldAdmit(): boolean {
    const {maxNumSeqs, maxNumBatchedTokens} = this.#config.scheduler;
    if (this.running.size >= maxNumSeqs || this.decodes.count >= maxNumBatchedTokens) return false;
    return this.#admission.mayFit(this.waiting.oldest!);
  }

  /** Adds a chunk to the step; a prompt that ends in it emits, and decodes from the next step on. */
  #compute(step: Step, request: Request, tokens: number): void {
    step.sums.addChunk(request.computed, tokens, this.#cost.window);
    request.computed += tokens;
    request.computedTokens += tokens;
    this.#blocks.publish(step, request);
    if (request.computed < request.target) return;
    step.sums.emitting++;
    step.prefilled.add(request);
    request.planned++;
    if (request.planned < request.output) {
      request.state = State.decode;
      this.decodes.join(request, request.output - request.planned);
    } else {
      request.state = State.draining;
      step.last.add(request);
    }
  }

  // ---- leaving

  #preempt(request: Request, now: SimTime): void {
    const wasPrefill = request.state === State.prefill;
    if (request.state === State.decode) this.decodes.drop(request);
    if (wasPrefill) this.#prefills.splice(this.#prefills.indexOf(request), 1);
    let lost = 0;
    for (const step of this.#pipeline.steps) {
      if (step.tick >= 0 && step.tick >= request.tick && step.tick <= request.lastTick) lost++;
      if (step.prefilled.has(request)) lost++;
    }
    this.#recorder.preempted(lost);
    this.#tokens.left(request);
    this.#blocks.release(request, now);
    this.running.remove(request);
    request.epoch++;
    request.preemptions++;
    request.state = State.waiting;
    request.planned -= lost;
    request.target = request.input + request.planned;
    request.computed = 0;
    request.lookedUpAt = -1;
    this.waiting.unshift(request);
  }

  /** The request leaves the replica now; its client has the last token at `received`. */
  #finish(request: Request, now: SimTime, received: SimTime): void {
    this.#tokens.left(request);
    this.#blocks.release(request, now);
    this.running.remove(request);
    request.state = State.ended;
    this.#onEnd(request, 'finished', '', received);
  }

  #turnAway(request: Request, end: End, reason: Reason, now: SimTime): void {
    request.state = State.ended;
    this.#onEnd(request, end, reason, now);
  }
}
