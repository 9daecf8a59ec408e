import {aic, type BuiltinConfig, inferenceSim} from './builtin.js';

const latent = {kv_lora_rank: 512, qk_nope_head_dim: 128, qk_rope_head_dim: 64, v_head_dim: 128, torch_dtype: 'bfloat16'};
const v3 = {
  model_type: 'deepseek_v3',
  ...latent,
  q_lora_rank: 1536,
  num_hidden_layers: 61,
  hidden_size: 7168,
  num_attention_heads: 128,
  intermediate_size: 18_432,
  moe_intermediate_size: 2048,
  n_routed_experts: 256,
  num_experts_per_tok: 8,
  n_shared_experts: 1,
  first_k_dense_replace: 3,
  vocab_size: 129_280,
  max_position_embeddings: 163_840,
  // The weights are published in fp8 with one scale for each 128 × 128 block.
  quantization_config: {quant_method: 'fp8', fmt: 'e4m3', activation_scheme: 'dynamic', weight_block_size: [128, 128]},
};

/** DeepSeek V2 and V3, R1, Kimi K2: multi-head latent attention. */
export const deepseeks: Readonly<Record<string, BuiltinConfig>> = {
  'deepseek-v2-lite': {
    config: {
      model_type: 'deepseek_v2',
      ...latent,
      q_lora_rank: null,
      num_hidden_layers: 27,
      hidden_size: 2048,
      num_attention_heads: 16,
      intermediate_size: 10_944,
      moe_intermediate_size: 1408,
      n_routed_experts: 64,
      num_experts_per_tok: 6,
      n_shared_experts: 2,
      first_k_dense_replace: 1,
      vocab_size: 102_400,
      max_position_embeddings: 163_840,
    },
    source: inferenceSim('deepseek-v2-lite'),
  },
  'deepseek-v3': {config: v3, source: aic('deepseek-ai/DeepSeek-V3')},
  'deepseek-r1': {config: v3, source: aic('deepseek-ai/DeepSeek-R1')},
  'kimi-k2': {
    config: {
      ...v3,
      model_type: 'kimi_k2',
      num_attention_heads: 64,
      n_routed_experts: 384,
      first_k_dense_replace: 1,
      vocab_size: 163_840,
      max_position_embeddings: 131_072,
    },
    source: aic('moonshotai/Kimi-K2-Instruct'),
  },
};
