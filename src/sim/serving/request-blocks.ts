import type {SimTime} from '../core/time.js';
import type {BlockPool} from '../memory/block-pool.js';
import type {Below} from './below.js';
import type {ReplicaConfig} from './config.js';
import type {Request} from './request.js';
import type {Step} from './step.js';

/** The blocks that requests hold, need and are promised: turns their tokens into blocks, names full ones, and gives all back. */
export class RequestBlocks {
  /** Null: HBM only. */
  below: Below | null = null;
  readonly #pool: BlockPool;
  readonly #size: number;
  readonly #prefixCache: boolean;
  readonly #publishes: ReplicaConfig['kv']['publishes'];
  /** Whether a request is admitted only if it can never lack a block. */
  readonly #promises: boolean;
  /** Blocks that running requests will still need, kept free only without preemption. */
  #promised = 0;

  constructor({kv, scheduler}: ReplicaConfig, pool: BlockPool) {
    this.#pool = pool;
    this.#size = kv.blockSize;
    this.#prefixCache = kv.prefixCache;
    this.#publishes = kv.publishes;
    this.#promises = scheduler.preemption === 'none';
  }

  /** Blocks that nobody holds and nobody was promised. */
  get unpromised(): number {
    return this.#pool.free - this.#promised;
  }

  /** Blocks of so many tokens. */
  of(tokens: number): number {
    return Math.ceil(tokens / this.#size);
  }

  /** Blocks when the last token is computed; that token itself is never stored. */
  atEnd(request: Request): number {
    return this.of(request.input + request.output - 1);
  }

  /** Blocks that must be free for a request to be admitted: its prompt's, or without preemption all that it will ever hold. */
  toAdmit(request: Request): number {
    return this.#promises ? this.atEnd(request) : this.of(request.target);
  }

  /** Blocks that a chunk needs beyond those the request holds. */
  forChunk(request: Request, tokens: number): number {
    return Math.max(0, this.of(request.computed + tokens) - Math.max(this.of(request.computed), request.reserved));
  }

  /** Takes the first blocks of an admitted request; `whole` are those it was admitted for, beyond the ones it hit. */
  admit(blocks: number, whole: number): void {
    this.#pool.take(blocks);
    if (this.#promises) this.#promised += whole - blocks;
  }

  /** Takes further blocks for running requests. */
  grow(blocks: number): void {
    if (blocks === 0) return;
    this.#pool.take(blocks);
    if (this.#promises) this.#promised -= blocks;
  }

  /** The request has planned a chunk: its full blocks get their names, now or when the step ends, and the step writes them below when it ends. */
  publish(step: Step, request: Request): void {
    if (!this.#prefixCache || request.chain === null || this.#publishes === 'end') return;
    if (this.#publishes === 'step') {
      step.toName.push({request, epoch: request.epoch, tokens: request.computed});
      return;
    }
    const from = request.published;
    this.#pool.publish(request, Math.floor(request.computed / this.#size));
    if (this.below === null) return;
    const to = this.#toWrite(request, request.published);
    if (to > from) step.produced.push({request, from, to});
  }

  /** The step ends: what it made exists. */
  completed(step: Step, now: SimTime): void {
    for (const {request, from, to} of step.produced) this.below!.hierarchy.produced(request.chain!, from, to, request.input, now);
    for (const {request, epoch, tokens} of step.toName) {
      if (request.epoch !== epoch) continue;
      const from = request.published;
      this.#pool.publish(request, Math.floor(tokens / this.#size));
      if (this.below === null) continue;
      const to = this.#toWrite(request, request.published);
      if (to > from) this.below.hierarchy.produced(request.chain!, from, to, request.input, now);
    }
  }

  /** Gives back all that the request holds; `keep` names its full blocks first, so that they are kept for reuse, `drop` does not. */
  release(request: Request, now: SimTime, unnamed: 'keep' | 'drop'): void {
    const blocks = Math.max(this.of(request.computed), request.reserved);
    const published = request.published;
    const full = !this.#prefixCache ? 0 : unnamed === 'keep' ? Math.floor(request.computed / this.#size) : published;
    if (request.chain !== null) this.#pool.accesses?.add(request.chain, Math.floor(request.target / this.#size), full);
    this.#pool.release(request, blocks, full);
    if (this.#promises) this.#promised -= this.atEnd(request) - blocks; // nothing is left of it when the request has finished
    request.reserved = 0;
    if (this.below === null || request.chain === null) return;
    const {hierarchy} = this.below;
    const to = this.#toWrite(request, full);
    if (to > published) hierarchy.produced(request.chain, published, to, request.input, now);
    hierarchy.touch(request.chain, full);
  }

  /** Of the blocks below `full`, those that are written below when they are computed. */
  #toWrite(request: Request, full: number): number {
    return this.below!.hierarchy.writesGenerated ? full : Math.min(full, Math.floor(request.input / this.#size));
  }
}
