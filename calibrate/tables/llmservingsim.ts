import type {Llm} from '../../src/models/llms/llm.js';
import {InputError} from '../../src/sim/core/errors.js';
import type {KernelTable, Measurement, Row, TableContext} from './table.js';

/** Widths of one layer on one of the devices that a model is split over. */
interface Layer {
  readonly hidden: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  /** Feed-forward width, of one expert when there are experts. */
  readonly width: number;
  readonly vocab: number;
  readonly experts: number;
  readonly topK: number;
}

type Kernelled = Pick<Measurement, 'kernel' | 'shape'>;

/** Layers by the names of both generations of tables, and the kernel each is. */
const layers: Readonly<Record<string, (rows: number, layer: Layer) => Kernelled>> = {
  qkv_proj: (m, {hidden, heads, kvHeads, headDim}) => gemm(m, (heads + 2 * kvHeads) * headDim, hidden),
  q_proj: (m, {hidden, heads, headDim}) => gemm(m, heads * headDim, hidden),
  k_proj: (m, {hidden, kvHeads, headDim}) => gemm(m, kvHeads * headDim, hidden),
  v_proj: (m, {hidden, kvHeads, headDim}) => gemm(m, kvHeads * headDim, hidden),
  o_proj: (m, {hidden, heads, headDim}) => gemm(m, hidden, heads * headDim),
  gate_up_proj: (m, {hidden, width}) => gemm(m, 2 * width, hidden),
  gate_proj: (m, {hidden, width}) => gemm(m, width, hidden),
  up_proj: (m, {hidden, width}) => gemm(m, width, hidden),
  down_proj: (m, {hidden, width}) => gemm(m, hidden, width),
  lm_head: (m, {hidden, vocab}) => gemm(m, vocab, hidden),
  act_fn: (tokens, {width}) => streamed('silu_mul', tokens, width),
  layernorm: (tokens, {hidden}) => streamed('add_rmsnorm', tokens, hidden),
  final_layernorm: (tokens, {hidden}) => streamed('add_rmsnorm', tokens, hidden),
  input_layernorm: (tokens, {hidden}) => streamed('add_rmsnorm', tokens, hidden),
  post_layernorm: (tokens, {hidden}) => streamed('add_rmsnorm', tokens, hidden),
  qk_norm: (tokens, {heads, kvHeads, headDim}) => streamed('rmsnorm', tokens, (heads + kvHeads) * headDim),
  rotary_emb: (tokens, {heads, kvHeads, headDim}) => streamed('rope', tokens, (heads + kvHeads) * headDim),
  rope: (tokens, {heads, kvHeads, headDim}) => streamed('rope', tokens, (heads + kvHeads) * headDim),
  embedding: (tokens, {hidden}) => streamed('embedding', tokens, hidden),
  sampler: (sequences, {vocab}) => streamed('sampler', sequences, vocab),
};

/** The profiles of casys-kaist/LLMServingSim: attention over (chunk, prefix, decodes, context) and layers by tokens in µs; its first generation in ns and ms. */
export const llmServingSim: readonly KernelTable[] = [
  {
    name: 'LLMServingSim attention',
    unit: 'us',
    required: ['prefill_chunk', 'kv_prefill', 'n_decode', 'kv_decode', 'time_us'],
    optional: [],
    measurements(row, context) {
      const {heads, kvHeads, headDim} = layerOf(context);
      const sums = ['prefill_chunk', 'kv_prefill', 'n_decode', 'kv_decode'].map((name) => row.number(name));
      return [measured('attn.mixed.bf16', [...sums, heads, kvHeads, headDim], row.time('time_us') / 1e6, context)];
    },
  },
  byRows('LLMServingSim dense', 'tokens'),
  byRows('LLMServingSim per_sequence', 'sequences'),
  {
    name: 'LLMServingSim moe',
    unit: 'us',
    required: ['tokens', 'activated_experts', 'time_us'],
    optional: [],
    measurements(row, context) {
      const {hidden, width, topK, experts} = layerOf(context);
      const shape = [row.number('tokens'), hidden, width, topK, experts, experts, row.number('activated_experts')];
      return [measured('moe.bf16.stated', shape, row.time('time_us') / 1e6, context)];
    },
  },
  {
    name: 'LLMServingSim v0 layers',
    unit: 'ns',
    required: ['layer_name', 'input', 'kv_cache', 'tp_size', 'latency(ns)'],
    optional: [],
    measurements(row, context) {
      const layer = layerOf({...context, tensor: row.number('tp_size')});
      const [tokens, prefix] = [row.number('input'), row.number('kv_cache')];
      const seconds = row.time('latency(ns)') / 1e9;
      const {kernel, shape} =
        row.text('layer_name') === 'attn' ? oneSequence(tokens, prefix, layer) : named(row, 'layer_name')(tokens, layer);
      return [measured(kernel, shape, seconds, context)];
    },
  },
  {
    name: 'LLMServingSim v0 attention',
    unit: 'ms',
    required: [
      'time_stats.attn_prefill.median',
      'time_stats.attn_decode.median',
      ...['n_embd', 'n_q_head', 'n_kv_head', 'num_tensor_parallel_workers'],
      ...['batch_size', 'prefill_chunk_size', 'kv_cache_size', 'is_prefill', 'attention_backend'],
    ],
    optional: [
      'max_model_len',
      ...['prefill', 'decode'].flatMap((phase) =>
        ['min', 'max', 'mean', 'std'].map((statistic) => `time_stats.attn_${phase}.${statistic}`),
      ),
    ],
    measurements: (row) => [vidurAttention(row)],
  },
];

