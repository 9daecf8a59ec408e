import type {SchedulerView} from '../../policies/scheduling/policy.js';
import type {BlockPool} from '../memory/block-pool.js';
import type {ReplicaConfig} from './config.js';
import type {DecodeSet} from './decode-set.js';
import type {Pipeline} from './pipeline.js';
import {type Request, State} from './request.js';

/** What a scheduling policy sees of one replica. */
export class ReplicaView implements SchedulerView<Request> {
  readonly lostTokens: number;
  readonly #kv: ReplicaConfig['kv'];
  readonly #pool: BlockPool;
  readonly #decodes: DecodeSet;
  readonly #pipeline: Pipeline;

  constructor({kv, inFlight}: ReplicaConfig, pool: BlockPool, decodes: DecodeSet, pipeline: Pipeline) {
    this.lostTokens = inFlight - 1;
    this.#kv = kv;
    this.#pool = pool;
    this.#decodes = decodes;
    this.#pipeline = pipeline;
  }

  get cacheVersion(): number {
    return this.#pool.additions + this.#pool.evictions + this.#pool.takeovers;
  }

  generated(request: Request): number {
    return request.state === State.decode ? request.planned + this.#decodes.tick - request.tick : request.planned;
  }

  cached(request: Request): number {
    if (request.chain === null || !this.#kv.prefixCache) return 0;
    this.#pool.lookup(request.chain, Math.floor((request.target - 1) / this.#kv.blockSize));
    return this.#pool.found.hits * this.#kv.blockSize;
  }

  prefillSteps(tokens: number): number {
    return this.#pipeline.chunkSeconds(0, tokens) / this.#pipeline.decodeSeconds();
  }
}
