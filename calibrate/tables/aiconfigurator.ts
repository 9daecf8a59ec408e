import {type CollectiveOp, collectiveOps} from '../../src/models/cost/fit/kernels/collective.js';
import type {KernelTable, Measurement, Row} from './table.js';

const always = ['latency'];
const notes = ['framework', 'version', 'device', 'op_name', 'kernel_source', 'power', 'power_limit'];

const formats: Readonly<Record<string, string>> = {bfloat16: 'bf16', float16: 'fp16', half: 'fp16', float32: 'fp32'};
const elementBytes: Readonly<Record<string, number>> = {half: 2, float16: 2, bfloat16: 2, int8: 1, fp8: 1, float32: 4};

/** The tables of ai-dynamo/aiconfigurator: `*_perf` as CSV, columns that never change in the header comment; times in milliseconds. */
export const aiconfigurator: readonly KernelTable[] = [
  kind('aiconfigurator gemm', ['gemm_dtype', 'm', 'n', 'k'], [], (row) => ({
    kernel: `gemm.${format(row, 'gemm_dtype')}`,
    shape: ['m', 'n', 'k'].map((name) => row.number(name)),
  })),
  kind(
    'aiconfigurator context_attention',
    ['attn_dtype', 'kv_cache_dtype', 'batch_size', 'isl', 'num_heads', 'num_key_value_heads', 'head_dim'],
    ['window_size', 'beam_width', 'step'],
    (row) => ({
      kernel: attentionName('attn.prefill', row),
      shape: [...counts(row, ['batch_size', 'isl']), optional(row, 'step'), ...heads(row)],
    }),
    (row) => row.text('op_name') === 'context_attention',
  ),
  kind(
    'aiconfigurator generation_attention',
    ['attn_dtype', 'kv_cache_dtype', 'batch_size', 'step', 'num_heads', 'num_key_value_heads', 'head_dim'],
    ['window_size', 'beam_width', 'isl'],
    (row) => ({
      kernel: attentionName('attn.decode', row),
      // `step` counts the cached tokens; the new one attends to itself too.
      shape: [row.number('batch_size'), row.number('step') + 1, ...heads(row)],
    }),
    (row) => row.text('op_name') === 'generation_attention',
  ),
  kind(
    'aiconfigurator moe',
    ['moe_dtype', 'num_tokens', 'hidden_size', 'inter_size', 'topk', 'num_experts', 'moe_tp_size', 'moe_ep_size', 'distribution'],
    [],
    (row) => ({
      // A dot in a name would end it.
      kernel: `moe.${format(row, 'moe_dtype')}.${row.text('distribution').replace(/\./g, '_')}`,
      shape: [
        ...counts(row, ['num_tokens', 'hidden_size']),
        row.number('inter_size') / row.number('moe_tp_size'),
        ...counts(row, ['topk', 'num_experts']),
        row.number('num_experts') / row.number('moe_ep_size'),
      ],
    }),
  ),
  latent('context_mla', 'mla.prefill', 'isl', 0),
  latent('generation_mla', 'mla.decode', 'step', 1),
  latent('mla_context_module', 'mla_module.prefill', 'isl', 0),
  latent('mla_generation_module', 'mla_module.decode', 'step', 1),
  kind('aiconfigurator custom_allreduce', ['allreduce_dtype', 'num_gpus', 'message_size', 'backend'], [], (row) => ({
    kernel: collectiveName('all_reduce', row.text('backend'), row),
    shape: [row.number('message_size') * bytesOf(row, 'allreduce_dtype')],
  })),
  kind('aiconfigurator nccl', ['nccl_dtype', 'num_gpus', 'message_size', 'op_name'], [], (row) => ({
    kernel: collectiveName(collectiveOf(row), 'nccl', row),
    // `message_size` counts elements: 2^23 of half take as long as 2^24 of int8.
    shape: [row.number('message_size') * bytesOf(row, 'nccl_dtype')],
  })),
];

function kind(
  name: string,
  required: readonly string[],
  optionalColumns: readonly string[],
  read: (row: Row) => Pick<Measurement, 'kernel' | 'shape'>,
  when?: (row: Row) => boolean,
): KernelTable {
  return {
    name,
    unit: 'ms',
    required: [...always, ...required],
    optional: [...notes, ...optionalColumns],
    ...(when === undefined ? {} : {when}),
    measurements: (row) => [{...read(row), backend: backendOf(row), seconds: row.time('latency') / 1e3}],
  };
}

/** Latent attention: the kernel alone, or the module with its projections in `gemm_type`. */
function latent(op: string, family: string, length: 'isl' | 'step', added: number): KernelTable {
  const module = family.startsWith('mla_module');
  return kind(
    `aiconfigurator ${op}`,
    ['mla_dtype', 'kv_cache_dtype', 'num_heads', 'batch_size', length, ...(module ? ['gemm_type'] : [])],
    ['tp_size', 'isl', 'step', 'model', 'architecture'],
    (row) => ({
      kernel: `${family}.${format(row, 'kv_cache_dtype')}${module ? `.${format(row, 'gemm_type')}` : ''}`,
      shape: [row.number('batch_size'), row.number(length) + added, row.number('num_heads')],
    }),
    (row) => row.text('op_name') === op,
  );
}

function backendOf(row: Row): string {
  const engine = ['framework', 'version'].filter((name) => row.has(name)).map((name) => row.text(name));
  const source = row.has('kernel_source') ? row.text('kernel_source') : 'unnamed kernel';
  return [source, ...engine].join(' ');
}

function format(row: Row, column: string): string {
  const text = row.text(column);
  return formats[text] ?? text;
}

function counts(row: Row, columns: readonly string[]): number[] {
  return columns.map((column) => row.number(column));
}

function optional(row: Row, column: string): number {
  return row.has(column) ? row.number(column) : 0;
}

function heads(row: Row): number[] {
  return [...counts(row, ['num_heads', 'num_key_value_heads', 'head_dim']), optional(row, 'window_size')];
}

function attentionName(family: string, row: Row): string {
  const [own, cache] = [format(row, 'attn_dtype'), format(row, 'kv_cache_dtype')];
  return own === cache ? `${family}.${own}` : `${family}.${own}.kv_${cache}`;
}

function collectiveOf(row: Row): CollectiveOp {
  const name = row.text('op_name') as CollectiveOp;
  return collectiveOps.includes(name) ? name : row.fail('op_name', `"${name}" is none of ${collectiveOps.join(', ')}`);
}

/** The tables measure one node. */
function collectiveName(op: CollectiveOp, backend: string, row: Row): string {
  const gpus = row.number('num_gpus');
  return `${op}.${backend}.${gpus}gpu.${gpus}pernode`;
}

function bytesOf(row: Row, column: string): number {
  return elementBytes[row.text(column)] ?? row.fail(column, `"${row.text(column)}" is none of ${Object.keys(elementBytes).join(', ')}`);
}
