import {InfeasibleError, InputError} from '../core/errors.js';
import {version} from '../core/version.js';
import {disk} from '../scenario/load.js';
import {planMemory} from '../scenario/plan.js';
import type {MemoryPlan, Scenario} from '../scenario/scenario.js';
import {simulate} from '../scenario/simulate.js';
import {summarise} from '../scenario/summarise.js';
import {eventsOf} from './events.js';
import {type Figures, figuresOf} from './figures.js';
import {loadPoint, type PointSource} from './load.js';

/** What a worker is asked: to load and plan a point, to simulate it, or to simulate a few requests of it. */
export interface Task {
  readonly kind: 'prepare' | 'simulate' | 'probe';
  readonly point: PointSource;
  /** Figures that are wanted of each replication too. */
  readonly paths: readonly string[];
}

/** What came of a task. Plain data, errors too, so that it crosses to and from a worker whole. */
export type Outcome =
  | {
      readonly kind: 'ready';
      /** Address of the result: SHA-256 over the resolved scenario with its seed and inputs, the version, and the figures wanted of replications. */
      readonly key: string;
      readonly priced: boolean;
      /** Devices of the deployment's replica, by count and name, for tables. */
      readonly devices: string;
    }
  | {readonly kind: 'infeasible'; readonly reason: string; readonly nearest: readonly string[]}
  | {readonly kind: 'refused'; readonly faults: readonly string[]}
  | {
      readonly kind: 'done';
      readonly figures: Figures;
      /** A hash over what happened in the runs: equal hashes, equal runs. */
      readonly events: string;
      /** The figures that were wanted of each replication, by path. */
      readonly replications: Readonly<Record<string, readonly (number | null)[]>>;
    }
  | {readonly kind: 'failed'; readonly reason: string};

const probedRequests = 4;

/** Does a task. What is wrong with a point is an outcome; only a fault of ours is thrown. */
export async function work({kind, point, paths}: Task): Promise<Outcome> {
  let scenario: Scenario;
  try {
    scenario = await loadPoint(point);
  } catch (error) {
    if (error instanceof InputError) return {kind: 'refused', faults: error.faults};
    throw error;
  }
  try {
    const plan = planMemory(scenario);
    if (kind === 'prepare') return ready(scenario, paths);
    return simulated(kind === 'probe' ? shortened(scenario) : scenario, plan, paths);
  } catch (error) {
    if (error instanceof InfeasibleError) return {kind: 'infeasible', reason: error.message, nearest: error.nearest};
    // Loaded well, but these values do not go together: heads that cannot be split over so many devices.
    if (error instanceof InputError) return {kind: 'infeasible', reason: error.faults.join('; '), nearest: []};
    throw error;
  }
}

function ready(scenario: Scenario, paths: readonly string[]): Outcome {
  return {
    kind: 'ready',
    key: disk.sha256(JSON.stringify([version, scenario.sha256, ...paths])),
    priced: scenario.cost.device !== null,
    devices: `${scenario.count * scenario.cluster.replicas} × ${scenario.device.id}`,
  };
}

/** The figures that `tiercast run` prints, but for the interval of the cost model's error, which a sweep does not run. */
function simulated(scenario: Scenario, plan: MemoryPlan, paths: readonly string[]): Outcome {
  const records = Array.from({length: scenario.run.replications}, (_, replication) => simulate(scenario, plan, {replication}));
  const each = paths.length === 0 ? [] : records.map((record) => figuresOf(summarise(scenario, plan, [record])));
  return {
    kind: 'done',
    figures: figuresOf(summarise(scenario, plan, records)),
    events: eventsOf(records),
    replications: Object.fromEntries(paths.map((path) => [path, each.map((figures) => figures[path] ?? null)])),
  };
}

/** So few requests that it takes no time: enough to see which figures a result has. */
function shortened(scenario: Scenario): Scenario {
  const run = {
    ...scenario.run,
    requests: probedRequests,
    sessions: null,
    duration: null,
    warmup: {kind: 'requests', value: 0},
    replications: 1,
  } as const;
  return {...scenario, run};
}
