import type {KernelTable, Measurement, Row, TableContext} from './table.js';

const statistics = ['min', 'max', 'mean', 'median', 'std'];
const timed = (op: string) => statistics.map((statistic) => `time_stats.${op}.${statistic}`);

/** What one layer of a model looks like on one of `tensor` devices. */
interface Layer {
  readonly tokens: number;
  readonly hidden: number;
  readonly queries: number;
  readonly keys: number;
  readonly width: number;
  readonly gated: boolean;
}

/** Operators of vidur's MLP tables and the kernel each is; models ran in 16 bits. */
const operators: Readonly<Record<string, (layer: Layer) => Pick<Measurement, 'kernel' | 'shape'>>> = {
  emb: ({tokens, hidden}) => ({kernel: 'embedding.fp16', shape: [tokens, hidden]}),
  input_layernorm: ({tokens, hidden}) => ({kernel: 'rmsnorm.fp16', shape: [tokens, hidden]}),
  attn_pre_proj: ({tokens, hidden, queries, keys}) => ({kernel: 'gemm.fp16', shape: [tokens, queries + 2 * keys, hidden]}),
  attn_rope: ({tokens, queries, keys}) => ({kernel: 'rope.fp16', shape: [tokens, queries + keys]}),
  attn_post_proj: ({tokens, hidden, queries}) => ({kernel: 'gemm.fp16', shape: [tokens, hidden, queries]}),
  post_attention_layernorm: ({tokens, hidden}) => ({kernel: 'rmsnorm.fp16', shape: [tokens, hidden]}),
  mlp_up_proj: ({tokens, hidden, width, gated}) => ({kernel: 'gemm.fp16', shape: [tokens, gated ? 2 * width : width, hidden]}),
  mlp_act: ({tokens, width}) => ({kernel: 'silu_mul.fp16', shape: [tokens, width]}),
  mlp_down_proj: ({tokens, hidden, width}) => ({kernel: 'gemm.fp16', shape: [tokens, hidden, width]}),
  add: ({tokens, hidden}) => ({kernel: 'add.fp16', shape: [tokens, hidden]}),
};

/** Name of vidur's operator of each measurement of one row, in order: for tables of error by operator. */
export const vidurOperators: readonly string[] = Object.keys(operators);

const modelColumns = ['n_head', 'n_kv_head', 'n_embd', 'n_expanded_embd', 'use_gated_mlp', 'num_tokens', 'num_tensor_parallel_workers'];

function collective(op: 'all_reduce' | 'send_recv'): KernelTable {
  return {
    name: `vidur ${op}`,
    unit: 'ms',
    required: [`time_stats.${op}.median`, 'num_workers', 'size', 'collective', 'devices_per_node'],
    optional: ['', 'rank', 'max_devices_per_node', ...timed(op)],
    measurements: (row) => [
      {
        kernel: `${op}.nccl.${row.number('num_workers')}gpu.${row.number('devices_per_node')}pernode`,
        backend: 'NCCL through vidur',
        shape: [row.number('size')],
        seconds: row.time(`time_stats.${op}.median`) / 1e3,
      },
    ],
  };
}

/** The profiles of microsoft/vidur: operators of a layer by tokens and tensor parallelism, collectives by size; times in milliseconds. */
export const vidur: readonly KernelTable[] = [
  {
    name: 'vidur mlp',
    unit: 'ms',
    required: [...vidurOperators.map((op) => `time_stats.${op}.median`), ...modelColumns],
    optional: ['', 'vocab_size', ...vidurOperators.flatMap(timed)],
    measurements(row: Row, {engine}: TableContext) {
      const layer = layerOf(row);
      return vidurOperators.map((op) => ({
        ...operators[op](layer),
        backend: engine ?? 'torch through vidur',
        seconds: row.time(`time_stats.${op}.median`) / 1e3,
      }));
    },
  },
  collective('all_reduce'),
  collective('send_recv'),
];

function layerOf(row: Row): Layer {
  const tensor = row.number('num_tensor_parallel_workers');
  const [heads, kvHeads, hidden] = ['n_head', 'n_kv_head', 'n_embd'].map((name) => row.number(name));
  const headDim = hidden / heads;
  return {
    tokens: row.number('num_tokens'),
    hidden,
    queries: (heads / tensor) * headDim,
    // Key/value heads are copied when there are fewer than devices.
    keys: Math.max(1, kvHeads / tensor) * headDim,
    width: row.number('n_expanded_embd') / tensor,
    gated: row.text('use_gated_mlp') === 'True',
  };
}
