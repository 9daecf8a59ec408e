import {describe, expect, it} from 'vitest';
import {readTable} from '../../calibrate/load.js';
import {kernelTables} from '../../calibrate/tables/index.js';
import {kernelNamed} from '../../src/models/cost/fit/kernels/index.js';

/** The header comment of an assembled aiconfigurator table. */
function comment(constants: Readonly<Record<string, string>>): string {
  return `# source=somewhere@1 latency_unit=ms const=${JSON.stringify({framework: 'VLLM', version: '0.24.0', ...constants})}`;
}

const attention = {attn_dtype: 'bfloat16', kv_cache_dtype: 'fp8', head_dim: '128', kernel_source: 'fa3'};

/** One small table of each kind, and what its first row means. */
const fixtures: readonly {
  kind: string;
  text: string;
  hints?: {model?: string; tensor?: number};
  kernel: string;
  shape: number[];
  seconds: number;
}[] = [
  {
    kind: 'aiconfigurator gemm',
    text: `${comment({op_name: 'gemm', kernel_source: 'torch', gemm_dtype: 'bfloat16'})}\nm,n,k,latency\n8,4096,1024,0.005`,
    kernel: 'gemm.bf16',
    shape: [8, 4096, 1024],
    seconds: 5e-6,
  },
  {
    kind: 'aiconfigurator context_attention',
    text: `${comment({...attention, op_name: 'context_attention'})}\nbatch_size,isl,num_heads,num_key_value_heads,window_size,latency\n2,512,32,8,128,0.25`,
    kernel: 'attn.prefill.bf16.kv_fp8',
    shape: [2, 512, 0, 32, 8, 128, 128],
    seconds: 2.5e-4,
  },
  {
    kind: 'aiconfigurator generation_attention',
    text: `${comment({...attention, op_name: 'generation_attention'})}\nbatch_size,num_heads,num_key_value_heads,step,latency\n4,32,8,1023,0.02`,
    kernel: 'attn.decode.bf16.kv_fp8',
    shape: [4, 1024, 32, 8, 128, 0],
    seconds: 2e-5,
  },
  {
    kind: 'aiconfigurator moe',
    text: `${comment({op_name: 'moe', kernel_source: 'triton', moe_dtype: 'fp8_block'})}\nnum_tokens,hidden_size,inter_size,topk,num_experts,moe_tp_size,moe_ep_size,distribution,latency\n16,2048,768,8,128,2,4,power_law_1.2,0.1`,
    kernel: 'moe.fp8_block.power_law_1_2',
    shape: [16, 2048, 384, 8, 128, 32],
    seconds: 1e-4,
  },
  {
    kind: 'aiconfigurator generation_mla',
    text: `${comment({op_name: 'generation_mla', mla_dtype: 'bfloat16', kv_cache_dtype: 'bfloat16'})}\nnum_heads,batch_size,tp_size,step,latency\n16,4,8,1023,0.3`,
    kernel: 'mla.decode.bf16',
    shape: [4, 1024, 16],
    seconds: 3e-4,
  },
  {
    kind: 'aiconfigurator mla_context_module',
    text: `${comment({op_name: 'mla_context_module', mla_dtype: 'bfloat16', kv_cache_dtype: 'fp8', tp_size: '1', step: '0'})}\nkernel_source,gemm_type,num_heads,batch_size,isl,latency\nFLASHMLA,fp8_block,16,2,512,0.4`,
    kernel: 'mla_module.prefill.fp8.fp8_block',
    shape: [2, 512, 16],
    seconds: 4e-4,
  },
  {
    // 1,024 elements of 2 bytes.
    kind: 'aiconfigurator nccl',
    text: `${comment({kernel_source: 'NCCL'})}\nop_name,nccl_dtype,num_gpus,message_size,latency\nall_gather,half,4,1024,0.009`,
    kernel: 'all_gather.nccl.4gpu.4pernode',
    shape: [2048],
    seconds: 9e-6,
  },
  {
    kind: 'aiconfigurator custom_allreduce',
    text: `${comment({op_name: 'all_reduce', allreduce_dtype: 'bfloat16'})}\nkernel_source,num_gpus,message_size,latency,backend\nvLLM_custom_graph,8,1024,0.005,vllm_graph`,
    kernel: 'all_reduce.vllm_graph.8gpu.8pernode',
    shape: [2048],
    seconds: 5e-6,
  },
  {
    kind: 'vidur all_reduce',
    text: ',time_stats.all_reduce.median,rank,num_workers,size,collective,devices_per_node,max_devices_per_node\n0,0.05,0,16,2048,all_reduce,8,8',
    kernel: 'all_reduce.nccl.16gpu.8pernode',
    shape: [2048],
    seconds: 5e-5,
  },
  {
    // Llama-3.1-8B: 32 query and 8 key/value heads of 128, split over 2.
    kind: 'LLMServingSim attention',
    text: 'prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n512,1024,8,2048,40',
    hints: {model: 'meta-llama/Llama-3.1-8B', tensor: 2},
    kernel: 'attn.mixed.bf16',
    shape: [512, 1024, 8, 2048, 16, 4, 128],
    seconds: 4e-5,
  },
  {
    kind: 'LLMServingSim dense',
    text: 'layer,tokens,time_us\nqkv_proj,64,30',
    hints: {model: 'llama-3.1-8b', tensor: 2},
    kernel: 'gemm.bf16',
    shape: [64, 16 * 128 + 2 * 4 * 128, 4096],
    seconds: 3e-5,
  },
  {
    kind: 'LLMServingSim per_sequence',
    text: 'layer,sequences,time_us\nlm_head,4,1100',
    hints: {model: 'llama-3.1-8b'},
    kernel: 'gemm.bf16',
    shape: [4, 128_256, 4096],
    seconds: 1.1e-3,
  },
  {
    kind: 'LLMServingSim moe',
    text: 'tokens,activated_experts,time_us\n4,16,135',
    hints: {model: 'Qwen/Qwen3-30B-A3B-Instruct-2507'},
    kernel: 'moe.bf16.stated',
    shape: [4, 2048, 768, 8, 128, 128, 16],
    seconds: 1.35e-4,
  },
  {
    kind: 'LLMServingSim v0 layers',
    text: 'layer_name,input,kv_cache,tp_size,latency(ns)\nattn,16,64,2,9000',
    hints: {model: 'llama-3.1-8b'},
    kernel: 'attn.prefill.bf16',
    shape: [1, 16, 64, 16, 4, 128, 0],
    seconds: 9e-6,
  },
  {
    kind: 'LLMServingSim v0 attention',
    text: 'time_stats.attn_prefill.median,time_stats.attn_decode.median,n_embd,n_q_head,n_kv_head,num_tensor_parallel_workers,max_model_len,batch_size,prefill_chunk_size,kv_cache_size,is_prefill,attention_backend\n,0.5,4096,32,8,1,131072,4,0,1023,False,FLASH_ATTENTION',
    kernel: 'attn.decode.bf16',
    shape: [4, 1024, 32, 8, 128, 0],
    seconds: 5e-4,
  },
];

