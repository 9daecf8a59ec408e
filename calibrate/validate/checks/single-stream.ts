import {BatchSums, type CostModel, Prediction} from '../../../src/models/cost/cost.js';
import {stretched} from '../../../src/models/cost/scaled.js';
import {stepCost} from '../../../src/models/cost/step-cost.js';
import {builtinDevice} from '../../../src/models/devices/index.js';
import {engineProfile} from '../../../src/models/engines/index.js';
import {builtinLlm, kvFormat, paramCounts, weightFormat} from '../../../src/models/llms/index.js';
import type {Llm, WeightFormat} from '../../../src/models/llms/llm.js';
import {tensorClasses} from '../../../src/models/llms/llm.js';
import {costScales, provenance} from '../../../src/sim/scenario/trust.js';
import {deviceNamed, llmNamed} from '../../names.js';
import type {Distortion, ValidationCheck, ValidationData} from '../check.js';
import {type Pair, type RowLabel, rowOf, type ValidationRow} from '../row.js';

const FILE = 'e2e/single_stream.csv.gz';
const GIB = 1024 ** 3;
/** llama.cpp computes a prompt in chunks of this many tokens (`-ub`). */
const UBATCH = 512;

/** Why the Apple row is wide: read from its points. */
const APPLE =
  'M1 Max decodes 4-bit weights at 0.45–0.57 of what its memory allows and F16 at 0.74–0.89; M3 Max at 0.61–1.01 and 0.92–1.07: one constant for the family cannot hold both';

/** One measured row that can be predicted: a built-in device and model, its weights stated. */
interface Stream {
  readonly device: string;
  readonly vendor: string;
  readonly decode: Pair;
  readonly prefill: Pair | null;
}

/** llama.cpp with one sequence on one device, measured with llama-bench: tokens per second of decode and prefill. */
export const singleStream: ValidationCheck = {
  name: 'llama.cpp, one sequence',
  needs: [FILE],
  run: (data, distortion) => {
    const {streams, skipped} = streamsOf(data, distortion);
    const nvidia = streams.filter(({vendor}) => vendor === 'NVIDIA');
    const apple = streams.filter(({vendor}) => vendor === 'Apple');
    const note = skipped.size === 0 ? null : `not built in: ${[...skipped].sort().join(', ')}`;
    return [
      ...rowsOf('NVIDIA', 'nothing', 0.15, nvidia, note),
      ...rowsOf('Apple', 'one constant of the family, to the other Apple chips', 0.2, withFamilyConstant(apple), APPLE),
    ];
  },
};

function rowsOf(vendor: string, fitted: string, most: number, streams: readonly Stream[], note: string | null): ValidationRow[] {
  if (streams.length === 0) return [];
  const devices = new Set(streams.map(({device}) => device)).size;
  const label = (metric: string): RowLabel => ({
    section: 'single streams',
    subject: `llama.cpp, ${devices} ${vendor} devices`,
    metric,
    fitted,
    note,
  });
  const prefill = streams.flatMap((stream) => (stream.prefill === null ? [] : [stream.prefill]));
  return [
    rowOf(
      {...label('decode tokens/s'), target: {statistic: 'median', most}},
      streams.map(({decode}) => decode),
    ),
    ...(prefill.length === 0 ? [] : [rowOf(label('prefill tokens/s'), prefill)]),
  ];
}

/** Each chip's times stretched by the median ratio of the rows of the other chips: decode and prefill each by its own. */
function withFamilyConstant(streams: readonly Stream[]): Stream[] {
  return streams.map((stream) => {
    const others = streams.filter(({device}) => device !== stream.device);
    if (others.length === 0) return stream;
    const decode = medianRatio(others.map((one) => one.decode));
    const prefills = others.flatMap((one) => (one.prefill === null ? [] : [one.prefill]));
    return {
      ...stream,
      decode: times(stream.decode, decode),
      prefill: stream.prefill === null || prefills.length === 0 ? stream.prefill : times(stream.prefill, medianRatio(prefills)),
    };
  });
}

function medianRatio(pairs: readonly Pair[]): number {
  const ratios = Float64Array.from(pairs, ({measured, predicted}) => measured / predicted).sort();
  const middle = ratios.length >> 1;
  return ratios.length % 2 === 1 ? ratios[middle] : (ratios[middle - 1] + ratios[middle]) / 2;
}

function times({measured, predicted, interval}: Pair, factor: number): Pair {
  return {
    measured,
    predicted: predicted * factor,
    ...(interval === undefined ? {} : {interval: [interval[0] * factor, interval[1] * factor]}),
  };
}

