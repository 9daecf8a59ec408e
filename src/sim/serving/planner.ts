import type {CostModel} from '../../models/cost/cost.js';
import type {SchedulingPolicy} from '../../policies/scheduling/policy.js';
import {LinkedList} from '../core/linked-list.js';
import type {SimTime} from '../core/time.js';
import type {BlockPool} from '../memory/block-pool.js';
import type {Recorder} from '../metrics/recorder.js';
import type {TokenClock} from '../metrics/token-clock.js';
import {type Admission, chunkTokens, PARKED} from './admission.js';
import {BatchGate} from './batch-gate.js';
import type {ReplicaConfig} from './config.js';
import type {DecodeSet} from './decode-set.js';
import type {Pipeline} from './pipeline.js';
import {type Request, State} from './request.js';
import type {RequestBlocks} from './request-blocks.js';
import type {Step} from './step.js';
import type {ReplicaView} from './view.js';

/** What a planner plans with; all of it belongs to one replica. */
export interface PlannerParts {
  readonly config: ReplicaConfig;
  readonly cost: CostModel;
  readonly pool: BlockPool;
  readonly decodes: DecodeSet;
  readonly pipeline: Pipeline;
  readonly blocks: RequestBlocks;
  readonly admission: Admission;
  readonly waiting: SchedulingPolicy<Request>;
  readonly view: ReplicaView;
  readonly recorder: Recorder;
  readonly tokens: TokenClock;
}

/** SGLang's `retract_decode_steps`: a retraction goes on until every decode has room for so many more tokens. */
const RETRACT_HEADROOM = 20;

/**
 * Makes the steps of one replica: who runs in each, who joins, and who gives way.
 *
 * Running requests first, then waiting ones in the policy's order, within a budget of tokens, sequences and blocks (vLLM V1, FORMATS §8.1). Where vLLM lets an unfinished prompt starve the decodes behind it (possible only with a chunk threshold), decodes go first here; with `prefill-first`, prompts have steps of their own, before decodes.
 */