describe.each(fixtures)('$kind', ({kind, text, hints, kernel, shape, seconds}) => {
  it('is told by its columns and read in seconds and bytes', () => {
    const table = readTable(text, 'a.csv', hints);
    expect(table.kind.name).toBe(kind);
    const [first] = table.measurements;
    expect(first).toMatchObject({kernel, shape, line: text.startsWith('#') ? 3 : 2});
    expect(first.seconds).toBeCloseTo(seconds, 12);
    expect(kernelNamed(first.kernel).axes).toHaveLength(shape.length);
  });
});

it('every kind of table has a fixture', () => {
  const without = kernelTables.map(({name}) => name).filter((name) => !fixtures.some(({kind}) => kind === name));
  // Read by the same code as generation_mla, mla_context_module and vidur all_reduce; vidur mlp stands below.
  expect(without).toEqual(['aiconfigurator context_mla', 'aiconfigurator mla_generation_module', 'vidur mlp', 'vidur send_recv']);
});

it('vidur mlp: each row is ten kernels, split by tensor parallelism', () => {
  const operators = [
    'emb',
    'input_layernorm',
    'attn_pre_proj',
    'attn_rope',
    'attn_post_proj',
    'post_attention_layernorm',
    'mlp_up_proj',
    'mlp_act',
    'mlp_down_proj',
    'add',
  ];
  const model = 'n_head,n_kv_head,n_embd,n_expanded_embd,vocab_size,use_gated_mlp,num_tokens,num_tensor_parallel_workers';
  const header = `${operators.map((op) => `time_stats.${op}.median`).join(',')},${model}`;
  const {measurements} = readTable(`${header}\n1,2,3,4,5,6,7,8,9,10,64,8,8192,28672,32768,True,512,4`, 'mlp.csv');
  // 16 query heads and 2 key/value heads of 128 a device; half of the MLP's width of 7,168 twice.
  expect(measurements.map(({kernel, shape, seconds}) => [kernel, ...shape, seconds])).toEqual([
    ['embedding.fp16', 512, 8192, 1e-3],
    ['rmsnorm.fp16', 512, 8192, 2e-3],
    ['gemm.fp16', 512, 16 * 128 + 4 * 128, 8192, 3e-3],
    ['rope.fp16', 512, 18 * 128, 4e-3],
    ['gemm.fp16', 512, 8192, 16 * 128, 5e-3],
    ['rmsnorm.fp16', 512, 8192, 6e-3],
    ['gemm.fp16', 512, 2 * 7168, 8192, 7e-3],
    ['silu_mul.fp16', 512, 7168, 8e-3],
    ['gemm.fp16', 512, 8192, 7168, 9e-3],
    ['add.fp16', 512, 8192, 1e-2],
  ]);
});

