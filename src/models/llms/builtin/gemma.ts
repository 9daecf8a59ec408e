import {type BuiltinConfig, litgpt, sized} from './builtin.js';

const gemma2 = {model_type: 'gemma2', vocab_size: 256_000, max_position_embeddings: 8192, sliding_window: 4096, torch_dtype: 'bfloat16'};
// litgpt states 262,144 tokens; the checkpoints of 4B and up hold 262,208 rows, the default of transformers' Gemma3TextConfig.
const gemma3 = {
  model_type: 'gemma3_text',
  vocab_size: 262_208,
  max_position_embeddings: 131_072,
  sliding_window: 1024,
  torch_dtype: 'bfloat16',
};

/** Gemma 2 and 3, text part. */
export const gemmas: Readonly<Record<string, BuiltinConfig>> = {
  'gemma-2-2b': {config: {...gemma2, ...sized(26, 2304, 8, 4, 9216), head_dim: 256}, source: litgpt},
  'gemma-2-9b': {config: {...gemma2, ...sized(42, 3584, 16, 8, 14_336), head_dim: 256}, source: litgpt},
  'gemma-2-27b': {config: {...gemma2, ...sized(46, 4608, 32, 16, 36_864), head_dim: 128}, source: litgpt},
  'gemma-3-1b': {
    config: {
      ...gemma3,
      ...sized(26, 1152, 4, 1, 6912),
      head_dim: 256,
      vocab_size: 262_144,
      sliding_window: 512,
      max_position_embeddings: 32_768,
    },
    source: litgpt,
  },
  'gemma-3-4b': {config: {...gemma3, ...sized(34, 2560, 8, 4, 10_240), head_dim: 256}, source: litgpt},
  'gemma-3-12b': {config: {...gemma3, ...sized(48, 3840, 16, 8, 15_360), head_dim: 256}, source: litgpt},
  'gemma-3-27b': {config: {...gemma3, ...sized(62, 5376, 32, 16, 21_504), head_dim: 128}, source: litgpt},
};
