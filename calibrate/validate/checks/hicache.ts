import type {RequestColumns} from '../../../src/sim/metrics/record.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {scenarioOfText} from '../../engine-fit/deployment.js';
import type {Distortion, ValidationCheck, ValidationData} from '../check.js';
import {type Pair, rowOf, type ValidationRow} from '../row.js';
import {stretchOf, withDistortion} from '../serve.js';

const FILE = 'e2e/tier_validation.csv.gz';
const ROUNDS = 10;
/** The order of the sessions in a round is random, and where HBM or DRAM is just too small the hits follow it. */
const REPLICATIONS = 8;

interface Setup {
  readonly config: string;
  readonly subject: string;
  /** Bytes of DRAM, over all ranks; null: HBM only. */
  readonly dram: string | null;
  /** How far a hit rate may be off, points of 100. */
  readonly points: number;
  readonly hits: string | null;
  readonly ttft: string | null;
}

const setups: readonly Setup[] = [
  {
    config: 'gpu_only',
    subject: 'HBM only',
    dram: null,
    points: 8,
    hits: null,
    ttft: 'all too fast, by a fifth on average: steps, for nothing is loaded',
  },
  {
    config: '+L2 (8x30GB)',
    subject: '240 GB of DRAM',
    dram: '240 GB',
    points: 5,
    hits: 'falls in round 5, as measured; in rounds 4 and 5, where DRAM is just too small, more stays than was found',
    ttft: 'too fast as with HBM only; and in round 5 by what too many hits save',
  },
  {
    config: '+L2+Mooncake 760GB',
    subject: '760 GiB pool',
    dram: '816043786240 B',
    points: 5,
    hits: null,
    ttft: 'the pool is taken as DRAM of the host: its network, and the way from it over DRAM, are not simulated',
  },
];

/**
 * SGLang HiCache on eight H800: hit rate and TTFT of ten rounds with HBM only, DRAM, and a pool.
 *
 * Nothing is fitted. The engine is vLLM's with pages of 64 tokens: a request is loaded whole before it is computed. An H800 is an H100 with 200 GB/s of NVLink each way.
 */
export const hicache: ValidationCheck = {
  name: 'SGLang HiCache on H800',
  needs: [FILE],
  run: async (data, distortion) => (await Promise.all(setups.map((setup) => rowsOf(data, setup, distortion)))).flat(),
};

async function rowsOf(data: ValidationData, setup: Setup, distortion: Distortion | null): Promise<ValidationRow[]> {
  const rounds = await predicted(setup, distortion);
  const measured = (metric: string) =>
    data
      .csv(FILE)
      .filter((row) => row.experiment === 'sglang_hicache_h800' && row.config === setup.config && row.metric === metric)
      .map(({x, value}) => ({round: Number(x), value: Number(value)}));
  const label = {
    section: 'serving',
    subject: `SGLang HiCache, Qwen3-235B, 8 × H800, ${setup.subject}`,
    fitted: 'engine: vLLM on H100, not SGLang',
  } as const;
  // A difference of shares, as if of 100 %: a rate of 0 has no relative error.
  const hits = measured('cache hit rate').map(
    ({round, value}): Pair => ({measured: 1, predicted: 1 + rounds[round - 1].hit - value / 100}),
  );
  const ttfts = measured('avg TTFT').map(({round, value}): Pair => ({measured: value, predicted: rounds[round - 1].ttft}));
  return [
    rowOf({...label, metric: 'hit rate by round, points', target: {statistic: 'worst', most: setup.points / 100}, note: setup.hits}, hits),
    rowOf({...label, metric: 'mean TTFT by round', target: {statistic: 'worst', most: 0.25}, note: setup.ttft}, ttfts),
  ];
}

interface Round {
  readonly hit: number;
  /** s. */
  readonly ttft: number;
}

/** Means over the replications. */
async function predicted({dram}: Setup, distortion: Distortion | null): Promise<Round[]> {
  const text = [
    'name: hicache',
    'model: {name: qwen3-235b-a22b}',
    `hardware: {device: h100-sxm, count: 8, links: {peer: {bandwidth: 200 GB/s}}${dram === null ? '' : `, memory: {dram: ${dram}}`}}`,
    'engine: {preset: vllm, parallel: {tensor: 8}, gpu_memory_utilization: 0.83, max_model_len: 32768}',
    'scheduler: {max_num_batched_tokens: 8192}',
    `kv: {block_size: 64${dram === null ? '' : `, tiers: {dram: ${dram}}`}}`,
    'workload:',
    '  {kind: chat, turns: 10, user_tokens: 2048, output_tokens: 1, arrivals: {process: rounds, sessions: 80, in_flight: 4, rate: 16 req/s}}',
    'run: {bounds: off}',
    '',
  ].join('\n');
  const scenario = withDistortion(await scenarioOfText(text, 'hicache'), distortion);
  const plan = planMemory(scenario);
  const stretch = stretchOf(distortion);
  const runs = Array.from({length: REPLICATIONS}, (_, replication) =>
    roundsOf(simulate(scenario, plan, {replication, ...(stretch === undefined ? {} : {stretch})}).requests),
  );
  const mean = (round: number, pick: (of: Round) => number) => runs.reduce((sum, run) => sum + pick(run[round]), 0) / REPLICATIONS;
  return Array.from({length: ROUNDS}, (_, round) => ({hit: mean(round, ({hit}) => hit), ttft: mean(round, ({ttft}) => ttft)}));
}

/** Share of prompt tokens found, and mean time to the first token, of each round. */
function roundsOf(requests: RequestColumns): Round[] {
  const sums = Array.from({length: ROUNDS}, () => ({requests: 0, input: 0, hit: 0, ttft: 0}));
  for (let row = 0; row < requests.rows; row++) {
    const sum = sums[requests.turn[row]];
    sum.requests++;
    sum.input += requests.input[row];
    sum.hit += requests.hit[row] + requests.hitBelow.reduce((total, tier) => total + tier[row], 0);
    sum.ttft += (requests.firstToken[row] - requests.arrival[row]) / 1e9;
  }
  return sums.map(({requests: n, input, hit, ttft}) => ({hit: hit / input, ttft: ttft / n}));
}
