import {bounds} from '../../models/cost/cost.js';
import {InputError} from '../core/errors.js';
import {EventQueue, Phase} from '../core/event-queue.js';
import {fromSeconds, type SimTime} from '../core/time.js';
import type {AccessLog} from '../memory/access-log.js';
import {type End, ends, type Reason, type RunRecord, reasons} from '../metrics/record.js';
import {RunRecorder} from '../metrics/run-recorder.js';
import {ReplicaTrace} from '../metrics/run-trace.js';
import type {Arrival, LeastGap, Workload} from '../workload/workload.js';
import {Cluster, type ClusterParts} from './cluster.js';
import {ProgressWatch} from './progress.js';
import {Request} from './request.js';
import {SessionBlocks} from './session-blocks.js';

/** How a run is carried out; none of it changes the result. */
export interface SimulationOptions {
  /** Run ahead through steps that only decode. Default true; off, every step goes through the general path. */
  readonly fastForward?: boolean;
  /** Check the books after every step. */
  readonly audit?: boolean;
  /** Is filled with every step and transfer of each replica. */
  readonly trace?: ReplicaTrace[];
  /** `logs` is filled with what the requests of each replica look up and make, `most` blocks of each, where blocks are shared. */
  readonly accesses?: {readonly most: number; readonly logs: AccessLog[]};
  /** Called every few thousand events; returning false ends the run. */
  readonly onProgress?: (ended: number, now: SimTime) => boolean;
}

/** A run that was ended from outside. */
export class Aborted extends Error {}

/**
 * Carries one workload through equal replicas until every request has ended.
 *
 * At one time, the steps that end come first, then arrivals and time-outs, then scheduling, once.
 */
export function simulateCluster(parts: SimulationParts, options: SimulationOptions = {}): RunRecord {
  return new Simulation(parts, options).run();
}

/** What a run is made of; the workload is used up by it. Memories below HBM need a workload that shares blocks, and the prefix cache. */
export interface SimulationParts extends ClusterParts {
  readonly workload: Workload;
  readonly replicas: number;
}

const Kind = {arrive: 0, expire: 1, wake: 2} as const;
const PROGRESS_EVERY = 4096;
const LIVELOCK = 1e6;

class Simulation {
  readonly #workload: Workload;
  readonly #options: SimulationOptions;
  readonly #queue = new EventQueue();
  readonly #recorder: RunRecorder;
  readonly #cluster: Cluster;
  readonly #sessions: SessionBlocks | null;
  readonly #maxModelLen: number;
  readonly #handling: SimTime;
  readonly #timeout: SimTime | null;
  /** Least time from the end of a request to the arrival in the queue that it causes. */
  readonly #gap: LeastGap;
  /** What an event's argument stands for; freed places are used again. */
  readonly #slots: (Arrival | Request)[] = [];
  readonly #freeSlots: number[] = [];
  /** Slot of the one independent arrival that is in the queue, or −1. */
  #independent = -1;
  #arrivals = 0;
  #now: SimTime = 0;
  /** Events in the queue that wake a replica's prefetcher. */
  #wakes = 0;
  /** Whether arrivals are told before they come. */
  readonly #foresees: boolean;

