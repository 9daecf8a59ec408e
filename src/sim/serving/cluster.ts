import type {CostModel} from '../../models/cost/cost.js';
import {none} from '../../policies/admission/none.js';
import type {AdmissionPolicy} from '../../policies/admission/policy.js';
import type {ParameterValues} from '../../policies/eviction/eviction.js';
import type {BlockFacts, EvictionFactory} from '../../policies/eviction/policy.js';
import type {Prefetch} from '../../policies/prefetch/policy.js';
import type {ClusterView, Router, RoutingPolicy} from '../../policies/routing/policy.js';
import {arrivalOrder} from '../../policies/scheduling/arrival-order.js';
import type {SchedulingFactory} from '../../policies/scheduling/policy.js';
import {Fluid} from '../core/fluid.js';
import type {Clock, SimTime} from '../core/time.js';
import {AccessLog} from '../memory/access-log.js';
import {BlockPool} from '../memory/block-pool.js';
import {Guesses} from '../memory/guesses.js';
import {type FetchConfig, Hierarchy, type HierarchyHooks} from '../memory/hierarchy.js';
import type {HierarchyConfig} from '../memory/hierarchy-config.js';
import {type RunFacts, runFacts} from '../memory/run-facts.js';
import {SharedNames} from '../memory/shared-names.js';
import type {ReplicaRecord, RunRecord} from '../metrics/record.js';
import type {Recorder} from '../metrics/recorder.js';
import type {RunRecorder} from '../metrics/run-recorder.js';
import {type Arrival, type LeastGap, NO_OWNER} from '../workload/workload.js';
import type {Below} from './below.js';
import type {ReplicaConfig} from './config.js';
import {replicaOf, stepTag} from './pipeline.js';
import type {Known} from './prefetcher.js';
import {recomputeSeconds} from './recompute.js';
import {type OnEnd, Replica} from './replica.js';
import type {Request} from './request.js';
import type {SessionBlocks} from './session-blocks.js';
import {Sharing} from './sharing.js';
import type {Step} from './step.js';

/** What every replica of a cluster is made of. */
export interface ClusterParts {
  readonly config: ReplicaConfig;
  readonly cost: CostModel;
  readonly eviction: EvictionFactory;
  /** Memories below HBM, or null. */
  readonly below: {readonly hierarchy: HierarchyConfig; readonly load: Below['load']; readonly leastTokens?: number} | null;
  readonly router: RoutingPolicy;
  /** Who runs next; default: the order of arrival. */
  readonly scheduling?: SchedulingFactory;
  /** Default: whoever fits is admitted. */
  readonly admission?: AdmissionPolicy;
  /** What is loaded from below before it is asked for; default, and null: nothing. */
  readonly prefetch?: {readonly policy: Prefetch; readonly params: ParameterValues} | null;
}

/** What the owner of a cluster hears. */
export interface ClusterHooks {
  readonly onEnd: OnEnd;
  /** `wake` is to be called for a replica at a time. */
  readonly onWake: (replica: number, at: SimTime) => void;
}

/** A replica with what it alone has: its HBM, the memories below and the flows between them, and its record. */
interface Member {
  readonly replica: Replica;
  readonly pool: BlockPool;
  readonly recorder: Recorder;
  /** Null: its flows are in the fluid that replicas share. */
  readonly fluid: Fluid | null;
  readonly hierarchy: Hierarchy | null;
}

/**
 * Equal replicas behind a router, each with memories of its own, and maybe some that all of them share.
 *
 * A replica is *touched* when a step or a flow of it ends or a request reaches or leaves it. Only then is it recorded and scheduled, so what others do leaves no trace in it.
 * Where memories are shared, all flows are in one fluid, and a replica with flows under way is also recorded whenever that changes; what is shared has a record of its own.
 */
