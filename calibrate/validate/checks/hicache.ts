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

/**
 * Tokens that a client adds each round, as the server counts them: mean and coefficient of variation.
 *
 * bench_multiturn.py asks for 2,048 of them with --disable-random-sample: that many successive ids of the vocabulary, decoded to text and sent as such (sglang bench_serving.py,
 * sample_random_requests). Read again, the text has other tokens: of 800 such texts from random offsets, Qwen3's tokenizer makes 2,170 on average, standard deviation 136, from 1,893 to 2,656.
 */
const ADDED = {mean: 2170, cv: 136 / 2170};

interface Setup {
  readonly config: string;
  readonly subject: string;
  /** `hardware.memory`, beside HBM. */
  readonly memory: string;
  /** `kv`, beside the page: the flags of HiCache as the run had them. */
  readonly kv: string;
  /** How far a hit rate may be off, points of 100. */
  readonly points: number;
  readonly ttft: string;
}

const TOO_FAST = 'all too fast, by about as much in every round: steps';

const setups: readonly Setup[] = [
  {config: 'gpu_only', subject: 'HBM only', memory: '', kv: '', points: 8, ttft: TOO_FAST},
  {
    config: '+L2 (8x30GB)',
    subject: '240 GB of DRAM',
    memory: ', memory: {dram: 2 TB}',
    kv: ', preset: sglang-hicache, args: {hicache_size: 30, hicache_write_policy: write_through}',
    points: 5,
    ttft: `${TOO_FAST}; in round 5, where DRAM is just too small, by what too many hits save, too`,
  },
  {
    config: '+L2+Mooncake 760GB',
    subject: '760 GiB pool',
    memory: ', memory: {dram: 2 TB, remote: 816043786240 B}',
    kv: ', preset: sglang-hicache, args: {hicache_ratio: 2, hicache_write_policy: write_through, hicache_storage_backend: mooncake, hicache_storage_prefetch_policy: timeout}, tiers: {remote: 816043786240 B}',
    points: 5,
    ttft: 'not known why: as measured it is slower than DRAM alone already in rounds 2 and 3, where both hit the same and little is read from the pool. What a prefetch costs SGLang beside its transfer is not simulated, and the rate of the network is not stated',
  },
];

/**
 * SGLang HiCache on eight H800: hit rate and TTFT of ten rounds with HBM only, DRAM, and a pool; the flags of kvcache-ai/Mooncake docs/source/performance/sglang/sglang-hicache-benchmark-results-v1.md.
 *
 * Nothing is fitted: SGLang's own share of the memory, pages of 64 tokens. An H800 is an H100 with 200 GB/s of NVLink each way. Not stated, and assumed: 2 TB of host memory, of which only what the
 * flags say is used, and 400 Gb/s for each of the eight network cards between host and pool.
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
    fitted: 'host times: vLLM on H100, not SGLang; host memory and network assumed',
  } as const;
  // A difference of shares, as if of 100 %: a rate of 0 has no relative error.
  const hits = measured('cache hit rate').map(
    ({round, value}): Pair => ({measured: 1, predicted: 1 + rounds[round - 1].hit - value / 100}),
  );
  const ttfts = measured('avg TTFT').map(({round, value}): Pair => ({measured: value, predicted: rounds[round - 1].ttft}));
  return [
    rowOf({...label, metric: 'hit rate by round, points', target: {statistic: 'worst', most: setup.points / 100}, note: null}, hits),
    rowOf({...label, metric: 'mean TTFT by round', target: {statistic: 'worst', most: 0.25}, note: setup.ttft}, ttfts),
  ];
}

interface Round {
  readonly hit: number;
  /** s. */
  readonly ttft: number;
}

/** Means over the replications. */
async function predicted({memory, kv}: Setup, distortion: Distortion | null): Promise<Round[]> {
  const network = kv.includes('mooncake') ? ', network: 400 GB/s' : '';
  const text = [
    'name: hicache',
    'model: {name: qwen3-235b-a22b}',
    `hardware: {device: h100-sxm, count: 8, links: {peer: {bandwidth: 200 GB/s}${network}}${memory}}`,
    'engine: {preset: sglang, parallel: {tensor: 8}, max_model_len: 32768, args: {page_size: 64}}',
    ...(kv === '' ? [] : [`kv: {${kv.slice(2)}}`]),
    'workload:',
    '  kind: chat',
    '  turns: 10',
    `  user_tokens: {dist: lognormal, mean: ${ADDED.mean}, cv: ${ADDED.cv}}`,
    '  output_tokens: 1',
    '  arrivals: {process: rounds, sessions: 80, in_flight: 4, rate: 16 req/s}',
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
