import type {CostModel} from '../../models/cost/cost.js';
import {none} from '../../policies/admission/none.js';
import type {AdmissionPolicy} from '../../policies/admission/policy.js';
import type {EvictionFactory} from '../../policies/eviction/policy.js';
import type {ClusterView, Router, RoutingPolicy} from '../../policies/routing/policy.js';
import {arrivalOrder} from '../../policies/scheduling/arrival-order.js';
import type {SchedulingFactory} from '../../policies/scheduling/policy.js';
import {Fluid} from '../core/fluid.js';
import type {Clock, SimTime} from '../core/time.js';
import {BlockPool} from '../memory/block-pool.js';
import {Hierarchy, type HierarchyConfig, type HierarchyHooks} from '../memory/hierarchy.js';
import {type RunFacts, runFacts} from '../memory/run-facts.js';
import type {ReplicaRecord, RunRecord} from '../metrics/record.js';
import type {Recorder} from '../metrics/recorder.js';
import type {RunRecorder} from '../metrics/run-recorder.js';
import {type LeastGap, NO_OWNER} from '../workload/workload.js';
import type {Below} from './below.js';
import type {ReplicaConfig} from './config.js';
import {STEP} from './pipeline.js';
import {recomputeSeconds} from './recompute.js';
import {type OnEnd, Replica} from './replica.js';
import type {Request} from './request.js';
import type {SessionBlocks} from './session-blocks.js';
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
}

/** A replica with what it alone has: its HBM, the memories below and the flows between them, and its record. */
interface Member {
  readonly replica: Replica;
  readonly pool: BlockPool;
  readonly recorder: Recorder;
  readonly fluid: Fluid;
  readonly hierarchy: Hierarchy | null;
}

/**
 * Equal replicas behind a router, each with memories of its own.
 *
 * A replica is *touched* when a step or a flow of it ends or a request reaches or leaves it. Only then is it recorded and scheduled, so what others do leaves no trace in it.
 */
export class Cluster {
  readonly #members: readonly Member[];
  readonly #clock: Clock = {now: 0};
  readonly #touched: boolean[];
  readonly #router: Router;
  readonly #keepsSessions: boolean;
  /** Tags of the flows that end now. */
  readonly #ended: number[] = [];

