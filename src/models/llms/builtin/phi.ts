import {type BuiltinConfig, litgpt, sized} from './builtin.js';

const mini = {model_type: 'phi3', ...sized(32, 3072, 32, 32, 8192), vocab_size: 32_064, torch_dtype: 'bfloat16'};

/** Phi 2, 3, 3.5 and 4. */
export const phis: Readonly<Record<string, BuiltinConfig>> = {
  'phi-2': {
    config: {
      model_type: 'phi',
      ...sized(32, 2560, 32, 32, 10_240),
      vocab_size: 51_200,
      max_position_embeddings: 2048,
      torch_dtype: 'float16',
    },
    source: litgpt,
  },
  // litgpt states a window of 2,048 tokens in every layer.
  'phi-3-mini-4k': {config: {...mini, max_position_embeddings: 4096, sliding_window: 2048}, source: litgpt},
  'phi-3-mini-128k': {config: {...mini, max_position_embeddings: 131_072}, source: litgpt},
  'phi-3.5-mini': {config: {...mini, max_position_embeddings: 131_072}, source: litgpt},
  'phi-4': {
    config: {
      model_type: 'phi3',
      ...sized(40, 5120, 40, 10, 17_920),
      vocab_size: 100_352,
      max_position_embeddings: 16_384,
      torch_dtype: 'bfloat16',
    },
    source: litgpt,
  },
};
