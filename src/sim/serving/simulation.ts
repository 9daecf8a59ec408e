import {bounds, type CostModel} from '../../models/cost/cost.js';
import type {EvictionFactory} from '../../policies/eviction/policy.js';
import {InputError} from '../core/errors.js';
import {EventQueue, Phase} from '../core/event-queue.js';
import {Fluid} from '../core/fluid.js';
import {fromSeconds, type SimTime} from '../core/time.js';
import {BlockPool} from '../memory/block-pool.js';
import {Hierarchy, type HierarchyConfig} from '../memory/hierarchy.js';
import {type End, ends, type Reason, type RunRecord, reasons} from '../metrics/record.js';
import {Recorder} from '../metrics/recorder.js';
import type {Arrival, Workload} from '../workload/workload.js';
import type {Below} from './below.js';
import type {ReplicaConfig} from './config.js';
import {STEP} from './pipeline.js';
import {Replica} from './replica.js';
import {Request} from './request.js';
import {SessionBlocks} from './session-blocks.js';
import type {Step} from './step.js';

/** How a run is carried out; none of it changes the result. */
export interface SimulationOptions {
  /** Run ahead through steps that only decode. Default true; off, every step goes through the general path. */
  readonly fastForward?: boolean;
  /** Check the books after every step. */
  readonly audit?: boolean;
  /** Called every few thousand events; returning false ends the run. */
  readonly onProgress?: (ended: number, now: SimTime) => boolean;
}

/** A run that was ended from outside. */
export class Aborted extends Error {}

/**
 * Carries one workload through one replica until every request has ended.
 *
 * At one time, the step that ends comes first, then arrivals and time-outs, then scheduling, once.
 */
export function simulateReplica(parts: SimulationParts, options: SimulationOptions = {}): RunRecord {
  return new Simulation(parts, options).run();
}

/** What a run is made of; the workload is used up by it. */
export interface SimulationParts {
  readonly config: ReplicaConfig;
  readonly cost: CostModel;
  readonly workload: Workload;
  /** Who leaves HBM when room is needed. */
  readonly eviction: EvictionFactory;
  /** Memories below HBM, or null. They need a workload that shares blocks, and the prefix cache. */
  readonly below?: {readonly hierarchy: HierarchyConfig; readonly load: Below['load']} | null;
}

const Kind = {arrive: 0, expire: 1} as const;
const PROGRESS_EVERY = 4096;
const LIVELOCK = 1e6;

class Simulation {
  readonly #config: ReplicaConfig;
  readonly #workload: Workload;
  readonly #options: SimulationOptions;
  readonly #queue = new EventQueue();
  readonly #recorder: Recorder;
  readonly #replica: Replica;
  readonly #pool: BlockPool;
  readonly #sessions: SessionBlocks | null;
  readonly #fluid = new Fluid();
  readonly #hierarchy: Hierarchy | null = null;
  /** Tags of the flows that end now. */
  readonly #ended: number[] = [];
  readonly #handling: SimTime;
  readonly #timeout: SimTime | null;
  /** What an event's argument stands for; freed places are used again. */
  readonly #slots: (Arrival | Request)[] = [];
  readonly #freeSlots: number[] = [];
  /** Slot of the one independent arrival that is in the queue, or −1. */
  #independent = -1;
  #arrivals = 0;