function streamsOf(data: ValidationData, distortion: Distortion | null): {streams: Stream[]; skipped: Set<string>} {
  const skipped = new Set<string>();
  const streams: Stream[] = [];
  for (const row of data.csv(FILE)) {
    if (!row.quality.includes('llama-bench') || row.n_devices !== '1' || row.batch !== '1') continue;
    if (row.weights_gib === '' || row.tg_tps === '') continue;
    // The prompt speeds of one A100 are anomalous, so its rows are left out.
    if (row.device.startsWith('A100')) continue;
    const [device, model] = [deviceNamed(row.device), llmNamed(row.model.replace(/\.Q4_0$/, ''))];
    if (device === null || model === null) skipped.add(device === null ? row.device : row.model);
    else streams.push(streamOf(device, builtinLlm(model), row, distortion));
  }
  return {streams, skipped};
}

function streamOf(device: string, llm: Llm, row: Readonly<Record<string, string>>, distortion: Distortion | null): Stream {
  const spec = builtinDevice(device);
  const cost = costOfStream(withWeights(llm, Number(row.weights_gib) * GIB), device, distortion);
  const [depth, generated, prompt] = [Number(row.depth_tokens), Number(row.gen_tokens), Number(row.prompt_tokens)];
  return {
    device,
    vendor: spec.vendor,
    decode: speed(Number(row.tg_tps), 1, cost, [decodeStep(depth + Math.round(generated / 2), cost.window)]),
    prefill: row.pp_tps === '' || prompt === 0 ? null : speed(Number(row.pp_tps), prompt, cost, chunkSteps(depth, prompt, cost.window)),
  };
}

/** Kernels of the device with the gaps of the vLLM preset, and no host time: llama.cpp's own is not known. */
function costOfStream(llm: Llm, device: string, distortion: Distortion | null): CostModel {
  const engine = engineProfile('vllm', null);
  const none = {value: 0, grade: 'assumed', source: 'not known'} as const;
  const bare = {...engine, inFlight: 1, graphs: null, overhead: {step: none, sequence: none, request: none, delivery: none}};
  const gaps = distortion?.term === 'launch' ? distortion.factor : 1;
  const changed = {...bare, launchPerLayer: {...bare.launchPerLayer, value: bare.launchPerLayer.value * gaps}};
  const cost = stepCost(llm, builtinDevice(device), {
    tensor: 1,
    engine: changed,
    kvFormat: kvFormat('fp16', llm),
    activationType: 'fp16',
    fits: 'auto',
  });
  return distortion === null ? cost : stretched(cost, distortion);
}

/** The model with the file's weights spread evenly over its parameters. */
function withWeights(llm: Llm, bytes: number): Llm {
  const bytesPerParam = bytes / paramCounts(llm).total;
  const {name, compute} = weightFormat('fp16');
  const format: WeightFormat =
    Math.abs(bytesPerParam - 2) < 0.02 ? {name, compute, bytesPerParam} : {name: 'gguf', compute: 'activation', bytesPerParam};
  return {...llm, formats: Object.fromEntries(tensorClasses.map((part) => [part, format])) as Llm['formats']};
}

function decodeStep(context: number, window: number): BatchSums {
  const sums = new BatchSums();
  sums.decodes = sums.emitting = 1;
  sums.decodeContext = sums.decodeLongest = context;
  sums.decodeContextClipped = Math.min(context, window);
  return sums;
}

function chunkSteps(depth: number, prompt: number, window: number): BatchSums[] {
  const steps: BatchSums[] = [];
  for (let done = 0; done < prompt; done += UBATCH) {
    const sums = new BatchSums();
    const tokens = Math.min(UBATCH, prompt - done);
    sums.addChunk(depth + done, tokens, window);
    sums.emitting = done + tokens === prompt ? 1 : 0;
    steps.push(sums);
  }
  return steps;
}

/** Tokens per second of the steps, with the 80 % interval of their cost. */
function speed(measured: number, tokens: number, cost: CostModel, steps: readonly BatchSums[]): Pair {
  const prediction = new Prediction(cost.terms.length);
  const terms = new Float64Array(cost.terms.length);
  let seconds = 0;
  for (const step of steps) {
    cost.predict(step, prediction);
    seconds += prediction.seconds;
    for (let i = 0; i < terms.length; i++) terms[i] += prediction.terms[i];
  }
  const {low, high} = costScales(provenance(cost.terms, terms));
  return {measured, predicted: tokens / seconds, interval: [tokens / (seconds * high), tokens / (seconds * low)]};
}
