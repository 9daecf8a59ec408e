import type {AdmissionPolicy} from '../../policies/admission/policy.js';
import type {SimTime} from '../core/time.js';
import type {BlockPool, Lookup} from '../memory/block-pool.js';
import type {Recorder} from '../metrics/recorder.js';
import type {ReplicaConfig} from './config.js';
import type {Pipeline} from './pipeline.js';
import {type Request, State} from './request.js';
import type {RequestBlocks} from './request-blocks.js';
import type {Step} from './step.js';

/** Not a chunk: the request waits for a load. */
export const PARKED = -1;

/** Tokens of the next chunk of a prompt, from `computed` on; 0 when none may be computed within the budget. */
export function chunkTokens(scheduler: ReplicaConfig['scheduler'], request: Request, budget: number, computed = request.computed): number {
  const {chunkedPrefill, longPrefillTokenThreshold: threshold} = scheduler;
  const left = request.target - computed;
  if (!chunkedPrefill) return left <= budget ? left : 0;
  return Math.min(left, budget, threshold > 0 ? threshold : left);
}

/** Decides whether a waiting request can run now: what of its prompt is resident, what is worth a load, and whether the rest fits. */
export class Admission {
  readonly #config: ReplicaConfig;
  readonly #pool: BlockPool;
  readonly #policy: AdmissionPolicy;
  readonly #blocks: RequestBlocks;
  readonly #pipeline: Pipeline;
  readonly #recorder: Recorder;

  constructor(
    config: ReplicaConfig,
    pool: BlockPool,
    policy: AdmissionPolicy,
    blocks: RequestBlocks,
    pipeline: Pipeline,
    recorder: Recorder,
  ) {
    this.#config = config;
    this.#pool = pool;
    this.#policy = policy;
    this.#blocks = blocks;
    this.#pipeline = pipeline;
    this.#recorder = recorder;
  }

