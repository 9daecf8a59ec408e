import {InfeasibleError, InputError} from '../../../src/sim/core/errors.js';
import {latencySeries} from '../../../src/sim/metrics/latency.js';
import {measured as afterWarmup} from '../../../src/sim/metrics/measured.js';
import {mean} from '../../../src/sim/metrics/quantiles.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import type {Scenario} from '../../../src/sim/scenario/scenario.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {scenarioOfText} from '../../engine-fit/deployment.js';
import {deviceNamed, llmNamed} from '../../names.js';
import type {Distortion, ValidationCheck} from '../check.js';
import {type Pair, rowOf, type ValidationRow} from '../row.js';
import {stretchOf, withDistortion} from '../serve.js';

const FILE = 'e2e/inferencex_silicon_sample.csv.gz';
/** InferenceX sends ten requests for each one in flight, all of which start at once, and draws lengths between 0.8 and 1 of those stated (`--random-range-ratio 0.8`). */
const [ROUNDS, SHORTEST] = [10, 0.8];
/** Rows that aiconfigurator measured itself, and does not say how: lengths are taken as stated. */
const OWN = /^source_file=data\//;

/** Published points of serving benchmarks. Mean or median is not stated: they are taken as means. Engines other than vLLM are stood in for by it. */
export const inferenceX: ValidationCheck = {
  name: 'InferenceX sample',
  needs: [FILE],
  run: async (data, distortion) => {
    const groups = new Map<string, {ttft: Pair[]; tpot: Pair[]; skipped: number}>();
    const simulated = new Map<string, Latencies | null>();
    for (const row of data.csv(FILE)) {
      const [device, model] = [deviceNamed(row.system.replace('_', '-')), llmNamed(row.model_path)];
      if (device === null || model === null) continue;
      const name = `${row.backend}, ${model}, ${device}`;
      const group = groups.get(name) ?? {ttft: [], tpot: [], skipped: 0};
      groups.set(name, group);
      const text = scenarioText(row, device, model);
      if (text !== null && !simulated.has(text)) simulated.set(text, await latenciesOf(text, distortion));
      const latencies = text === null ? null : simulated.get(text)!;
      if (latencies === null) group.skipped++;
      else {
        group.ttft.push({measured: Number(row.silicon_ttft_ms) / 1e3, predicted: latencies.ttft});
        group.tpot.push({measured: Number(row.silicon_tpot_ms) / 1e3, predicted: latencies.tpot});
      }
    }
    return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([name, group]) => groupRows(name, group));
  },
};

function groupRows(name: string, {ttft, tpot, skipped}: {ttft: Pair[]; tpot: Pair[]; skipped: number}): ValidationRow[] {
  if (ttft.length === 0) return [];
  const backend = name.split(',')[0];
  const missing = [
    ...(backend === 'vllm' ? [] : [`vLLM stands in for ${backend}`]),
    ...(skipped === 0 ? [] : [`${skipped} rows not simulated: several nodes, expert or data parallel, split prefill, or no room`]),
  ];
  const label = {section: 'serving', subject: `InferenceX, ${name}`, fitted: 'engine: H100 load stages'} as const;
  const note = missing.length === 0 ? null : missing.join('; ');
  return [rowOf({...label, metric: 'TPOT', note}, tpot), rowOf({...label, metric: 'TTFT', note}, ttft)];
}

const formats: Readonly<Record<string, string | null>> = {'': null, bf16: 'bf16', fp8: 'fp8', fp4: 'nvfp4'};

/** The scenario of a row, or null when this version cannot simulate it. */
function scenarioText(row: Readonly<Record<string, string>>, device: string, model: string): string | null {
  const several = (value: string) => Number(value) > 1;
  if (row.mode !== 'agg' || several(row.attention_dp_size) || several(row.pp_size) || Number(row.tp_size) > 8) return null;
  if (several(row.moe_ep_size) && model !== 'llama-3.1-8b') return null;
  if (!Object.hasOwn(formats, row.precision)) return null;
  // gpt-oss comes in four bits, and is served as it comes.
  const format = model.startsWith('gpt-oss') ? null : formats[row.precision];
  return [
    `name: ${model}`,
    `model: {name: ${model}${format === null ? '' : `, quantization: ${format}`}}`,
    `hardware: {device: ${device}}`,
    `engine: {preset: vllm${versionOf(row)}, max_model_len: ${Number(row.isl) + Number(row.osl) + 64}, parallel: {tensor: ${row.tp_size}}}`,
    'workload:',
    '  kind: lengths',
    `  arrivals: {process: closed-loop, sessions: ${row.batch_size}}`,
    `  input_tokens: ${lengths(row, Number(row.isl))}`,
    `  output_tokens: ${lengths(row, Number(row.osl))}`,
    `run: {requests: ${ROUNDS * Number(row.batch_size)}, warmup: 0, bounds: off}`,
    '',
  ].join('\n');
}

/** The version of vLLM when it is one that is known; the newest known otherwise. */
function versionOf({backend, backend_version: version}: Readonly<Record<string, string>>): string {
  return backend === 'vllm' && /^0\.(1[1-9]|2\d)\.\d+$/.test(version) ? `, version: "${version}"` : '';
}

function lengths(row: Readonly<Record<string, string>>, most: number): string {
  if (OWN.test(row.silicon_data_source)) return String(most);
  return `{dist: uniform, min: ${Math.round(SHORTEST * most)}, max: ${most}}`;
}

interface Latencies {
  readonly ttft: number;
  readonly tpot: number;
}

async function latenciesOf(text: string, distortion: Distortion | null): Promise<Latencies | null> {
  const stretch = stretchOf(distortion);
  try {
    const scenario: Scenario = withDistortion(await scenarioOfText(text, 'InferenceX row'), distortion);
    const {requests} = simulate(scenario, planMemory(scenario), {replication: 0, ...(stretch === undefined ? {} : {stretch})});
    const {rows} = afterWarmup(requests, {kind: 'none'});
    return {ttft: mean(latencySeries(requests, rows, 'ttft_s')), tpot: mean(latencySeries(requests, rows, 'tpot_s'))};
  } catch (error) {
    if (error instanceof InfeasibleError || error instanceof InputError) return null;
    throw error;
  }
}
