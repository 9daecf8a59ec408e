import {aic, type BuiltinConfig} from './builtin.js';

const shared = {
  model_type: 'gpt_oss',
  hidden_size: 2880,
  intermediate_size: 2880,
  num_attention_heads: 64,
  num_key_value_heads: 8,
  head_dim: 64,
  num_experts_per_tok: 4,
  sliding_window: 128,
  vocab_size: 201_088,
  max_position_embeddings: 131_072,
  torch_dtype: 'bfloat16',
  // Published with experts in MXFP4 and everything else in bf16.
  quantization_config: {
    quant_method: 'mxfp4',
    modules_to_not_convert: ['model.layers.*.self_attn', 'model.layers.*.mlp.router', 'model.embed_tokens', 'lm_head'],
  },
};

/** gpt-oss: sliding and full layers in turn. */
export const gptOsses: Readonly<Record<string, BuiltinConfig>> = {
  'gpt-oss-20b': {config: {...shared, num_hidden_layers: 24, num_local_experts: 32}, source: aic('openai/gpt-oss-20b')},
  'gpt-oss-120b': {config: {...shared, num_hidden_layers: 36, num_local_experts: 128}, source: aic('openai/gpt-oss-120b')},
};
