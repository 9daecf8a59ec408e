import {eachLayer, type Family, gated, gqa, qkvBiases, slidingWindow} from './family.js';

/** Phi-1.5 and Phi-2: attention and a plain feed-forward side by side after one layer norm, biases everywhere, on the head too. */
export const phi: Family = {
  tied: false,
  layers: (config) => {
    const hidden = config.count('hidden_size');
    const width = config.count('intermediate_size');
    const attention = gqa(config, {extraParams: (shape) => qkvBiases(shape) + hidden});
    const feedForward = {kind: 'dense', width, matrices: 2, extraParams: width + hidden} as const;
    return eachLayer(config, () => ({attention, feedForward, normParams: 2 * hidden}));
  },
  otherParams: (config) => 2 * config.count('hidden_size') + config.count('vocab_size'),
};

/** Phi-3, 3.5 and 4: Llama's layer; every layer slides when `sliding_window` is shorter than the context. */
export const phi3: Family = {
  tied: false,
  layers: (config) => {
    const attention = gqa(config, {window: slidingWindow(config)});
    const feedForward = gated(config);
    return eachLayer(config, () => ({attention, feedForward, normParams: 2 * config.count('hidden_size')}));
  },
  otherParams: (config) => config.count('hidden_size'),
};