function gemm(m: number, n: number, k: number): Kernelled {
  return {kernel: 'gemm.bf16', shape: [m, n, k]};
}

function streamed(op: string, tokens: number, width: number): Kernelled {
  return {kernel: `${op}.bf16`, shape: [tokens, width]};
}

function oneSequence(tokens: number, prefix: number, {heads, kvHeads, headDim}: Layer): Kernelled {
  const rest = [heads, kvHeads, headDim, 0];
  return tokens === 1
    ? {kernel: 'attn.decode.bf16', shape: [1, prefix + 1, ...rest]}
    : {kernel: 'attn.prefill.bf16', shape: [1, tokens, prefix, ...rest]};
}

function byRows(name: string, column: 'tokens' | 'sequences'): KernelTable {
  return {
    name,
    unit: 'us',
    required: ['layer', column, 'time_us'],
    optional: [],
    measurements(row, context) {
      const {kernel, shape} = named(row, 'layer')(row.number(column), layerOf(context));
      return [measured(kernel, shape, row.time('time_us') / 1e6, context)];
    },
  };
}

function named(row: Row, column: string): (rows: number, layer: Layer) => Kernelled {
  const name = row.text(column);
  return Object.hasOwn(layers, name) ? layers[name] : row.fail(column, `unknown layer "${name}"; known: ${Object.keys(layers).join(', ')}`);
}

function measured(kernel: string, shape: readonly number[], seconds: number, {engine}: TableContext): Omit<Measurement, 'line'> {
  return {kernel, shape, seconds, backend: engine ?? 'LLMServingSim profiler'};
}

function vidurAttention(row: Row): Omit<Measurement, 'line'> {
  const tensor = row.number('num_tensor_parallel_workers');
  const [width, queryHeads] = [row.number('n_embd'), row.number('n_q_head')];
  const heads = [queryHeads / tensor, Math.max(1, row.number('n_kv_head') / tensor), width / queryHeads, 0];
  const [batch, cached] = [row.number('batch_size'), row.number('kv_cache_size')];
  const prefill = row.text('is_prefill') === 'True';
  return {
    kernel: prefill ? 'attn.prefill.bf16' : 'attn.decode.bf16',
    backend: row.text('attention_backend'),
    shape: prefill ? [batch, row.number('prefill_chunk_size'), cached, ...heads] : [batch, cached + 1, ...heads],
    seconds: row.time(`time_stats.attn_${prefill ? 'prefill' : 'decode'}.median`) / 1e3,
  };
}

function layerOf({model, tensor, file}: TableContext): Layer {
  if (model === null) {
    throw new InputError(
      `${file}: its rows name layers, and nothing says of which model; name it with --model, or keep the folders …/ORG/MODEL/VARIANT/tp1/ of LLMServingSim`,
    );
  }
  return splitLayer(model, tensor);
}

function splitLayer(model: Llm, tensor: number): Layer {
  const {attention, feedForward} = model.layers[0];
  if (attention.kind !== 'gqa') throw new InputError(`${model.name}: LLMServingSim tables of latent attention are not known`);
  return {
    hidden: model.hidden,
    heads: attention.heads / tensor,
    kvHeads: Math.max(1, attention.kvHeads / tensor),
    headDim: attention.headDim,
    width: feedForward.width / tensor,
    vocab: model.vocab / tensor,
    experts: feedForward.kind === 'dense' ? 0 : feedForward.experts,
    topK: feedForward.kind === 'dense' ? 0 : feedForward.topK,
  };
}