const gemm = `${comment({op_name: 'gemm', kernel_source: 'torch', gemm_dtype: 'bfloat16'})}\n`;

describe('what is wrong with a table is named with file and line', () => {
  it.each([
    [
      'a missing column, and the one that may be it',
      `${gemm}m,n,K,latency\n1,2,3,4`,
      'a.csv:2 column "k" of a table of aiconfigurator gemm is missing (is it "K"?)',
    ],
    [
      'an unknown column',
      `${gemm}m,n,k,latency,kv_cache_save\n1,2,3,4,5`,
      'a.csv:2 column "kv_cache_save" is unknown in a table of aiconfigurator gemm',
    ],
    ['columns of nothing known', 'a,b,c\n1,2,3', 'a.csv:1 these columns are no kernel table that is known: a,b,c'],
    ['a shape that is no number', `${gemm}m,n,k,latency\n1,2,3,4\n1,x,3,4`, 'a.csv:4 n: "x" is not a number'],
    ['a row with too few cells', `${gemm}m,n,k,latency\n1,2,3`, 'a.csv:3 3 cells in a table of 4 columns'],
    ['no header', '', 'a.csv:1 there is no header'],
    ['constants that are not JSON', '# const={"m":}\nm,n,k,latency', 'a.csv:1 const=… is not JSON'],
    ['an unknown layer', 'layer,tokens,time_us\nqvk_proj,1,2', 'a.csv:2 layer: unknown layer "qvk_proj"'],
    [
      'an unknown collective',
      `${comment({})}\nop_name,nccl_dtype,num_gpus,message_size,latency\ngossip,half,2,1,1`,
      'a.csv:3 op_name: "gossip" is none of all_reduce',
    ],
  ])('%s', (_what, text, message) => {
    expect(() => readTable(text, 'a.csv', {model: 'llama-3.1-8b'})).toThrow(message);
  });

  it('layers without a model', () => {
    expect(() => readTable('layer,tokens,time_us\nqkv_proj,1,2', 'a.csv')).toThrow(
      'a.csv: its rows name layers, and nothing says of which model; name it with --model',
    );
  });

  it('a model that is not known', () => {
    expect(() => readTable('layer,tokens,time_us\nqkv_proj,1,2', 'a.csv', {model: 'llama-9'})).toThrow('unknown model "llama-9"');
  });
});

it('a time that is empty or no number is read as such, to be counted later', () => {
  const {measurements} = readTable(`${gemm}m,n,k,latency\n1,2,3,\n1,2,3,nan\n1,2,3,-1`, 'a.csv');
  expect(measurements.map(({seconds}) => seconds)).toEqual([Number.NaN, Number.NaN, -1e-3]);
});
