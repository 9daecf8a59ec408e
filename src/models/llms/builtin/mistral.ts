import {aic, type BuiltinConfig, inferenceSim, litgpt, sized} from './builtin.js';

const mistral7b = {model_type: 'mistral', ...sized(32, 4096, 32, 8, 14_336), max_position_embeddings: 32_768, torch_dtype: 'bfloat16'};
const mixtral = {model_type: 'mixtral', vocab_size: 32_000, num_local_experts: 8, num_experts_per_tok: 2, torch_dtype: 'bfloat16'};

/** Mistral and Mixtral. */
export const mistrals: Readonly<Record<string, BuiltinConfig>> = {
  // The published config states positions 32,768 and a window of 4,096 in every layer.
  'mistral-7b-v0.1': {
    config: {...mistral7b, vocab_size: 32_000, sliding_window: 4096},
    source: 'https://huggingface.co/mistralai/Mistral-7B-v0.1/blob/main/config.json',
  },
  'mistral-7b-v0.3': {config: {...mistral7b, vocab_size: 32_768, sliding_window: null}, source: litgpt},
  'mistral-nemo-12b': {
    config: {...mistral7b, ...sized(40, 5120, 32, 8, 14_336), head_dim: 128, vocab_size: 131_072, max_position_embeddings: 131_072},
    source: inferenceSim('mistral-nemo-instruct-2407'),
  },
  'mixtral-8x7b': {
    config: {...mixtral, ...sized(32, 4096, 32, 8, 14_336), max_position_embeddings: 32_768},
    source: aic('mistralai/Mixtral-8x7B-v0.1'),
  },
  'mixtral-8x22b': {
    config: {...mixtral, ...sized(56, 6144, 48, 8, 16_384), max_position_embeddings: 65_536},
    source: aic('mistralai/Mixtral-8x22B-v0.1'),
  },
};