  /** `classes` are those of the workload. */
  constructor(
    parts: ClusterParts & {readonly classes: readonly string[]},
    recorder: RunRecorder,
    sessions: SessionBlocks | null,
    onEnd: OnEnd,
  ) {
    const {config, cost, eviction, below, router, scheduling = arrivalOrder, admission = none.create(0), classes} = parts;
    this.#members = recorder.replicas.map((own) => {
      const known = runFacts([eviction, ...(below?.hierarchy.tiers.map((tier) => tier.eviction) ?? [])], {
        clock: this.#clock,
        session: (block) => sessions?.owner(block) ?? NO_OWNER,
        recompute: recomputeSeconds(cost, config),
      });
      const {blocks: capacity, publishes} = config.kv;
      const pool = new BlockPool(capacity, eviction({...known.facts, blocks: 1024, capacity}), sessions, known.notes, publishes === 'end');
      const replica = new Replica(config, cost, pool, {scheduling, admission, classes}, own, this.#clock, onEnd);
      const fluid = new Fluid();
      const hierarchy = below === null ? null : connected(replica, pool, own, fluid, below, sessions!, known);
      return {replica, pool, recorder: own, fluid, hierarchy};
    });
    this.#touched = this.#members.map(() => false);
    this.#keepsSessions = router.keepsSessions;
    this.#router = router.create(viewOf(this.#members.map(({replica}) => replica)));
  }

  /** When the next step or flow ends, or a flow begins to work; Infinity while all are idle. */
  get next(): SimTime {
    let next = Number.POSITIVE_INFINITY;
    for (const member of this.#members) next = Math.min(next, nextOf(member));
    return next;
  }

  /** Requests that wait, load or run anywhere. */
  get unfinished(): {waiting: number; loading: number; running: number} {
    const sum = (pick: (replica: Replica) => number) => this.#members.reduce((total, {replica}) => total + pick(replica), 0);
    return {
      waiting: sum(({waiting}) => waiting.size),
      loading: sum(({loading}) => loading),
      running: sum(({running}) => running.size),
    };
  }

  /** Steps and flows that end at `now`, replica by replica. */
  complete(now: SimTime): void {
    this.#clock.now = now;
    for (let i = 0; i < this.#members.length; i++) {
      const member = this.#members[i];
      if (nextOf(member) !== now) continue;
      this.#touch(i, now);
      this.#completeOne(member, now);
    }
  }

  /** A request reaches the deployment. */
  submit(request: Request, now: SimTime): void {
    request.replica = this.#router.route(request.session);
    this.#touch(request.replica, now);
    this.#members[request.replica].replica.submit(request, now);
  }

  /** The request has waited as long as it may. */
  expire(request: Request, now: SimTime): void {
    this.#touch(request.replica, now);
    this.#members[request.replica].replica.expire(request, now);
  }

  /** Plans the steps of the replicas that were touched. Called once per time, after all that happens at it. */
  schedule(now: SimTime, audit: boolean): void {
    for (let i = 0; i < this.#members.length; i++) {
      if (!this.#touched[i]) continue;
      this.#touched[i] = false;
      const {replica, hierarchy} = this.#members[i];
      replica.schedule(now);
      hierarchy?.pump(now);
      if (!audit) continue;
      replica.audit();
      hierarchy?.audit();
    }
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
      least = Number.POSITIVE_INFINITY,
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

  /** A range of ids goes back to its owner. */
  forget(base: number, count: number): void {
    for (const {pool, hierarchy} of this.#members) {
      pool.forget(base, count);
      hierarchy?.forget(base, count);
    }
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
    );
  }

  /** Something is about to happen in a replica: what stood until `now` is written down. */
  #touch(i: number, now: SimTime): void {
    if (this.#touched[i]) return;
    this.#touched[i] = true;
    const {replica, pool, recorder, hierarchy, fluid} = this.#members[i];
    const flows = hierarchy !== null && fluid.size > 0 ? hierarchy.flowing() : undefined;
    recorder.advance(now, replica.running.size, replica.waiting.size, pool.held, pool.cached, replica.loading, hierarchy?.used, flows);
  }

  /** Transfers first, in order of their start, then the step. */
  #completeOne({replica, fluid, hierarchy}: Member, now: SimTime): void {
    let stepEnded = replica.nextEnd === now;
    let computed = false;
    if (fluid.next === now) {
      this.#ended.length = 0;
      fluid.advance(now, this.#ended);
      for (const tag of this.#ended) {
        if (tag === STEP) computed = true;
        else hierarchy!.ended(tag, now);
      }
    }
    if (computed) stepEnded = replica.computed(now);
    if (stepEnded) replica.complete(now);
  }
}

function nextOf({replica, fluid}: Member): SimTime {
  return Math.min(replica.nextEnd, fluid.next);
}

function connected(
  replica: Replica,
  pool: BlockPool,
  {trace}: Recorder,
  fluid: Fluid,
  {hierarchy: config, load, leastTokens = 0}: NonNullable<ClusterParts['below']>,
  sessions: SessionBlocks,
  {facts}: RunFacts,
): Hierarchy {
  const hooks: HierarchyHooks = {
    beforeFlow: (now) => replica.enterFluid(now),
    onLoaded: (waiter, now) => replica.loaded(waiter as Request | Step, now),
    onFirstLayer: (_, now) => replica.retry(now),
    onStored: (now) => replica.retry(now),
    onTransfer: trace && ((transfer) => trace.transfers.push(transfer)),
  };
  const hierarchy = new Hierarchy(config, fluid, pool, sessions, hooks, facts);
  replica.connect({hierarchy, fluid, load, leastTokens});
  return hierarchy;
}

function viewOf(replicas: readonly Replica[]): ClusterView {
  return {
    replicas: replicas.length,
    waiting: (replica) => replicas[replica].waiting.size + replicas[replica].loading,
    running: (replica) => replicas[replica].running.size,
  };
}
