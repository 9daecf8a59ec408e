import {aic, type BuiltinConfig, inferenceSim, litgpt, sized} from './builtin.js';

const qwen25 = {model_type: 'qwen2', vocab_size: 152_064, max_position_embeddings: 131_072, torch_dtype: 'bfloat16'};
const small = {vocab_size: 151_936, max_position_embeddings: 32_768, tie_word_embeddings: true};
const qwen3 = {model_type: 'qwen3', head_dim: 128, vocab_size: 151_936, max_position_embeddings: 40_960, torch_dtype: 'bfloat16'};
const qwen3Moe = {...qwen3, model_type: 'qwen3_moe', decoder_sparse_step: 1};

/** Qwen 2.5 and 3, dense and mixture of experts. */
export const qwens: Readonly<Record<string, BuiltinConfig>> = {
  'qwen2.5-0.5b': {config: {...qwen25, ...sized(24, 896, 14, 2, 4864), ...small}, source: litgpt},
  'qwen2.5-1.5b': {config: {...qwen25, ...sized(28, 1536, 12, 2, 8960), ...small, max_position_embeddings: 131_072}, source: litgpt},
  'qwen2.5-3b': {config: {...qwen25, ...sized(36, 2048, 16, 2, 11_008), ...small}, source: litgpt},
  'qwen2.5-7b': {
    config: {...qwen25, ...sized(28, 3584, 28, 4, 18_944), max_position_embeddings: 32_768},
    source: inferenceSim('qwen2.5-7b-instruct'),
  },
  'qwen2.5-14b': {config: {...qwen25, ...sized(48, 5120, 40, 8, 13_824)}, source: litgpt},
  'qwen2.5-32b': {config: {...qwen25, ...sized(64, 5120, 40, 8, 27_648)}, source: litgpt},
  'qwen2.5-72b': {config: {...qwen25, ...sized(80, 8192, 64, 8, 29_568)}, source: litgpt},
  'qwen3-0.6b': {config: {...qwen3, ...sized(28, 1024, 16, 8, 3072), tie_word_embeddings: true}, source: aic('Qwen/Qwen3-0.6B')},
  'qwen3-4b': {config: {...qwen3, ...sized(36, 2560, 32, 8, 9728), tie_word_embeddings: true}, source: litgpt},
  'qwen3-8b': {config: {...qwen3, ...sized(36, 4096, 32, 8, 12_288)}, source: aic('Qwen/Qwen3-8B')},
  'qwen3-14b': {config: {...qwen3, ...sized(40, 5120, 40, 8, 17_408)}, source: inferenceSim('qwen3-14b')},
  'qwen3-32b': {config: {...qwen3, ...sized(64, 5120, 64, 8, 25_600)}, source: aic('Qwen/Qwen3-32B')},
  'qwen3-30b-a3b': {
    config: {...qwen3Moe, ...sized(48, 2048, 32, 4, 6144), num_experts: 128, num_experts_per_tok: 8, moe_intermediate_size: 768},
    source: aic('Qwen/Qwen3-30B-A3B'),
  },
  'qwen3-235b-a22b': {
    config: {...qwen3Moe, ...sized(94, 4096, 64, 4, 12_288), num_experts: 128, num_experts_per_tok: 8, moe_intermediate_size: 1536},
    source: aic('Qwen/Qwen3-235B-A22B'),
  },
  'qwen3-coder-480b-a35b': {
    config: {
      ...qwen3Moe,
      ...sized(62, 6144, 96, 8, 8192),
      max_position_embeddings: 262_144,
      num_experts: 160,
      num_experts_per_tok: 8,
      moe_intermediate_size: 2560,
    },
    source: aic('Qwen/Qwen3-Coder-480B-A35B-Instruct'),
  },
};
