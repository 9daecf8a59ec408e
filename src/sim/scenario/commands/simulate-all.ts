import type {LoggedAccesses} from '../../memory/access-log.js';
import type {RunRecord} from '../../metrics/record.js';
import {costOf} from '../build.js';
import {expectedRequests} from '../expected-requests.js';
import {total} from '../figures.js';
import {withoutPrefetches} from '../prefetch-worth.js';
import type {Scenario} from '../scenario.js';
import type {SummariseExtras} from '../summarise.js';
import {costScales, provenance} from '../trust.js';
import {asWritten, type RunOutcome, type Variation} from '../variation.js';
import type {ProgressLine} from './progress.js';
import {type LoadedScenario, RunPool} from './run-pool.js';

/** Above it, the extra runs for the 80 % interval and without each tier cost more time than they are worth unasked. */
const MOST_FOR_PREDICTION = 20_000;

/** Block accesses of all replications that are kept for the bound by Belady: 4 B each, and as many again while it is worked out. */
const MOST_FOR_BELADY = 2 ** 25;

/** Everything that a result is made of. */
export interface Simulated extends Required<Pick<SummariseExtras, 'accesses' | 'prediction' | 'bounds' | 'without' | 'unfetched'>> {
  readonly records: readonly RunRecord[];
}

/** All replications; where it is cheap, each again with the cost at both ends of its 80 % interval and without each memory below HBM; and the bounds that `run.bounds: full` asks for. In `jobs` threads at the most. */
export async function simulateAll(loaded: LoadedScenario, jobs: number, line: ProgressLine): Promise<Simulated> {
  const {scenario} = loaded;
  const {replications, bounds} = scenario.run;
  const requests = expectedRequests(scenario);
  const few = requests !== null && requests <= MOST_FOR_PREDICTION;
  const without = withoutParts(scenario);
  const kinds = 1 + (few ? 2 + without.length : 0) + (bounds === 'full' ? 2 : 0);
  const pool = new RunPool([loaded], {
    jobs,
    expected: replications * kinds,
    total: () => requests,
    progress: (begun, _run, done, now) => line.draw(begun, replications * kinds, {done, total: requests, now}),
  });
  try {
    return await inRounds(loaded, pool, {few, without});
  } finally {
    line.clear();
    await pool.close();
  }
}

/** First what needs nothing from another run, then what does. */
async function inRounds(
  {scenario}: LoadedScenario,
  pool: RunPool,
  {few, without}: {few: boolean; without: readonly Variation[]},
): Promise<Simulated> {
  const {bounds} = scenario.run;
  const noCache: Variation[] = bounds === 'full' ? [{kind: 'without-prefix-cache'}] : [];
  const first = await outcomesOf(pool, scenario, [asWritten, ...noCache, ...(few ? without : [])]);
  const outcomes = first.get(asWritten)!;
  const records = outcomes.map(({record}) => record);
  const again = records.every((record) => record.requests.rows <= MOST_FOR_PREDICTION);
  const endless: Variation[] = bounds === 'full' ? [{kind: 'more-blocks', blocks: blocksEver(scenario, records)}] : [];
  const [low, high] = again ? costEnds(scenario, records) : [asWritten, asWritten];
  const late = [...endless, low, high, ...(again && !few ? without : [])].filter((variation) => variation !== asWritten);
  const all = new Map([...first, ...(await outcomesOf(pool, scenario, late))]);
  const recordsOf = (variation: Variation) => all.get(variation)!.map(({record}) => record);
  const tiers = without.filter((variation) => variation.kind === 'without-tier');
  const unfetched = without.find(({kind}) => kind === 'without-prefetches');
  return {
    records,
    accesses: bounds === 'off' ? null : taken(outcomes),
    prediction: again ? {low: recordsOf(low), high: recordsOf(high)} : null,
    bounds: bounds === 'full' ? {none: recordsOf(noCache[0]), infinite: recordsOf(endless[0])} : null,
    without: again && tiers.length > 0 ? tiers.map((one) => ({tier: one.tier, records: recordsOf(one)})) : null,
    unfetched: again && unfetched !== undefined ? recordsOf(unfetched) : null,
  };
}

/** All replications of each variation. */
async function outcomesOf(
  pool: RunPool,
  {run, cluster}: Scenario,
  variations: readonly Variation[],
): Promise<Map<Variation, readonly RunOutcome[]>> {
  const most = Math.floor(MOST_FOR_BELADY / run.replications / cluster.replicas);
  const runs = variations.flatMap((variation) =>
    Array.from({length: run.replications}, (_, replication) => ({
      scenario: 0,
      variation,
      replication,
      accesses: variation === asWritten && run.bounds !== 'off' ? most : null,
    })),
  );
  const outcomes = await pool.all(runs);
  return new Map(variations.map((variation, i) => [variation, outcomes.slice(i * run.replications, (i + 1) * run.replications)]));
}

/** The scenario without each part that a result says the worth of. */
function withoutParts(scenario: Scenario): Variation[] {
  const tiers = scenario.kv.tiers.map(({name}) => ({kind: 'without-tier', tier: name}) as const);
  return withoutPrefetches(scenario) === null ? tiers : [...tiers, {kind: 'without-prefetches'}];
}

/** What was looked up, by replication and replica; null where one of them was more than may be kept. */
function taken(outcomes: readonly RunOutcome[]): LoggedAccesses[][] | null {
  const all = outcomes.map(({accesses}) => accesses);
  return all.every((replicas) => replicas.every((one) => one !== null)) ? (all as LoggedAccesses[][]) : null;
}

/** The cost at both ends of the 80 % interval of a step. */
function costEnds(scenario: Scenario, records: readonly RunRecord[]): readonly [Variation, Variation] {
  const seconds = total(records, (record) => record.counters.termSeconds);
  const {low, high} = costScales(provenance(costOf(scenario).terms, seconds));
  const at = (scale: number): Variation => (scale === 1 ? asWritten : {kind: 'cost', scale});
  return [at(low), at(high)];
}

/** So many blocks that none is ever needed again: those of all requests of a run. */
function blocksEver({kv}: Scenario, records: readonly RunRecord[]): number {
  const blocks = records.map(({requests}) => {
    let sum = 0;
    for (let row = 0; row < requests.rows; row++) sum += Math.ceil((requests.input[row] + requests.output[row]) / kv.blockSize);
    return sum;
  });
  return Math.max(...blocks);
}
