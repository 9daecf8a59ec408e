import type {ConfigReader} from '../config-reader.js';
import {eachLayer, type Family, gated, gqa, slidingLayers, slidingWindow} from './family.js';

/** Gemma 2: sliding and full layers in turn, the first one slides; four norms a layer. */
export const gemma2: Family = gemma((index) => index % 2 === 0, false, {
  head_dim: 256,
  sliding_window: 4096,
  max_position_embeddings: 8192,
});

/** Gemma 3: every sixth layer is full; norms on query and key. Defaults are those of transformers' Gemma3TextConfig, which published configs leave out. */
export const gemma3: Family = gemma(everySixthFull, true, {
  vocab_size: 262_208,
  head_dim: 256,
  num_attention_heads: 8,
  num_key_value_heads: 4,
  sliding_window: 4096,
  max_position_embeddings: 131_072,
});

function everySixthFull(index: number, config: ConfigReader): boolean {
  const pattern = config.firstCount(['sliding_window_pattern', '_sliding_window_pattern'], 6);
  return (index + 1) % pattern !== 0;
}

function gemma(
  slides: (index: number, config: ConfigReader) => boolean,
  norms: boolean,
  defaults: Readonly<Record<string, number>>,
): Family {
  return {
    tied: true,
    defaults,
    layers: (config) => {
      const types = slidingLayers(config);
      const window = slidingWindow(config);
      const feedForward = gated(config);
      return eachLayer(config, (index) => ({
        attention: gqa(config, {
          window: (types?.[index] ?? slides(index, config)) ? window : null,
          extraParams: (shape) => (norms ? 2 * shape.headDim : 0),
        }),
        feedForward,
        normParams: 4 * config.count('hidden_size'),
      }));
    },
    otherParams: (config) => config.count('hidden_size'),
  };
}