  /** A bound without a lookup, with so many running or loading: nothing became resident since the last one, so it can find no more than that did. */
  mayFit(request: Request, busy: number): boolean {
    if (request.lookedUpAt !== this.#pool.additions) return true;
    return this.#blocks.of(request.target) - request.lookedUpHits <= this.#room(busy);
  }

  /** Whether the request would find room now; with memories below HBM only the bound is known. */
  fits(request: Request, busy: number): boolean {
    if (!this.mayFit(request, busy)) return false;
    if (this.#blocks.below !== null) return true;
    const {hits, idle} = this.#look(request);
    if (this.#blocks.toAdmit(request) - hits + idle <= this.#room(busy)) return true;
    this.#doesNotFit(request, hits);
    return false;
  }

  /**
   * Gives the request the blocks of its first chunk and returns the chunk's tokens; 0 when it does not fit, and nothing changed. So many run or load already.
   *
   * What is loaded from below gets the blocks of the whole prompt: PARKED, when the request waits for that; or `step`, with its first chunk, reads it layer by layer.
   */
  admit(request: Request, step: Step, budget: number, busy: number, now: SimTime): number {
    this.#blocks.below?.prefetcher?.stop(request, now);
    const room = this.#room(busy);
    if (!this.mayFit(request, busy)) return 0;
    const {hits, idle, seen} = this.#look(request);
    if (this.#reaches(request, hits)) return this.#load(request, step, budget, room, now);
    const size = this.#config.kv.blockSize;
    const computed = hits * size;
    const tokens = chunkTokens(this.#config.scheduler, request, budget, computed);
    const whole = this.#blocks.toAdmit(request);
    if (tokens === 0 || whole - hits + idle > room) return this.#doesNotFit(request, hits);
    request.lastTick = -1;
    request.computed = computed;
    if (hits > 0) this.#pool.hold(request, hits);
    this.#blocks.admit(this.#blocks.of(computed + tokens) - hits, whole - hits);
    this.#recordLookup(request, computed, seen * size, now);
    this.#blocks.below?.hierarchy.noteHole();
    const {below} = this.#blocks;
    if (below !== null && hits > 0) below.hierarchy.use(request.chain!, hits, request.input);
    return tokens;
  }

  /** Blocks that an admission may take, with so many running or loading. */
  #room(busy: number): number {
    const {unpromised} = this.#blocks;
    return busy === 0 ? unpromised : Math.min(unpromised, this.#policy(this.#pool));
  }

  /** Whether blocks beyond the HBM hits lie below and are worth a load; the hierarchy's `reach` says how many. */
  #reaches(request: Request, hits: number): boolean {
    const {below} = this.#blocks;
    if (below === null || request.chain === null || below.load === 'never') return false;
    const {hierarchy, load, leastTokens} = below;
    const size = this.#config.kv.blockSize;
    hierarchy.lookup(request.chain, hits, Math.floor((request.target - 1) / size));
    const {blocks} = hierarchy.reach;
    if (blocks === 0 || hierarchy.found.reduce((sum, found) => sum + found, 0) * size < leastTokens) return false;
    return load === 'always' || hierarchy.loadSeconds() < this.#pipeline.chunkSeconds(hits * size, blocks * size);
  }

  /** Holds the whole prompt's blocks and loads what lies below. */
  #load(request: Request, step: Step, budget: number, room: number, now: SimTime): number {
    const {hits, idle, seen} = this.#pool.found;
    const {hierarchy} = this.#blocks.below!;
    const {blocks, present} = hierarchy.reach;
    const prompt = this.#blocks.of(request.target);
    const whole = this.#blocks.toAdmit(request) - hits - present;
    if (whole + idle + hierarchy.reach.idle > room) return this.#doesNotFit(request, hits + present);
    const end = hits + blocks;
    const size = this.#config.kv.blockSize;
    const overlaps = hierarchy.layers > 1;
    const tokens = overlaps ? chunkTokens(this.#config.scheduler, request, budget, end * size) : PARKED;
    if (tokens === 0) return this.#doesNotFit(request, hits + present);
    if (overlaps) step.loading.add(request);
    else {
      request.state = State.loading;
      request.loadingSince = now;
    }
    request.lastTick = -1;
    if (request.preemptions === 0) request.below = Int32Array.from(hierarchy.found, (found) => found * size);
    const inHbm = end - hierarchy.found.reduce((sum, found) => sum + found, 0);
    if (hits > 0) this.#pool.hold(request, hits);
    hierarchy.load(overlaps ? step : request, request.chain!, hits, end);
    this.#blocks.admit(prompt - hits - present, whole);
    hierarchy.send(now);
    request.reserved = prompt;
    request.published = end;
    request.computed = end * size;
    this.#recordLookup(request, (request.preemptions === 0 ? inHbm : end) * size, seen * size, now);
    hierarchy.noteHole();
    hierarchy.use(request.chain!, end, request.input);
    return tokens;
  }

  #doesNotFit(request: Request, present: number): 0 {
    request.lookedUpHits = present;
    request.lookedUpAt = this.#pool.additions;
    return 0;
  }

  #look(request: Request): Lookup {
    const pool = this.#pool;
    if (request.chain === null || !this.#config.kv.prefixCache) {
      pool.found.hits = pool.found.idle = pool.found.seen = 0;
      return pool.found;
    }
    // At least the last token is computed, and hits end at a block edge.
    pool.lookup(request.chain, Math.floor((request.target - 1) / this.#config.kv.blockSize));
    return pool.found;
  }

  #recordLookup(request: Request, hit: number, seen: number, now: SimTime): void {
    if (this.#pool.accesses !== null) this.#logLookup(request, seen);
    if (request.preemptions > 0) {
      this.#recorder.lookupAfterPreemption(request.target, hit);
      return;
    }
    request.scheduledAt = now;
    request.hitTokens = hit;
    request.seenTokens = seen;
  }

  /** Blocks that an earlier request made can be hits, of the first lookup only. */
  #logLookup(request: Request, seenTokens: number): void {
    if (request.chain === null) return;
    const size = this.#config.kv.blockSize;
    const first = request.preemptions === 0;
    this.#pool.accesses!.add(request.chain, 0, Math.floor(request.target / size), first ? request.id : -1, first ? seenTokens / size : 0);
  }
}