export class Planner {
  readonly running = new LinkedList<Request>();
  /** Requests whose blocks are being loaded from below, in order of their lookups. */
  readonly parked = new LinkedList<Request>();
  /** Loaded requests, which go before the queue. */
  readonly ready = new LinkedList<Request>();
  /** Steps planned so far. */
  steps = 0;
  calmSteps = 0;
  calmUntil: SimTime = 0;
  readonly #parts: PlannerParts;
  readonly #scheduler: ReplicaConfig['scheduler'];
  readonly #gate: BatchGate;
  /** Running requests whose prompt is not yet computed, in order of admission. */
  readonly #prefills: Request[] = [];
  #admissions = 0;
  /** The last one that runs lacks a block, and steps under way still compute its tokens: they end before anything is decided. */
  #awaitsLast = false;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
    this.#scheduler = parts.config.scheduler;
    this.#gate = new BatchGate(this.#scheduler.batching, this.#scheduler.maxNumSeqs);
  }

  /** Requests that run, or will once their load has come. */
  get #busy(): number {
    return this.running.size + this.parked.size + this.ready.size;
  }

  /** Finds out for how many decode steps, and until when, nothing but counts can change; the answer is in `calmSteps` and `calmUntil`. */
  foresee(): void {
    const {waiting, admission, decodes} = this.#parts;
    const {maxNumSeqs, maxNumBatchedTokens, prefillInterval, steps} = this.#scheduler;
    this.calmSteps = this.#prefills.length > 0 || this.ready.size > 0 || this.#gate.isForming ? 0 : Number.POSITIVE_INFINITY;
    this.calmUntil = Number.POSITIVE_INFINITY;
    if (this.calmSteps === 0 || waiting.size === 0) return;
    if (waiting.preemption !== null) this.calmUntil = waiting.steadyUntil;
    if (!this.#gate.isOpen) return;
    const seat = this.running.size < maxNumSeqs && (steps === 'prefill-first' || decodes.count < maxNumBatchedTokens);
    if (prefillInterval > 1 || (seat && admission.mayFit(waiting.head!, this.#busy))) this.calmSteps = 0;
    else if (waiting.preemption !== null) this.calmSteps = waiting.preemption.calmSteps(this.running);
    if (seat) this.calmUntil = waiting.steadyUntil;
  }

  /** Plans the next step, or null when there is nothing to do. */
  plan(now: SimTime): Step | null {
    const {pipeline, waiting} = this.#parts;
    const {prefillInterval} = this.#scheduler;
    const step = pipeline.blank();
    const prefillDue = prefillInterval <= 1 || this.steps % prefillInterval === 0;
    this.#awaitsLast = false;
    waiting.refresh(now);
    this.#gate.update(waiting.size, this.#busy);
    this.#takeBack(prefillDue, now);
    if (prefillDue && waiting.preemption !== null) this.#makeWay(now);
    const preempted =
      this.#scheduler.steps === 'prefill-first' ? this.#planApart(step, prefillDue, now) : this.#planTogether(step, prefillDue, now);
    if (step.sums.decodes + step.sums.chunks === 0) {
      pipeline.discard(step);
      return pipeline.steps.length === 0 && this.#mustPlanAgain(prefillDue, preempted) ? this.plan(now) : null;
    }
    this.steps++;
    step.gate = this.#parts.blocks.below?.hierarchy.takeGate() ?? 0;
    return step;
  }

  /** Places that running requests need now are not for guesses. */
  #takeBack(prefillDue: boolean, now: SimTime): void {
    const {decodes, pool, blocks} = this.#parts;
    const prefetcher = blocks.below?.prefetcher ?? null;
    if (prefetcher === null) return;
    const short = decodes.need() + (prefillDue ? this.#chunkNeed() : 0) - pool.free;
    if (short > 0) prefetcher.giveBack(short, now);
  }

  /** Decodes, and prompts in what they leave of the budget. Returns whether anybody had to go. */
  #planTogether(step: Step, prefillDue: boolean, now: SimTime): boolean {
    let preempted = this.#makeRoomForDecodes(now);
    if (this.#awaitsLast) return true;
    if (prefillDue) preempted = this.#makeRoomForChunks(now) || preempted;
    let budget = this.#promptBudget();
    if (this.#parts.decodes.count > 0) this.#planDecodes(step);
    if (prefillDue) {
      budget = this.#planChunks(step, budget);
      if (!preempted) this.#admit(step, budget, now);
    }
    return preempted;
  }

  /** Prompts alone; decodes when no prompt can run. Returns whether anybody had to go. */
  #planApart(step: Step, prefillDue: boolean, now: SimTime): boolean {
    let preempted = false;
    if (prefillDue) {
      preempted = this.#makeRoomForChunks(now);
      const budget = this.#planChunks(step, this.#promptBudget());
      if (!preempted) this.#admit(step, budget, now);
    }
    if (step.sums.chunks > 0) return preempted;
    preempted = this.#makeRoomForDecodes(now) || preempted;
    if (this.#parts.decodes.count > 0 && !this.#awaitsLast) this.#planDecodes(step);
    return preempted;
  }

  /** Tokens of a step that prompts may have. */
  #promptBudget(): number {
    const {maxNumBatchedTokens, steps} = this.#scheduler;
    return steps === 'prefill-first' ? maxNumBatchedTokens : maxNumBatchedTokens - this.#parts.decodes.count;
  }

  /** Whether an idle engine whose step came out empty has something to do all the same. */
  #mustPlanAgain(prefillDue: boolean, preempted: boolean): boolean {
    if (preempted) return true; // the only one that ran gave way to what is loading
    if (prefillDue) return this.ready.size > 0; // a load was there at once
    if (this.#parts.waiting.size + this.#prefills.length + this.ready.size === 0) return false;
    this.steps++;
    return true;
  }

  #planDecodes(step: Step): void {
    const {decodes} = this.#parts;
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
      const tokens = chunkTokens(this.#scheduler, request, budget);
      if (tokens > 0) {
        this.#parts.blocks.grow(this.#parts.blocks.forChunk(request, tokens));
        this.#compute(step, request, tokens);
        budget -= tokens;
      }
      if (request.state === State.prefill) this.#prefills[kept++] = request;
    }
    this.#prefills.length = kept;
    return budget;
  }

  /** The head of the queue finds no room: who is to give way to it, does. */
  #makeWay(now: SimTime): void {
    const {waiting, admission} = this.#parts;
    while (waiting.head !== null && this.#gate.isOpen) {
      if (this.running.size < this.#scheduler.maxNumSeqs && admission.fits(waiting.head, this.#busy)) return;
      const request = this.running.size === 0 ? null : waiting.preemption!.yields(this.running);
      if (request === null) return;
      this.#preempt(request, now, false);
    }
  }

  /**
   * Takes the blocks that the decodes need now, preempting while they are not there. Returns whether anybody had to go.
   *
   * Blocks are granted in order of admission, so all that is free is used up before somebody must.
   */
  #makeRoomForDecodes(now: SimTime): boolean {
    const {decodes, pool, blocks} = this.#parts;
    let any = false;
    let granted = 0;
    while (decodes.need() - granted > pool.free) {
      any = true;
      if (this.#mustAwaitLast()) return true;
      granted += pool.free;
      blocks.grow(pool.free);
      const victim = this.#victim();
      if (this.#isGranted(victim, granted)) {
        pool.held--;
        granted--;
      }
      this.#preempt(victim, now);
    }
    blocks.grow(decodes.need() - granted);
    if (any && this.#scheduler.preemption === 'retract') this.#retractOn(now);
    return any;
  }

  /**
   * Whether a decode that is the last one to run, and lacks a block, must wait for the steps under way: it would lose their tokens by giving way.
   *
   * Two that load and give way to each other, each before its first token is there, would do so for ever. Once every turn keeps a token, they end.
   */
  #mustAwaitLast(): boolean {
    this.#awaitsLast = this.running.size === 1 && this.#parts.pipeline.steps.length > 0;
    return this.#awaitsLast;
  }

  /** Whether a decode is among the first `granted` that needed a block now, in order of admission. */
  #isGranted(victim: Request, granted: number): boolean {
    const {decodes} = this.#parts;
    if (victim.state !== State.decode || !decodes.needs(victim)) return false;
    let before = 0;
    for (let request = victim.older; request !== null; request = request.older)
      if (request.state === State.decode && decodes.needs(request)) before++;
    return before < granted;
  }

  /** A retraction has begun: it goes on until there is some headroom, but for the last request. */
  #retractOn(now: SimTime): void {
    const {decodes, pool, blocks} = this.#parts;
    while (decodes.count > 1 && pool.free < decodes.count * blocks.of(RETRACT_HEADROOM)) {
      const victim = this.#victim();
      if (victim.state !== State.decode) return;
      if (decodes.needs(victim)) pool.held--;
      this.#preempt(victim, now);
    }
  }

  /** Sees to it that the blocks of the next chunks are there, preempting while they are not. Returns whether anybody had to go. */
  #makeRoomForChunks(now: SimTime): boolean {
    const {decodes, pool} = this.#parts;
    const granted = this.#scheduler.steps !== 'prefill-first';
    let any = false;
    while (this.#chunkNeed() > pool.free) {
      any = true;
      const victim = this.#victim();
      if (granted && victim.state === State.decode && decodes.needs(victim)) pool.held--;
      this.#preempt(victim, now);
    }
    return any;
  }

  /** Who gives its blocks up: whom the policy names, or with retraction who generated least, the longest prompt among equals. A policy that preempts by itself always names: two rules would undo each other's choices for ever. */
  #victim(): Request {
    const {waiting, view} = this.#parts;
    if (this.#scheduler.preemption !== 'retract' || waiting.preemption !== null) return waiting.victim(this.running);
    let least = this.running.youngest!;
    for (let request = least.older; request !== null; request = request.older) {
      const difference = view.generated(request) - view.generated(least);
      if (difference < 0 || (difference === 0 && request.input > least.input)) least = request;
    }
    return least;
  }

  /** Blocks of the next chunks of the prompts under way. */
  #chunkNeed(): number {
    let need = 0;
    let budget = this.#promptBudget();
    const prompts = Math.min(this.#prefills.length, this.#scheduler.promptsPerStep);
    for (let i = 0; i < prompts; i++) {
      const request = this.#prefills[i];
      const tokens = chunkTokens(this.#scheduler, request, budget);
      need += this.#parts.blocks.forChunk(request, tokens);
      budget -= tokens;
    }
    return need;
  }

  #admit(step: Step, budget: number, now: SimTime): void {
    const {waiting} = this.#parts;
    for (let request = this.ready.oldest; request !== null && this.#hasPlace(step, budget); request = this.ready.oldest) {
      const tokens = chunkTokens(this.#scheduler, request, budget);
      if (tokens === 0) return;
      this.ready.remove(request);
      budget -= this.#run(step, request, tokens);
    }
    for (let request = waiting.head; request !== null && this.#gate.isOpen && this.#hasPlace(step, budget); request = waiting.head) {
      const tokens = this.#tryAdmit(request, step, budget, now);
      if (tokens === 0) {
        this.#gate.full(this.#busy);
        return;
      }
      this.#gate.joined();
      if (tokens !== PARKED) budget -= this.#run(step, request, tokens);
    }
  }

  #hasPlace(step: Step, budget: number): boolean {
    const {maxNumSeqs, promptsPerStep} = this.#scheduler;
    return budget > 0 && this.running.size < maxNumSeqs && step.sums.chunks < promptsPerStep;
  }

  /** The last block that a request waited for has come. */
  loaded(request: Request, now: SimTime): void {
    this.parked.remove(request);
    request.loadTime += now - request.loadingSince;
    this.ready.push(request);
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
    const tokens = this.#parts.admission.admit(request, step, budget, this.#busy, now);
    if (tokens === 0) return 0;
    this.#parts.waiting.remove(request);
    if (tokens === PARKED) {
      this.parked.push(request);
      if (request.loads === 0) this.loaded(request, now);
    }
    return tokens;
  }

  /** Adds a chunk to the step; a prompt that ends in it emits, and decodes from the next step on. */
  #compute(step: Step, request: Request, tokens: number): void {
    step.sums.addChunk(request.computed, tokens, this.#parts.cost.window);
    request.computed += tokens;
    request.computedTokens += tokens;
    this.#parts.blocks.publish(step, request);
    if (request.computed < request.target) return;
    step.sums.emitting++;
    step.prefilled.add(request);
    request.planned++;
    if (request.planned < request.output) {
      request.state = State.decode;
      this.#parts.decodes.join(request, request.output - request.planned);
    } else {
      request.state = State.draining;
      step.last.add(request);
    }
  }

  /** The request gives its blocks up and starts again. */
  #preempt(request: Request, now: SimTime, retracted = this.#scheduler.preemption === 'retract'): void {
    const wasPrefill = request.state === State.prefill;
    if (request.state === State.decode) this.#parts.decodes.drop(request);
    if (wasPrefill) this.#prefills.splice(this.#prefills.indexOf(request), 1);
    let lost = 0;
    for (const step of this.#parts.pipeline.steps) {
      if (step.tick >= 0 && step.tick >= request.tick && step.tick <= request.lastTick) lost++;
      if (step.prefilled.has(request)) lost++;
    }
    this.#parts.recorder.preempted(lost);
    this.#parts.tokens.left(request);
    this.#parts.blocks.release(request, now, retracted ? 'drop' : 'keep');
    this.running.remove(request);
    request.epoch++;
    request.preemptions++;
    request.state = State.waiting;
    request.planned -= lost;
    request.target = request.input + request.planned;
    request.computed = 0;
    request.lookedUpAt = -1;
    this.#parts.waiting.putBack(request, now, retracted ? 'back' : 'front');
  }
}
