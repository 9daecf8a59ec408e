/** Knots of residual grids by family of kernel: where the tables have measured, as wide apart as the shares of the peak allow. */
type Grids = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;

/** How a built-in profile is made. */
export interface Recipe {
  /** Device that was measured; its profile has that name. */
  readonly device: string;
  /** Constant of the generated module. */
  readonly constant: string;
  /** Tables, below the folder of kernel tables, and the kernels that are fitted from them. */
  readonly tables: readonly {readonly paths: readonly string[]; readonly kernels: readonly RegExp[]}[];
  readonly grids: Grids;
  /** Decimals of the residuals. */
  readonly decimals: number;
  readonly licence: string;
}

const AIC = 'ai-dynamo/aiconfigurator@095f58a51c4c, Apache-2.0';
const LSS = 'casys-kaist/LLMServingSim@5daddb2, MIT';
const VIDUR = 'microsoft/vidur@7d47513, MIT';

const common = ['gemm', 'context_attention', 'generation_attention', 'moe', 'nccl'];
const aic = (folder: string, tables: readonly string[]) => tables.map((name) => `aiconfigurator/${folder}/${name}.csv.gz`);
const llama = (hardware: string, tables: readonly string[]) =>
  tables.map((name) => `llmservingsim/${hardware}/meta-llama/Llama-3.1-8B/bf16/tp1/${name}.csv.gz`);

const kernels = [
  /^gemm\.(bf16|fp8|fp8_block|nvfp4)$/,
  /^attn\.(prefill|decode)\.bf16(\.kv_fp8)?$/,
  /^moe\.(bf16|fp8|fp8_block|nvfp4|w4a16_mxfp4)\.balanced$/,
  /^mla\./,
  /^all_reduce\.(vllm_graph|vllm_eager|nccl)\./,
  /^all_gather\.nccl\./,
];
const streams = [/^(embedding|add_rmsnorm|rope|silu_mul|sampler)\./];

const grids: Grids = {
  gemm: {
    m: [1, 8, 16, 32, 64, 128, 192, 256, 512, 1024, 2048, 4096, 8192],
    n: [64, 256, 1024, 4096, 8192, 16384, 65536],
    k: [64, 256, 1024, 2048, 4096, 16384],
  },
  'attn.prefill': {
    batch_heads: [1, 4, 8, 16, 32, 64, 256],
    tokens: [1, 16, 128, 256, 512, 1024, 2048, 4096, 16384],
    group: [1, 4, 8],
    head_dim: [64, 128, 256],
  },
  'attn.decode': {
    batch_kv_heads: [1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048],
    reach: [2, 64, 256, 512, 1024, 2048, 4096, 16384, 65536],
    group: [1, 4, 8],
    head_dim: [64, 128, 256],
  },
  moe: {
    tokens: [1, 4, 16, 64, 128, 256, 512, 1024, 4096, 16384],
    expert: [2 ** 17, 2 ** 19, 2 ** 20, 2 ** 21, 2 ** 22, 2 ** 23, 2 ** 24, 2 ** 26],
    share: [4, 16, 32],
    local: [8, 64, 256],
  },
};

const tokens = [1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048];
const streamGrids: Grids = Object.fromEntries(['embedding', 'add_rmsnorm', 'rope', 'silu_mul', 'sampler'].map((op) => [op, {tokens}]));

function range(first: number, last: number, step: number): number[] {
  return Array.from({length: Math.floor((last - first) / step) + 1}, (_, i) => first + i * step);
}

/** Every built-in profile. */
export const recipes: readonly Recipe[] = [
  {
    device: 'a100-sxm-80gb',
    constant: 'a100Sxm80gb',
    tables: [
      {paths: aic('a100_sxm', [...common, 'custom_allreduce', 'context_mla', 'generation_mla']), kernels},
      {paths: ['vidur/a100/Llama-2-7b-hf_mlp.csv.gz', 'vidur/a100/Llama-2-70b-hf_mlp.csv.gz'], kernels: streams},
    ],
    grids,
    decimals: 3,
    licence: `${AIC}; ${VIDUR}`,
  },
  {
    device: 'h100-sxm',
    constant: 'h100Sxm',
    tables: [{paths: aic('h100_sxm', [...common, 'custom_allreduce']), kernels}],
    grids,
    decimals: 2,
    licence: AIC,
  },
  {
    device: 'b200-sxm',
    constant: 'b200Sxm',
    tables: [{paths: aic('b200_sxm', [...common, 'custom_allreduce']), kernels}],
    grids,
    decimals: 2,
    licence: AIC,
  },
  {device: 'l40s', constant: 'l40s', tables: [{paths: aic('l40s', common), kernels}], grids, decimals: 2, licence: AIC},
  {
    device: 'rtx-pro-6000-server',
    constant: 'rtxPro6000Server',
    tables: [
      {paths: aic('rtx_pro_6000_server', [...common, 'custom_allreduce']), kernels},
      {paths: llama('RTXPRO6000', ['dense', 'per_sequence']), kernels: streams},
    ],
    grids: {...grids, ...streamGrids},
    decimals: 2,
    licence: `${AIC}; ${LSS}`,
  },
  {
    device: 'rtx-4090',
    constant: 'rtx4090',
    tables: [
      {
        paths: llama('RTX4090', ['dense', 'per_sequence', 'attention']),
        kernels: [/^gemm\.bf16$/, /^attn\.mixed\.bf16$/, ...streams],
      },
    ],
    grids: {
      // Layers of one model: every width that was measured, and tokens as closely as the kernels step.
      gemm: {
        m: [...range(1, 16, 1), ...range(20, 64, 4), ...range(80, 512, 16), ...range(544, 1024, 32), ...range(1088, 2048, 64)],
        n: [4096, 6144, 28672, 128256],
        k: [4096, 14336],
      },
      ...streamGrids,
      'attn.mixed': {
        chunk: [1, 17, 65, 257, 513, 1025, 2049],
        prefix: [1, 65, 513, 1025, 2049, 4097, 16385],
        decodes: [1, 2, 3, 5, 9, 17, 33, 65, 129],
        context: [1, 17, 129, 257, 513, 1025, 2049, 4097, 8193, 16385],
      },
    },
    decimals: 3,
    licence: LSS,
  },
];
