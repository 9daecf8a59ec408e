import type {Job} from '../../policies/scheduling/policy.js';
import type {Holding} from '../memory/block-pool.js';
import type {Waiter} from '../memory/hierarchy.js';
import type {TokenHolder} from '../metrics/token-clock.js';
import type {Chain} from '../workload/chain.js';
import type {Arrival} from '../workload/workload.js';

/** Where a request stands in its replica. */
export const State = {waiting: 0, loading: 1, prefill: 2, decode: 3, draining: 4, ended: 5} as const;
export type State = (typeof State)[keyof typeof State];

/**
 * One request in a replica, and a link of the list of running requests.
 *
 * While it decodes, its counts stand still and are derived from `tick`: a step costs nothing per decoding request.
 */
export class Request implements Holding, Waiter, TokenHolder, Job<Request> {
  readonly arrival: Arrival;
  readonly id: number;
  readonly session: number;
  readonly turn: number;
  readonly class: number;
  readonly arrivedAt: number;
  readonly input: number;
  /** Tokens to generate. */
  readonly output: number;
  chain: Chain | null;
  published = 0;
  duplicates: number[] | null = null;

  /** Where the router sent it. */
  replica = 0;
  state: State = State.waiting;
  /** Rises at each preemption: steps in flight that were planned before no longer count. */
  epoch = 0;
  /** Tokens that must be computed before the next one is emitted: the prompt, and after a preemption what was emitted. */
  target: number;
  /** Tokens whose KV is computed or planned; as of `tick` while it decodes. */
  computed = 0;
  /** Tokens emitted or planned to be; as of `tick` while it decodes. */
  planned = 0;
  /** Tokens emitted by steps that completed, before the present stay in the batch. */
  kept = 0;
  /** The decode tick at which it joined the decode set, and the one that is its last. */
  tick = 0;
  lastTick = 0;
  /** Order of admission: the place in the list of running requests. */
  order = 0;
  older: Request | null = null;
  younger: Request | null = null;

  rank = 0;
  place = 0;
  level = 0;
  levelFrom = 0;
  admittedWith = 0;
  waitsSince = 0;

  /** Blocks it holds at least: a request that waits for a load holds its whole prompt. */
  reserved = 0;
  loads = 0;
  heads = 0;
  /** When its load began, and ns that its loads took, all together. */
  loadingSince = 0;
  loadTime = 0;
  /** Prompt tokens loaded at the first lookup, by tier. */
  below: Int32Array | null = null;

  lastTokenAt = Number.NaN;
  longestGap = Number.NEGATIVE_INFINITY;

  scheduledAt = Number.NaN;
  firstTokenAt = Number.NaN;
  hitTokens = 0;
  seenTokens = 0;
  computedTokens = 0;
  preemptions = 0;
  /** The last failed lookup: what it found, and how many blocks had become resident by then. */
  lookedUpHits = 0;
  lookedUpAt = -1;

  constructor(id: number, arrival: Arrival, output: number, chain: Chain | null) {
    this.id = id;
    this.arrival = arrival;
    this.session = arrival.session;
    this.turn = arrival.turn;
    this.class = arrival.class;
    this.arrivedAt = arrival.time;
    this.input = arrival.input;
    this.output = output;
    this.chain = chain;
    this.target = arrival.input;
  }
}