  constructor({replicas, workload, ...parts}: SimulationParts, options: SimulationOptions) {
    const {config, cost} = parts;
    this.#workload = workload;
    this.#options = options;
    const caching = workload.shares && config.kv.prefixCache;
    this.#sessions = caching ? new SessionBlocks(workload, ({base, count}, session) => this.#cluster.forget(base, count, session)) : null;
    const tiers = (caching && parts.below?.hierarchy.tiers.map(({name}) => name)) || [];
    const below = tiers.length > 0 ? parts.below : null;
    this.#recorder = new RunRecorder(replicas, {
      bounds: bounds.length,
      terms: cost.terms.length,
      tiers,
      resources: below === null ? 0 : Object.keys(below.hierarchy.resources).length - 1,
      classes: workload.classes,
      shares: replicas > 1 && below !== null && below.hierarchy.shared !== null,
    });
    for (const recorder of options.trace === undefined ? [] : this.#recorder.replicas) {
      recorder.trace = new ReplicaTrace();
      options.trace!.push(recorder.trace);
    }
    this.#cluster = new Cluster({...parts, below, classes: workload.classes}, this.#recorder, this.#sessions, {
      onEnd: (request, end, reason, now) => this.#end(request, end, reason, now),
      onWake: (replica, at) => {
        this.#wakes++;
        this.#queue.push(at, Phase.arrive, Kind.wake, replica);
      },
    });
    if (caching && options.accesses !== undefined) options.accesses.logs.push(...this.#cluster.logAccesses(options.accesses.most));
    this.#foresees = below !== null && parts.prefetch?.policy.needs === 'arrivals';
    this.#maxModelLen = config.maxModelLen;
    this.#handling = fromSeconds(config.overhead.request);
    this.#timeout = config.scheduler.timeout === null ? null : fromSeconds(config.scheduler.timeout);
    const {withinSession, toAnother} = workload.leastGap;
    this.#gap = {withinSession: withinSession + this.#handling, toAnother: toAnother + this.#handling};
  }

  run(): RunRecord {
    const {fastForward = true, audit = false, onProgress} = this.#options;
    const queue = this.#queue;
    const cluster = this.#cluster;
    const watch = new ProgressWatch();
    let now = 0;
    this.#pull();
    for (let turns = 1; ; turns++) {
      const next = Math.min(cluster.next, queue.nextTime);
      if (next === Number.POSITIVE_INFINITY || this.#onlyWakes) break;
      now = this.#now = next;
      if (now > LONGEST_RUN) throw tooLong();
      cluster.complete(now);
      for (let events = 0; queue.nextTime === now; events++) {
        if (events === LIVELOCK) throw livelock(now);
        queue.pop();
        this.#handle(queue.kind, queue.arg, now);
      }
      cluster.schedule(now, audit);
      if (fastForward) cluster.fastForward(queue.nextTime, this.#gap);
      if (turns % PROGRESS_EVERY > 0) continue;
      watch.check(this.#recorder, now);
      if (onProgress?.(this.#recorder.ended, now) === false) throw new Aborted('the run was ended from outside');
    }
    this.#refuseUnfinished();
    return cluster.take(now, this.#recorder);
  }

  /** Whether nothing will happen any more but wakes for requests that nobody will send. */
  get #onlyWakes(): boolean {
    if (this.#wakes === 0 || this.#wakes < this.#queue.size || this.#cluster.next !== Number.POSITIVE_INFINITY) return false;
    const {waiting, loading, running} = this.#cluster.unfinished;
    return waiting + loading + running === 0;
  }

  #refuseUnfinished(): void {
    const {waiting, loading, running} = this.#cluster.unfinished;
    if (waiting + loading + running > 0)
      throw new Error(`no progress: ${waiting} requests wait, ${loading} load and ${running} run, but no step can be planned`);
    if (this.#arrivals === 0)
      throw new InputError('no request arrived before the end of the run: make run.duration longer, or workload.arrivals.rate higher');
  }

  #handle(kind: number, slot: number, now: SimTime): void {
    if (kind === Kind.wake) {
      this.#wakes--;
      this.#cluster.wake(slot, now);
      return;
    }
    const what = this.#slots[slot];
    this.#freeSlots.push(slot);
    if (kind === Kind.expire) {
      this.#cluster.expire(what as Request, now);
      return;
    }
    if (slot === this.#independent) this.#pull();
    this.#arrive(what as Arrival, now);
  }

  #arrive(arrival: Arrival, now: SimTime): void {
    this.#recorder.arrived(arrival.time);
    const room = this.#maxModelLen - arrival.input;
    const request = new Request(
      this.#arrivals++,
      arrival,
      Math.max(1, Math.min(arrival.output, room)),
      this.#sessions === null ? null : arrival.chain,
    );
    this.#cluster.submit(request, now);
    if (this.#timeout !== null) this.#push(now + this.#timeout, Kind.expire, request);
  }

  /** Puts the next independent arrival into the queue. */
  #pull(): void {
    const arrival = this.#workload.next();
    this.#independent = arrival === null ? -1 : this.#push(arrival.time + this.#handling, Kind.arrive, arrival);
    if (arrival !== null && this.#foresees) this.#cluster.foresee(arrival, null, arrival.time + this.#handling, this.#now);
  }

  #end(request: Request, end: End, reason: Reason, now: SimTime): void {
    this.#recorder.end({
      id: request.id,
      session: request.session,
      turn: request.turn,
      class: request.arrival.class,
      replica: request.replica,
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
    const {barrier} = this.#workload;
    const next = this.#workload.follow(request.arrival, now, end === 'finished');
    const goesOn = barrier?.goesOn(request.session) ?? next?.session === request.session;
    if (!goesOn) this.#closeSession(request);
    if (next !== null) {
      this.#push(next.time + this.#handling, Kind.arrive, next);
      if (this.#foresees) this.#cluster.foresee(next, goesOn ? request.replica : null, next.time + this.#handling, this.#now);
    }
    if (barrier !== undefined && this.#independent === -1) this.#pull();
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
