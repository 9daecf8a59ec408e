import {aic, type BuiltinConfig, inferenceSim, litgpt, sized} from './builtin.js';

const llama2 = {model_type: 'llama', vocab_size: 32_000, max_position_embeddings: 4096, torch_dtype: 'float16'};
const llama3 = {model_type: 'llama', vocab_size: 128_256, max_position_embeddings: 8192, torch_dtype: 'bfloat16'};
const llama31 = {...llama3, max_position_embeddings: 131_072};

/** Llama 2, 3, 3.1, 3.2, and models of their shape. */
export const llamas: Readonly<Record<string, BuiltinConfig>> = {
  'llama-2-7b': {config: {...llama2, ...sized(32, 4096, 32, 32, 11_008)}, source: inferenceSim('llama-2-7b-hf')},
  'llama-2-13b': {config: {...llama2, ...sized(40, 5120, 40, 40, 13_824)}, source: litgpt},
  'llama-2-70b': {config: {...llama2, ...sized(80, 8192, 64, 8, 28_672)}, source: litgpt},
  'llama-3-8b': {config: {...llama3, ...sized(32, 4096, 32, 8, 14_336)}, source: litgpt},
  'llama-3-70b': {config: {...llama3, ...sized(80, 8192, 64, 8, 28_672)}, source: litgpt},
  'llama-3.1-8b': {config: {...llama31, ...sized(32, 4096, 32, 8, 14_336)}, source: aic('meta-llama/Meta-Llama-3.1-8B')},
  'llama-3.1-70b': {config: {...llama31, ...sized(80, 8192, 64, 8, 28_672)}, source: aic('meta-llama/Meta-Llama-3.1-70B')},
  'llama-3.1-405b': {config: {...llama31, ...sized(126, 16_384, 128, 8, 53_248)}, source: aic('meta-llama/Meta-Llama-3.1-405B')},
  'llama-3.2-1b': {config: {...llama31, ...sized(16, 2048, 32, 8, 8192), head_dim: 64, tie_word_embeddings: true}, source: litgpt},
  'llama-3.2-3b': {config: {...llama31, ...sized(28, 3072, 24, 8, 8192), head_dim: 128, tie_word_embeddings: true}, source: litgpt},
  'codellama-34b': {
    config: {...llama2, ...sized(48, 8192, 64, 8, 22_016), max_position_embeddings: 16_384},
    source: inferenceSim('codellama-34b-instruct-hf'),
  },
  'yi-34b': {
    config: {...llama2, ...sized(60, 7168, 56, 8, 20_480), vocab_size: 64_000, torch_dtype: 'bfloat16'},
    source: inferenceSim('yi-34b'),
  },
};
