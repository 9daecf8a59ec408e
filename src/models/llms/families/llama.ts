import {eachLayer, type Family, gated, gqa, qkvBiases} from './family.js';

/** Llama 2 and 3, and models that publish as `llama` (CodeLlama, Yi): two norms a layer, biases only where the config says so. */
export const llama: Family = {
  tied: false,
  layers: (config) => {
    const hidden = config.count('hidden_size');
    const width = config.count('intermediate_size');
    const attention = gqa(config, {extraParams: (shape) => (config.flag('attention_bias', false) ? qkvBiases(shape) + hidden : 0)});
    const feedForward = gated(config, config.flag('mlp_bias', false) ? 2 * width + hidden : 0);
    return eachLayer(config, () => ({attention, feedForward, normParams: 2 * hidden}));
  },
  otherParams: (config) => config.count('hidden_size'),
};