export class Cluster {
  readonly #members: readonly Member[];
  readonly #clock: Clock = {now: 0};
  readonly #touched: boolean[];
  readonly #router: Router;
  readonly #seesPrompts: boolean;
  readonly #blockSize: number;
  readonly #keepsSessions: boolean;
  /** Tags of the flows that end now. */
  readonly #ended: number[] = [];
  /** Null: replicas share nothing. */
  readonly #sharing: Sharing | null;
  /** By replica, where they share: when it was recorded last, and whether its step, a flow, has just ended. */
  readonly #recordedAt: Float64Array;
  readonly #computed: boolean[];

  /** `classes` are those of the workload. */
  constructor(
    parts: ClusterParts & {readonly classes: readonly string[]},
    recorder: RunRecorder,
    sessions: SessionBlocks | null,
    {onEnd, onWake}: ClusterHooks,
  ) {
    const {config, cost, eviction, below, router, scheduling = arrivalOrder, admission = none.create(0), classes} = parts;
    const facts = () =>
      runFacts([eviction, ...(below?.hierarchy.tiers.map((tier) => tier.eviction) ?? [])], {
        clock: this.#clock,
        session: (block) => sessions?.owner(block) ?? NO_OWNER,
        recompute: recomputeSeconds(cost, config),
      });
    const common = recorder.shared === null ? null : facts();
    this.#sharing = common && this.#shared(common, below!.hierarchy, recorder.shared!, sessions!);
    const pools: BlockPool[] = [];
    const names = common && new SharedNames(pools, common.notes);
    this.#members = recorder.replicas.map((own, i) => {
      const known = common ?? facts();
      const watched = guessed(parts);
      const {blocks: capacity, publishes} = config.kv;
      const policy = watched.eviction({...known.facts, blocks: 1024, capacity});
      const pool = new BlockPool(capacity, policy, sessions, names ?? known.notes, publishes === 'end');
      pools.push(pool);
      const replica = new Replica(config, cost, pool, {scheduling, admission, classes}, own, this.#clock, onEnd);
      const fluid = this.#sharing === null ? new Fluid() : null;
      const about = {...watched, facts: known.facts, wakeAt: (at: SimTime) => onWake(i, at), number: i, sharing: this.#sharing};
      const hierarchy = below === null ? null : connected({replica, pool, recorder: own, fluid}, below, about, sessions!);
      return {replica, pool, recorder: own, fluid, hierarchy};
    });
    this.#touched = this.#members.map(() => false);
    this.#computed = this.#members.map(() => false);
    this.#recordedAt = new Float64Array(this.#members.length).fill(-1);
    this.#keepsSessions = router.keepsSessions;
    this.#seesPrompts = router.seesPrompts === true;
    this.#blockSize = config.kv.blockSize;
    this.#router = router.create(
      viewOf(
        this.#members.map(({replica}) => replica),
        this.#clock,
      ),
    );
  }

  /** From now on each replica writes down what its requests look up and make, up to `most` blocks; where they share memories, all of them in one log. */
  logAccesses(most: number): AccessLog[] {
    if (this.#sharing !== null) {
      const log = new AccessLog(most * this.#members.length);
      for (const {pool} of this.#members) pool.accesses = log;
      return [log];
    }
    return this.#members.map(({pool}) => {
      pool.accesses = new AccessLog(most);
      return pool.accesses;
    });
  }

  #shared({facts}: RunFacts, config: HierarchyConfig, recorder: Recorder, owners: SessionBlocks): Sharing {
    const onStir = (now: SimTime) => {
      for (let i = 0; i < this.#members.length; i++) if (this.#members[i].hierarchy!.size > 0) this.#record(i, now);
    };
    return new Sharing({config, owners, facts, recorder, clock: this.#clock, onStir});
  }

  /** When the next step or flow ends, or a flow begins to work; Infinity while all are idle. */
  get next(): SimTime {
    let next = this.#sharing?.fluid.next ?? Number.POSITIVE_INFINITY;
    for (const member of this.#members) next = Math.min(next, nextOf(member));
    return next;
  }

  /** Requests that wait, load or run anywhere. */
  get unfinished(): {waiting: number; loading: number; running: number} {
    const sum = (pick: (replica: Replica) => number) => this.#members.reduce((total, {replica}) => total + pick(replica), 0);
    return {
      waiting: sum(({queued}) => queued),
      loading: sum(({loading}) => loading),
      running: sum(({running}) => running.size),
    };
  }

  /** Steps and flows that end at `now`, replica by replica; of flows in a fluid that all share, transfers first. */
  complete(now: SimTime): void {
    this.#clock.now = now;
    if (this.#sharing !== null && this.#sharing.fluid.next === now) this.#endShared(this.#sharing, now);
    for (let i = 0; i < this.#members.length; i++) {
      const member = this.#members[i];
      if (nextOf(member) !== now && !this.#computed[i]) continue;
      const touched = this.#touched[i];
      this.#touch(i, now);
      this.#touched[i] = this.#completeOne(i, now) || touched;
    }
  }

  /** Ends transfers, and notes whose step has been computed. Nobody is touched by what goes from one shared memory to another. */
  #endShared({fluid, memories}: Sharing, now: SimTime): void {
    this.#ended.length = 0;
    fluid.advance(now, this.#ended);
    for (const tag of this.#ended) {
      const stepOf = replicaOf(tag);
      if (stepOf >= 0) {
        this.#computed[stepOf] = true;
        continue;
      }
      const sender = memories.senders[tag];
      if (sender.isOwn(tag))
        this.#touch(
          this.#members.findIndex(({hierarchy}) => hierarchy === sender),
          now,
        );
      sender.ended(tag, now);
    }
  }

  /** A request reaches the deployment. */
  submit(request: Request, now: SimTime): void {
    request.replica = this.#router.route(request.session, this.#seesPrompts ? this.#promptOf(request) : null);
    this.#touch(request.replica, now);
    this.#members[request.replica].replica.submit(request, now);
  }

  /** The request has waited as long as it may. */
  expire(request: Request, now: SimTime): void {
    this.#touch(request.replica, now);
    this.#members[request.replica].replica.expire(request, now);
  }

  /** The prefetcher of a replica asked to be called now. */
  wake(i: number, now: SimTime): void {
    this.#touch(i, now);
    this.#members[i].replica.prefetcher!.wake(now);
  }

  /** A request will arrive at `at`, caused by one that ended in replica `from`, or by nothing but time. Only where it is sure which replica it goes to is that one told. */
  foresee(arrival: Arrival, from: number | null, at: SimTime, now: SimTime): void {
    const i = from ?? 0;
    if (this.#members.length > 1 && (from === null || !this.#keepsSessions)) return;
    this.#touch(i, now);
    this.#members[i].replica.prefetcher!.foreseen(arrival, at);
  }

  /** Plans the steps of the replicas that were touched. Called once per time, after all that happens at it. */
  schedule(now: SimTime, audit: boolean): void {
    for (let i = 0; i < this.#members.length; i++) {
      if (!this.#touched[i]) continue;
      this.#touched[i] = false;
      const {replica, hierarchy} = this.#members[i];
      replica.schedule(now);
      replica.prefetcher?.act(now);
      hierarchy?.pump(now);
      if (!audit) continue;
      replica.audit();
      hierarchy?.audit();
    }
    if (this.#sharing !== null) this.#goOn(this.#sharing, now);
  }

  /** Who waited for a place in a shared memory may have it now. */
  #goOn(sharing: Sharing, now: SimTime): void {
    if (!sharing.stirred) return;
    for (const {hierarchy} of this.#members) if (hierarchy!.awaitsPlaces) hierarchy!.pump(now);
    sharing.stirred = false;
  }

  /**
   * Lets every replica run ahead through steps that only decode, until something outside may touch it: before `horizon`, the next event in the queue, and before what another replica ends can cause an arrival.
   *
   * `gap` is the least time from an end to the arrival that it causes.
   */
  fastForward(horizon: SimTime, gap: LeastGap): void {
    const members = this.#members;
    if (members.length === 1) {
      members[0].replica.fastForward(horizon);
      return;
    }
    const delay = this.#keepsSessions ? gap.toAnother : Math.min(gap.withinSession, gap.toAnother);
    let first = -1,
      least = this.#sharing?.fluid.next ?? Number.POSITIVE_INFINITY,
      second = Number.POSITIVE_INFINITY;
    for (let i = 0; i < members.length; i++) {
      const next = nextOf(members[i]);
      if (next < least) [first, second, least] = [i, least, next];
      else if (next < second) second = next;
    }
    for (let i = 0; i < members.length; i++) {
      const {replica} = members[i];
      const until = Math.min(horizon, (i === first ? second : least) + delay);
      if (replica.nextEnd < until) replica.fastForward(until);
    }
  }

  /** A range of ids goes back to its owner; it was the own one of a session. */
  forget(base: number, count: number, session: number): void {
    for (const {replica, pool, hierarchy} of this.#members) {
      replica.prefetcher?.forget(session);
      pool.forget(base, count);
      hierarchy?.forget(base, count);
    }
    this.#sharing?.memories.forget(base, count);
    this.#router.forget?.(base, count);
  }

  /** The whole blocks of a request's prompt, by their ids. */
  #promptOf({chain, input}: Request): Int32Array | null {
    if (chain === null) return null;
    const ids = new Int32Array(Math.min(chain.blocks, Math.floor(input / this.#blockSize)));
    for (let run = 0, first = 0; first < ids.length; first += chain.counts[run++]) {
      const end = Math.min(ids.length, first + chain.counts[run]);
      for (let i = first; i < end; i++) ids[i] = chain.bases[run] + i - first;
    }
    return ids;
  }

  /** The run ended at `now`: what each replica did, to its end. */
  take(now: SimTime, recorder: RunRecorder): RunRecord {
    return recorder.take(
      this.#members.map((member, i): ReplicaRecord => {
        this.#touch(i, now);
        return member.recorder.take({
          evictions: member.pool.evictions,
          duplicateBlocks: member.pool.duplicates,
          tiers: member.hierarchy?.counters ?? [],
          resources: member.hierarchy?.resources ?? [],
        });
      }),
      this.#sharing?.take(now) ?? null,
    );
  }

  /** Something is about to happen in a replica: what stood until `now` is written down. */
  #touch(i: number, now: SimTime): void {
    if (this.#touched[i]) return;
    this.#touched[i] = true;
    this.#record(i, now);
  }

  /** Where memories are shared, once at any time: before the first change. */
  #record(i: number, now: SimTime): void {
    const {replica, pool, recorder, hierarchy, fluid} = this.#members[i];
    if (this.#sharing !== null) {
      if (this.#recordedAt[i] === now) return;
      this.#recordedAt[i] = now;
    }
    const flows = hierarchy !== null && (fluid ?? hierarchy).size > 0 ? hierarchy.flowing() : undefined;
    recorder.advance(now, replica.running.size, replica.queued, pool.held, pool.cached, replica.loading, hierarchy?.used, flows);
  }

  /** Transfers first, in order of their start, then the step. Returns whether any of them ended: a flow that only begins to work changes nothing but speeds. */
  #completeOne(i: number, now: SimTime): boolean {
    const {replica, fluid, hierarchy} = this.#members[i];
    let stepEnded = replica.nextEnd === now;
    if (fluid !== null && fluid.next === now) {
      this.#ended.length = 0;
      fluid.advance(now, this.#ended);
      for (const tag of this.#ended) {
        if (replicaOf(tag) >= 0) this.#computed[i] = true;
        else hierarchy!.ended(tag, now);
      }
    }
    const computed = this.#computed[i];
    if (computed) stepEnded = replica.computed(now);
    this.#computed[i] = false;
    if (stepEnded) replica.complete(now);
    return computed || stepEnded || this.#ended.length > 0;
  }
}

function nextOf({replica, fluid}: Member): SimTime {
  return fluid === null ? replica.nextEnd : Math.min(replica.nextEnd, fluid.next);
}

/** Policies and memories of one replica, with a book of what prefetches bring. */
interface Guessed {
  readonly eviction: EvictionFactory;
  readonly config: HierarchyConfig | null;
  readonly prefetch: ClusterParts['prefetch'];
  /** The book, once its memory exists; null without prefetches. */
  readonly guesses: () => Guesses | null;
}

/** What a hierarchy is told of its surroundings. */
interface Surroundings {
  readonly facts: BlockFacts;
  readonly wakeAt: (at: SimTime) => void;
  /** Of the replica. */
  readonly number: number;
  readonly sharing: Sharing | null;
}

/** The memory that prefetches go to has a policy that keeps their books. */
function guessed({eviction, below, prefetch = null}: ClusterParts): Guessed {
  let guesses: Guesses | null = null;
  const plain = {eviction, config: below?.hierarchy ?? null, prefetch, guesses: () => guesses};
  if (below === null || prefetch === null) return plain;
  const {to, insert} = prefetch.policy.placing(prefetch.params);
  const watched =
    (create: EvictionFactory): EvictionFactory =>
    (context) => {
      guesses = new Guesses(create(context), context, insert === 'cold', below.hierarchy.tiers.length);
      return guesses;
    };
  if (to === 'hbm') return {...plain, eviction: watched(eviction)};
  const [near, ...rest] = below.hierarchy.tiers;
  return {...plain, config: {...below.hierarchy, tiers: [{...near, eviction: watched(near.eviction)}, ...rest]}};
}

function connected(
  {replica, pool, recorder: {trace}, fluid}: Omit<Member, 'hierarchy'>,
  {load, leastTokens = 0}: NonNullable<ClusterParts['below']>,
  {config, prefetch, guesses, facts, wakeAt, number, sharing}: Guessed & Surroundings,
  sessions: SessionBlocks,
): Hierarchy {
  const queue = prefetch?.policy.queue(prefetch.params) ?? null;
  const fetching: FetchConfig | null =
    prefetch == null
      ? null
      : {to: prefetch.policy.placing(prefetch.params).to, guesses, loadsBeyond: queue === null || queue.rest === 'load'};
  const hooks: HierarchyHooks = {
    beforeFlow: (now) => replica.enterFluid(now),
    onLoaded: (waiter, now) => replica.loaded(waiter as Request | Step, now),
    onFirstLayer: (_, now) => replica.retry(now),
    onStored: (now) => {
      replica.retry(now);
      replica.prefetcher?.stored();
    },
    onFetched: (fetch, now) => replica.prefetcher!.fetched(fetch, now),
    onTransfer: trace && ((transfer) => trace.transfers.push(transfer)),
  };
  const flowing = fluid ?? sharing!.fluid;
  const hierarchy = new Hierarchy(config!, flowing, pool, sessions, hooks, facts, fetching, sharing?.memories ?? null);
  const policy = prefetch?.policy.create<Known>(prefetch.params);
  const prefetching = policy === undefined ? null : {policy, queue, owner: (id: number) => sessions.owner(id), wakeAt};
  const [tag, flows] = fluid === null ? [stepTag(number), hierarchy] : [stepTag(0), fluid];
  replica.connect({hierarchy, fluid: flowing, tag, flows, load, leastTokens}, prefetching);
  return hierarchy;
}

function viewOf(replicas: readonly Replica[], clock: Clock): ClusterView {
  return {
    replicas: replicas.length,
    waiting: (replica) => replicas[replica].queued + replicas[replica].loading,
    running: (replica) => replicas[replica].running.size,
    now: () => clock.now,
  };
}