  constructor({config, cost, workload, eviction, below = null}: SimulationParts, options: SimulationOptions) {
    this.#config = config;
    this.#workload = workload;
    this.#options = options;
    const caching = workload.shares && config.kv.prefixCache;
    this.#sessions = caching ? new SessionBlocks(workload, ({base, count}) => this.#forget(base, count)) : null;
    const tiers = caching && below !== null ? below.hierarchy.tiers.map(({name}) => name) : [];
    this.#recorder = new Recorder({bounds: bounds.length, terms: cost.terms.length, tiers, classes: workload.classes});
    this.#pool = new BlockPool(config.kv.blocks, eviction({blocks: 1024, capacity: config.kv.blocks}), this.#sessions);
    this.#replica = new Replica(config, cost, this.#pool, this.#recorder, (request, end, reason, now) =>
      this.#end(request, end, reason, now),
    );
    if (tiers.length > 0) this.#hierarchy = this.#connect(below!);
    this.#handling = fromSeconds(config.overhead.request);
    this.#timeout = config.scheduler.timeout === null ? null : fromSeconds(config.scheduler.timeout);
  }

  run(): RunRecord {
    const {fastForward = true, audit = false, onProgress} = this.#options;
    const queue = this.#queue;
    const replica = this.#replica;
    const fluid = this.#fluid;
    const hierarchy = this.#hierarchy;
    this.#pull();
    for (let turns = 1; ; turns++) {
      const now = Math.min(replica.nextEnd, queue.nextTime, fluid.next);
      if (now === Number.POSITIVE_INFINITY) break;
      if (now > LONGEST_RUN) throw tooLong();
      this.#record(now);
      this.#complete(now);
      for (let events = 0; queue.nextTime === now; events++) {
        if (events === LIVELOCK) throw livelock(now);
        queue.pop();
        this.#handle(queue.kind, queue.arg, now);
      }
      replica.schedule(now);
      hierarchy?.pump(now);
      if (audit) this.#audit();
      if (fastForward) replica.fastForward(queue.nextTime);
      if (turns % PROGRESS_EVERY === 0 && onProgress?.(this.#recorder.ended, now) === false)
        throw new Aborted('the run was ended from outside');
    }
    if (replica.waiting.size + replica.running.size + replica.loading > 0) {
      throw new Error(
        `no progress: ${replica.waiting.size} requests wait, ${replica.loading} load and ${replica.running.size} run, but no step can be planned`,
      );
    }
    if (this.#arrivals === 0)
      throw new InputError('no request arrived before the end of the run: make run.duration longer, or workload.arrivals.rate higher');
    return this.#recorder.take({
      evictions: this.#pool.evictions,
      duplicateBlocks: this.#pool.duplicates,
      tiers: hierarchy?.counters ?? [],
      resources: hierarchy?.resources ?? [],
    });
  }

  /** What stood until `now` is written down. */
  #record(now: SimTime): void {
    const {running, waiting, loading} = this.#replica;
    this.#recorder.advance(now, running.size, waiting.size, this.#pool.held, this.#pool.cached, loading, this.#hierarchy?.used);
  }

  /** Flows and the step that end now: transfers first, in order of their start. */
  #complete(now: SimTime): void {
    let stepEnded = this.#replica.nextEnd === now;
    let computed = false;
    if (this.#fluid.next === now) {
      this.#ended.length = 0;
      this.#fluid.advance(now, this.#ended);
      for (const tag of this.#ended) {
        if (tag === STEP) computed = true;
        else this.#hierarchy!.ended(tag, now);
      }
    }
    if (computed) stepEnded = this.#replica.computed(now);
    if (stepEnded) this.#replica.complete(now);
  }

  #connect({hierarchy: config, load}: NonNullable<SimulationParts['below']>): Hierarchy {
    const hierarchy = new Hierarchy(config, this.#fluid, this.#pool, this.#sessions!, {
      beforeFlow: (now) => this.#replica.enterFluid(now),
      onLoaded: (waiter, now) => this.#replica.loaded(waiter as Request | Step, now),
      onFirstLayer: (_, now) => this.#replica.retry(now),
      onStored: (now) => this.#replica.retry(now),
    });
    this.#replica.connect({hierarchy, fluid: this.#fluid, load});
    return hierarchy;
  }

  #forget(base: number, count: number): void {
    this.#pool.forget(base, count);
    this.#hierarchy?.forget(base, count);
  }

  #audit(): void {
    this.#replica.audit();
    this.#hierarchy?.audit();
  }

  #handle(kind: number, slot: number, now: SimTime): void {
    const what = this.#slots[slot];
    this.#freeSlots.push(slot);
    if (kind === Kind.expire) {
      this.#replica.expire(what as Request, now);
      return;
    }
    if (slot === this.#independent) this.#pull();
    this.#arrive(what as Arrival, now);
  }

  #arrive(arrival: Arrival, now: SimTime): void {
    this.#recorder.arrived(arrival.time);
    const room = this.#config.maxModelLen - arrival.input;
    const request = new Request(
      this.#arrivals++,
      arrival,
      Math.max(1, Math.min(arrival.output, room)),
      this.#sessions === null ? null : arrival.chain,
    );
    this.#replica.submit(request, now);
    if (this.#timeout !== null) this.#push(now + this.#timeout, Kind.expire, request);
  }

  /** Puts the next independent arrival into the queue. */
  #pull(): void {
    const arrival = this.#workload.next();
    this.#independent = arrival === null ? -1 : this.#push(arrival.time + this.#handling, Kind.arrive, arrival);
  }

  #end(request: Request, end: End, reason: Reason, now: SimTime): void {
    this.#recorder.end({
      id: request.id,
      session: request.session,
      turn: request.turn,
      class: request.arrival.class,
      arrival: request.arrivedAt,
      scheduled: request.scheduledAt,
      firstToken: request.firstTokenAt,
      finished: now,
      end: ends.indexOf(end),
      reason: reasons.indexOf(reason),
      input: request.input,
      output: end === 'finished' ? request.output : 0,
      hit: request.hitTokens,
      hitInfinite: request.seenTokens,
      computed: request.computedTokens,
      preemptions: request.preemptions,
      load: request.loadTime,
      longestGap: request.longestGap > Number.NEGATIVE_INFINITY ? request.longestGap : Number.NaN,
      below: request.below,
    });
    const next = this.#workload.follow(request.arrival, now, end === 'finished');
    if (next === null || next.session !== request.session) this.#closeSession(request);
    if (next !== null) this.#push(next.time + this.#handling, Kind.arrive, next);
  }

  #closeSession(request: Request): void {
    if (this.#sessions !== null && request.arrival.chain !== null) this.#sessions.ended(request.session);
  }

  #push(time: SimTime, kind: number, what: Arrival | Request): number {
    const slot = this.#freeSlots.pop() ?? this.#slots.length;
    this.#slots[slot] = what;
    this.#queue.push(time, Phase.arrive, kind, slot);
    return slot;
  }
}

/** Beyond, nanoseconds are no longer exact. */
const LONGEST_RUN = Number.MAX_SAFE_INTEGER;

function tooLong(): InputError {
  return new InputError(
    'the run takes more than 104 days of simulated time, beyond which nanoseconds are not exact: raise workload.arrivals.rate, end it by run.duration or run.requests, or look for a device or a step that is far too slow',
  );
}

function livelock(now: SimTime): InputError {
  return new InputError(
    `livelock at ${now * 1e-9} s: ${LIVELOCK} requests came at this one moment, each turned away and replaced at once; raise scheduler.queue_limit above workload.arrivals.sessions, or let sessions think`,
  );
}
