import type {RequestColumns} from '../../../src/sim/metrics/record.js';
import {breakEven} from '../../../src/sim/scenario/break-even.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import type {MemoryPlan, Scenario} from '../../../src/sim/scenario/scenario.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import type {Trace} from '../../../src/sim/traces/trace.js';
import {scenarioOfText} from '../../engine-fit/deployment.js';
import type {Distortion, ValidationCheck, ValidationData} from '../check.js';
import {type Pair, rowOf, type ValidationRow} from '../row.js';
import {stretchOf, withDistortion} from '../serve.js';

const FILE = 'e2e/tier_validation.csv.gz';
/** Read off a figure: seconds to either side. */
const DIGITISED = 0.01;
const LONG = 10_000;
/** "A batch of 10,000 unique requests (each of 512 tokens)": the post that the figures are from. */
const [BATCH, PROMPT] = [10_000, 512];
const BLOCK = 16;
/** Seconds between what warms the memories up and what is measured: all has ended by then. */
const LATER = 3600;

const models = {'Llama-3.1-8B-Instruct': 'llama-3.1-8b', 'Llama-3.2-1B-Instruct': 'llama-3.2-1b'} as const;
type Model = keyof typeof models;

/**
 * What vLLM loads from the host's memory on an H100: time of single prompts that lie there whole, and prefill throughput by the share that does.
 *
 * The post turns the prefix cache of HBM off, and has the engine ask the host's memory all the same; here other prompts push out of HBM what was warmed up. Nothing is fitted to these rows: copies cost what blocks of other sizes showed.
 */
export const kvOffloadLoads: ValidationCheck = {
  name: 'vLLM loads from DRAM on H100',
  needs: [FILE],
  run: async (data, distortion) => [
    await loadTimes(data, distortion),
    await throughput(data, distortion, {
      model: 'Llama-3.1-8B-Instruct',
      config: 'CPU offload',
      order: 'first',
      target: {statistic: 'worst', most: 0.15},
      note: 'the order of the prompts is not stated; measured times are the sum of loading and computing, as when one follows the other',
    }),
    await throughput(data, distortion, {
      model: 'Llama-3.1-8B-Instruct',
      config: 'CPU offload',
      order: 'mixed',
      target: null,
      note: 'the same, were hits and others mixed: loads would hide behind computing, which the measurement does not show',
    }),
    await throughput(data, distortion, {
      model: 'Llama-3.2-1B-Instruct',
      config: 'DMA copies',
      order: 'first',
      target: null,
      note: "too fast at every share: it seems that the host needs time for each request that the engine's profile does not have",
    }),
  ],
};

const label = {section: 'serving', fitted: 'engine: H100 load stages; link: copies of other sizes'} as const;

async function loadTimes(data: ValidationData, distortion: Distortion | null): Promise<ValidationRow> {
  const pairs: Pair[] = [];
  for (const {x, value} of rowsOf(data, 'Llama-3.1-8B-Instruct', 'full CPU-DRAM hit')) {
    const tokens = 1000 * Number(x);
    if (tokens < LONG) continue;
    const measured = Number(value) / 1000;
    const predicted = await loadedTtft(tokens, distortion);
    // Within what can be read off the figure, no error is seen.
    pairs.push({measured, predicted: Math.abs(predicted - measured) <= DIGITISED ? measured : predicted});
  }
  const {scenario, plan} = await deployment('Llama-3.1-8B-Instruct', 2 * LONG, null, distortion);
  const note = `digitised to 10 ms: nearer counts as equal; a load is sooner from ${breakEven(scenario, plan).dram} tokens on (measured: sooner at 1,000, the shortest)`;
  return rowOf(
    {
      ...label,
      subject: 'vLLM, Llama-3.1-8B, H100, one prompt from DRAM',
      metric: 'TTFT, 10k tokens and more',
      target: {statistic: 'worst', most: 0.2},
      note,
    },
    pairs,
  );
}

interface Batch {
  readonly model: Model;
  readonly config: string;
  /** Where in the batch the prompts are that lie in DRAM. */
  readonly order: 'first' | 'mixed';
  readonly target: ValidationRow['target'];
  readonly note: string;
}

async function throughput(
  data: ValidationData,
  distortion: Distortion | null,
  {model, config, order, target, note}: Batch,
): Promise<ValidationRow> {
  const pairs: Pair[] = [];
  for (const {x, value} of rowsOf(data, model, config))
    pairs.push({measured: Number(value), predicted: await tokensPerSecond(model, Number(x) / 100, order, distortion)});
  const metric = `prefill throughput by DRAM hits, ${order === 'first' ? 'hits first' : 'hits among the others'}`;
  return rowOf({...label, subject: `vLLM, ${models[model]}, H100, 512-token prompts`, metric, target, note}, pairs);
}

