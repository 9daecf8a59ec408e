import {type BuiltinConfig, flexllmgen} from './builtin.js';

function size(layers: number, hidden: number, heads: number): BuiltinConfig {
  return {
    config: {
      model_type: 'opt',
      num_hidden_layers: layers,
      hidden_size: hidden,
      num_attention_heads: heads,
      ffn_dim: 4 * hidden,
      vocab_size: 50_272,
      max_position_embeddings: 2048,
      torch_dtype: 'float16',
    },
    source: flexllmgen,
  };
}

/** OPT from 1.3B to 175B. */
export const opts: Readonly<Record<string, BuiltinConfig>> = {
  'opt-1.3b': size(24, 2048, 32),
  'opt-2.7b': size(32, 2560, 32),
  'opt-6.7b': size(32, 4096, 32),
  'opt-13b': size(40, 5120, 40),
  'opt-30b': size(48, 7168, 56),
  'opt-66b': size(64, 9216, 72),
  'opt-175b': size(96, 12_288, 96),
};
