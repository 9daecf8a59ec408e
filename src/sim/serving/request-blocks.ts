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
  /** Whether a request is admitted only if it can never lack a block. */
  readonly #promises: boolean;
  /** Blocks that running requests will still need, kept free only without preemption. */
  #promised = 0;

  constructor({kv, scheduler}: ReplicaConfig, pool: BlockPool) {
    this.#pool = pool;
    this.#size = kv.blockSize;
    this.#prefixCache = kv.prefixCache;
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

  /** Names the full blocks that the request has computed or planned, and has the step write them below when it ends. */
  publish(step: Step, request: Request): void {
    if (!this.#prefixCache) return;
    const from = request.published;
    this.#pool.publish(request, Math.floor(request.computed / this.#size));
    if (this.below === null) return;
    const to = this.#toWrite(request, request.published);
    if (to > from) step.produced.push({request, from, to});
  }

  /** Gives back all that the request holds. */
  release(request: Request, now: SimTime): void {
    const blocks = Math.max(this.of(request.computed), request.reserved);
    const full = this.#prefixCache ? Math.floor(request.computed / this.#size) : 0;
    const published = request.published;
    this.#pool.release(request, blocks, full);
    request.reserved = 0;
    if (this.below === null || request.chain === null) return;
    const {hierarchy} = this.below;
    const to = this.#toWrite(request, full);
    if (to > published) hierarchy.produced(request.chain, published, to, now);
    hierarchy.touch(request.chain, full);
  }

  /** Of the blocks below `full`, those that are written below when they are computed. */
  #toWrite(request: Request, full: number): number {
    return this.below!.hierarchy.writesGenerated ? full : Math.min(full, Math.floor(request.input / this.#size));
  }
}