function rowsOf(data: ValidationData, model: Model, config: string) {
  return data.csv(FILE).filter((row) => row.experiment === 'vllm_kv_offload_h100' && row.model === model && row.config.startsWith(config));
}

/** TTFT of a prompt whose full blocks lie in DRAM: it was computed, then pushed out of HBM by another. */
async function loadedTtft(tokens: number, distortion: Distortion | null): Promise<number> {
  const blocks = Math.ceil(tokens / BLOCK) + 2;
  const {scenario, plan} = await deployment('Llama-3.1-8B-Instruct', tokens + BLOCK, blocks, distortion);
  const requests = sent(scenario, plan, [0, LATER, 2 * LATER], [0, 1, 0], tokens, distortion);
  const last = requests.id.indexOf(2);
  return (requests.firstToken[last] - requests.arrival[last]) / 1e9;
}

/** Tokens of prompts a second, of a batch of which a share lies in DRAM. */
async function tokensPerSecond(model: Model, share: number, order: Batch['order'], distortion: Distortion | null): Promise<number> {
  const {scenario, plan} = await deployment(model, 2 * PROMPT, null, distortion);
  // So many that none is still in HBM when its turn comes again; all that the batch loads would not fit into DRAM.
  const warm = 2 * Math.ceil((plan.kvBlocks * BLOCK) / PROMPT);
  const hits = Math.round(share * BATCH);
  const hitsBefore = (i: number) => (order === 'first' ? Math.min(i, hits) : Math.floor((i * hits) / BATCH));
  const batch = range(0, BATCH).map((i) => (hitsBefore(i + 1) > hitsBefore(i) ? hitsBefore(i) % warm : warm + i));
  const prompts = [...range(0, warm), ...batch];
  const times = prompts.map((_, i) => (i < warm ? 0 : LATER));
  const {arrival, finished, id} = sent(scenario, plan, times, prompts, PROMPT, distortion);
  const last = finished.reduce((latest, time) => Math.max(latest, time), 0);
  return (BATCH * PROMPT) / ((last - arrival[id.indexOf(warm)]) / 1e9);
}

/** What the post states: an H100 with 500 GB of DRAM, blocks of 16 tokens in both, and a commit between 0.13 and 0.14. */
async function deployment(
  model: Model,
  longest: number,
  blocks: number | null,
  distortion: Distortion | null,
): Promise<{scenario: Scenario; plan: MemoryPlan}> {
  const text = [
    `name: ${model}`,
    `model: {name: ${models[model]}}`,
    'hardware: {device: h100-sxm, memory: {dram: 500 GB}}',
    `engine: {preset: vllm, version: "0.14", max_model_len: ${longest}}`,
    `kv: {block_size: ${BLOCK}, tiers: {dram: rest}${blocks === null ? '' : `, blocks: ${blocks}`}}`,
    'workload: {kind: lengths, arrivals: 1 req/s, input_tokens: 1, output_tokens: 1}',
    'run: {warmup: 0, bounds: off}',
    '',
  ].join('\n');
  const scenario = withDistortion(await scenarioOfText(text, model), distortion);
  return {scenario, plan: planMemory(scenario)};
}

/** Sends prompts of one length, by number: those of equal number are equal. `times` in s. */
function sent(
  scenario: Scenario,
  plan: MemoryPlan,
  times: readonly number[],
  prompts: readonly number[],
  tokens: number,
  distortion: Distortion | null,
): RequestColumns {
  const blocks = Math.floor(tokens / BLOCK);
  const rows = prompts.length;
  const trace: Trace = {
    format: 'prompts',
    rows,
    times: Float64Array.from(times, (time) => time * 1e9),
    inputs: new Int32Array(rows).fill(tokens),
    outputs: new Int32Array(rows).fill(1),
    blockSize: BLOCK,
    offsets: Int32Array.from({length: rows + 1}, (_, row) => row * blocks),
    ids: Int32Array.from({length: rows * blocks}, (_, i) => prompts[Math.floor(i / blocks)] * blocks + (i % blocks)),
    distinct: (Math.max(...prompts) + 1) * blocks,
    sessions: null,
    gaps: null,
    kinds: null,
    notes: [],
  };
  const stretch = stretchOf(distortion);
  const served: Scenario = {...scenario, workload: {kind: 'replay', arrivals: null, trace}, run: {...scenario.run, requests: null}};
  return simulate(served, plan, {replication: 0, ...(stretch === undefined ? {} : {stretch})}).requests;
}

function range(from: number, count: number): number[] {
  return Array.from({length: count}, (_, i) => from + i);
}
