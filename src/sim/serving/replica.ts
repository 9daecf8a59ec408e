import type {CostModel} from '../../models/cost/cost.js';
import {fromSeconds, type SimTime} from '../core/time.js';
import type {BlockPool} from '../memory/block-pool.js';
import type {End, Reason} from '../metrics/record.js';
import type {Recorder} from '../metrics/recorder.js';
import type {ReplicaConfig} from './config.js';
import {DecodeSet} from './decode-set.js';
import {type Request, State} from './request.js';
import {RequestList} from './request-list.js';
import {Step} from './step.js';

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
  readonly #config: ReplicaConfig;
  readonly #cost: CostModel;
  readonly #recorder: Recorder;
  readonly #onEnd: OnEnd;
  /** Running requests whose prompt is not yet computed, in order of admission. */
  readonly #prefills: Request[] = [];
  /** Steps planned and not ended, oldest first; the others wait to be used again. */
  readonly #planned: Step[] = [];
  readonly #spare: Step[] = [];
  #admissions = 0;
  #steps = 0;
  /** Blocks that running requests will still need, kept free only without preemption. */
  #promised = 0;

  constructor(config: ReplicaConfig, cost: CostModel, pool: BlockPool, recorder: Recorder, onEnd: OnEnd) {
    this.#config = config;
    this.#cost = cost;
    this.pool = pool;
    this.#recorder = recorder;
    this.#onEnd = onEnd;
    this.decodes = new DecodeSet(config.kv.blockSize, cost.window);
    for (let i = 0; i <= config.inFlight; i++) this.#spare.push(new Step(cost.terms.length));
  }

  /** When the executing step ends; Infinity while idle. */
  get nextEnd(): SimTime {
    return this.#planned.length === 0 ? Number.POSITIVE_INFINITY : this.#planned[0].end;
  }

  /** A request reaches the engine. It waits, or is turned away. */
  submit(request: Request, now: SimTime): void {
    const {queueLimit} = this.#config.scheduler;
    if (request.input >= this.#config.maxModelLen) this.#turnAway(request, 'rejected', 'too_long', now);
    else if (this.#finalBlocks(request) > this.pool.capacity) this.#turnAway(request, 'failed', 'no_room', now);
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
    const step = this.#planned.shift()!;
    this.#recorder.step(step);
    const {prefilled, last} = step;
    // The server detokenises and sends in another process: clients wait for it, the next step does not.
    const received = now + fromSeconds(this.#config.overhead.delivery * step.sums.emitting);
    for (let i = 0; i < prefilled.requests.length; i++) {
      const request = prefilled.requests[i];
      if (prefilled.holds(i) && Number.isNaN(request.firstTokenAt)) request.firstTokenAt = received;
    }
    for (let i = 0; i < last.requests.length; i++) {
      if (last.holds(i)) this.#finish(last.requests[i], received);
    }
    this.#spare.push(step);
  }

  /** Plans as many steps as may be in flight. Called once per time, after all that happens at it. */
  schedule(now: SimTime): void {
    while (this.#planned.length < this.#config.inFlight) {
      const step = this.#plan(now);
      if (step === null) return;
      this.#commit(step, now);
    }
  }

  /**
   * Runs ahead through steps in which nothing but decoding happens, while they end before `horizon`. Equal to stepping, only faster.
   *
   * Nobody joins or leaves, so what waits goes on waiting: room only shrinks, and no block becomes resident.
   */
  fastForward(horizon: SimTime): void {
    const {decodes, pool} = this;
    const planned = this.#planned;
    if (planned.length < this.#config.inFlight || this.#prefills.length > 0 || decodes.count === 0) return;
    if (this.waiting.size > 0 && (this.#config.scheduler.prefillInterval > 1 || this.#couldAdmit())) return;
    for (const step of planned) if (step.sums.chunks > 0 || step.last.requests.length > 0 || step.tick < 0) return;
    let lastTick = decodes.nextEnd();
    while (planned[0].end < horizon && decodes.tick < lastTick && decodes.need() <= pool.free) {
      const done = planned.shift()!;
      this.#recorder.advance(done.end, this.running.size, this.waiting.size, pool.held, pool.cached);
      this.#recorder.step(done);
      const now = done.end;
      this.#grow(decodes.need());
      this.#steps++;
      done.sums.emitting = 0;
      decodes.addTo(done.sums);
      done.tick = decodes.tick;
      decodes.advance();
      this.#commit(done, now);
      lastTick = decodes.nextEnd();
    }
  }

  /** Throws when the sums differ from a count of the running requests, or the books do not balance. For tests and debug runs. */
  audit(): void {
    const {decodes} = this;
    let count = 0,
      computed = 0,
      needs = 0,
      blocks = 0;
    const holders = new Set<number>();
    let shared = 0;
    const size = this.#config.kv.blockSize;
    for (let r = this.running.oldest; r !== null; r = r.younger) {
      const now = r.state === State.decode ? r.computed + decodes.tick - r.tick : r.computed;
      if (r.state === State.decode) {
        count++;
        computed += now;
        if (now % size === 0) needs++;
      }
      blocks += Math.ceil(now / size) - r.published + (r.duplicates?.length ?? 0);
      for (let run = 0, left = r.published, index = 0; left > 0; run++) {
        const {bases, counts} = r.chain!;
        const n = Math.min(left, counts[run]);
        for (let i = 0; i < n; i++, index++) if (!r.duplicates?.includes(index)) holders.add(bases[run] + i);
        left -= n;
      }
    }
    shared = holders.size;
    const wrong: string[] = [];
    if (count !== decodes.count) wrong.push(`${decodes.count} decodes, counted ${count}`);
    if (computed !== decodes.computed) wrong.push(`context ${decodes.computed}, counted ${computed}`);
    if (needs !== decodes.need()) wrong.push(`${decodes.need()} blocks needed, counted ${needs}`);
    if (blocks + shared !== this.pool.held) wrong.push(`${this.pool.held} blocks held, counted ${blocks + shared}`);
    if (this.pool.held + this.pool.cached > this.pool.capacity) wrong.push('more blocks than there are');
    if (wrong.length > 0) throw new Error(`books do not balance: ${wrong.join('; ')}`);
  }

  // ---- planning

  #plan(now: SimTime): Step | null {
    const {scheduler} = this.#config;
    const step = this.#spare.pop()!;
    step.clear();
    const prefillDue = scheduler.prefillInterval <= 1 || this.#steps % scheduler.prefillInterval === 0;
    const preempted = this.#makeRoom(prefillDue);
    let budget = scheduler.maxNumBatchedTokens - this.decodes.count;
    if (this.decodes.count > 0) this.#planDecodes(step);
    if (prefillDue) {
      budget = this.#planChunks(step, budget);
      if (!preempted) this.#admit(step, budget, now);
    }
    if (step.sums.decodes + step.sums.chunks === 0) {
      this.#spare.push(step);
      // An idle engine with somebody waiting plans again until prompts are due.
      if (!prefillDue && this.#planned.length === 0 && this.waiting.size + this.#prefills.length > 0) {
        this.#steps++;
        return this.#plan(now);
      }
      return null;
    }
    this.#steps++;
    return step;
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
      const tokens = this.#chunk(request, budget);
      if (tokens > 0) {
        this.#grow(this.#blocks(request.computed + tokens) - this.#blocks(request.computed));
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
  #makeRoom(prefillDue: boolean): boolean {
    const {decodes, pool} = this;
    let any = false;
    let granted = 0;
    while (decodes.need() - granted > pool.free) {
      any = true;
      granted += pool.free;
      this.#grow(pool.free);
      this.#preempt(this.running.youngest!);
    }
    this.#grow(decodes.need() - granted);
    while (prefillDue && this.#chunkNeed() > pool.free) {
      any = true;
      const victim = this.running.youngest!;
      if (victim.state === State.decode && decodes.needs(victim)) pool.held--; // the block it was granted above
      this.#preempt(victim);
    }
    return any;
  }

  /** Blocks of the next chunks of the prompts under way. */
  #chunkNeed(): number {
    let need = 0;
    let budget = this.#config.scheduler.maxNumBatchedTokens - this.decodes.count;
    for (const request of this.#prefills) {
      const tokens = this.#chunk(request, budget);
      need += this.#blocks(request.computed + tokens) - this.#blocks(request.computed);
      budget -= tokens;
    }
    return need;
  }

  #admit(step: Step, budget: number, now: SimTime): void {
    const {maxNumSeqs} = this.#config.scheduler;
    for (
      let request = this.waiting.oldest;
      request !== null && budget > 0 && this.running.size < maxNumSeqs;
      request = this.waiting.oldest
    ) {
      const tokens = this.#tryAdmit(request, budget, now);
      if (tokens === 0) return;
      this.#compute(step, request, tokens);
      if (request.state === State.prefill) this.#prefills.push(request);
      budget -= tokens;
    }
  }

  /** Moves the request from waiting to running with the blocks of its first chunk; returns the chunk's tokens, or 0 when it does not fit. */
  #tryAdmit(request: Request, budget: number, now: SimTime): number {
    const {pool} = this;
    const size = this.#config.kv.blockSize;
    if (!this.#mayFit(request)) return 0;
    const {hits, idle, seen} = this.#look(request);
    const computed = hits * size;
    const tokens = this.#chunk(request, budget, computed);
    const whole = this.#config.scheduler.preemption === 'none' ? this.#finalBlocks(request) : this.#blocks(request.target);
    if (tokens === 0 || whole - hits + idle > pool.free - this.#promised) {
      request.lookedUpHits = hits;
      request.lookedUpAt = pool.additions;
      return 0;
    }
    this.waiting.remove(request);
    this.running.push(request);
    request.order = this.#admissions++;
    request.state = State.prefill;
    request.lastTick = -1;
    request.computed = computed;
    if (hits > 0) pool.hold(request, hits);
    const fresh = this.#blocks(computed + tokens) - hits;
    pool.take(fresh);
    if (this.#config.scheduler.preemption === 'none') this.#promised += whole - hits - fresh;
    this.#recordLookup(request, computed, seen * size, now);
    return tokens;
  }

  /** A bound without a lookup: nothing became resident since the last one, so it can find no more than that did. */
  #mayFit(request: Request): boolean {
    if (request.lookedUpAt !== this.pool.additions) return true;
    return this.#blocks(request.target) - request.lookedUpHits <= this.pool.free - this.#promised;
  }

  #couldAdmit(): boolean {
    const {maxNumSeqs, maxNumBatchedTokens} = this.#config.scheduler;
    if (this.running.size >= maxNumSeqs || this.decodes.count >= maxNumBatchedTokens) return false;
    return this.#mayFit(this.waiting.oldest!);
  }

  #look(request: Request): {hits: number; idle: number; seen: number} {
    const {pool} = this;
    if (request.chain === null || !this.#config.kv.prefixCache) {
      pool.found.hits = pool.found.idle = pool.found.seen = 0;
      return pool.found;
    }
    // At least the last token is computed, and hits end at a block edge.
    pool.lookup(request.chain, Math.floor((request.target - 1) / this.#config.kv.blockSize));
    return pool.found;
  }

  #recordLookup(request: Request, hit: number, seen: number, now: SimTime): void {
    if (request.preemptions > 0) {
      this.#recorder.lookupAfterPreemption(request.target, hit);
      return;
    }
    request.scheduledAt = now;
    request.hitTokens = hit;
    request.seenTokens = seen;
  }

  /** Tokens of the next chunk of a prompt, from `computed` on. */
  #chunk(request: Request, budget: number, computed = request.computed): number {
    const {chunkedPrefill, longPrefillTokenThreshold: threshold} = this.#config.scheduler;
    const left = request.target - computed;
    if (!chunkedPrefill) return left <= budget ? left : 0;
    return Math.min(left, budget, threshold > 0 ? threshold : left);
  }

  /** Adds a chunk to the step; a prompt that ends in it emits, and decodes from the next step on. */
  #compute(step: Step, request: Request, tokens: number): void {
    step.sums.addChunk(request.computed, tokens, this.#cost.window);
    request.computed += tokens;
    request.computedTokens += tokens;
    if (this.#config.kv.prefixCache) this.pool.publish(request, Math.floor(request.computed / this.#config.kv.blockSize));
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

  #commit(step: Step, now: SimTime): void {
    const planned = this.#planned;
    this.#cost.predict(step.sums, step.prediction);
    step.start = planned.length === 0 ? now : planned[planned.length - 1].end;
    step.end = step.start + Math.max(1, fromSeconds(step.prediction.seconds));
    planned.push(step);
  }

  // ---- leaving

  #preempt(request: Request): void {
    const wasPrefill = request.state === State.prefill;
    if (request.state === State.decode) this.decodes.drop(request);
    if (wasPrefill) this.#prefills.splice(this.#prefills.indexOf(request), 1);
    let lost = 0;
    for (const step of this.#planned) {
      if (step.tick >= 0 && step.tick >= request.tick && step.tick <= request.lastTick) lost++;
      if (step.prefilled.has(request)) lost++;
    }
    this.#recorder.preempted(lost);
    this.#release(request);
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
  #finish(request: Request, received: SimTime): void {
    this.#release(request);
    this.running.remove(request);
    request.state = State.ended;
    this.#onEnd(request, 'finished', '', received);
  }

  #turnAway(request: Request, end: End, reason: Reason, now: SimTime): void {
    request.state = State.ended;
    this.#onEnd(request, end, reason, now);
  }

  #release(request: Request): void {
    const blocks = this.#blocks(request.computed);
    this.pool.release(request, blocks, this.#config.kv.prefixCache ? Math.floor(request.computed / this.#config.kv.blockSize) : 0);
  }

  #grow(blocks: number): void {
    if (blocks === 0) return;
    this.pool.take(blocks);
    if (this.#config.scheduler.preemption === 'none') this.#promised -= blocks;
  }

  #blocks(tokens: number): number {
    return Math.ceil(tokens / this.#config.kv.blockSize);
  }

  /** Blocks when the last token is computed; that token itself is never stored. */
  #finalBlocks(request: Request): number {
    return this.#blocks(request.input + request.output - 1);
  }
}
