import {checkTopK, eachLayer, type Family, gated, gqa, slidingLayers, slidingWindow} from './family.js';

/** Mistral 7B, Nemo, Small: Llama's layer; every layer slides when `sliding_window` is a number. */
export const mistral: Family = {
  tied: false,
  layers: (config) => {
    const hidden = config.count('hidden_size');
    const window = slidingWindow(config);
    const sliding = slidingLayers(config);
    const feedForward = gated(config);
    return eachLayer(config, (index) => ({
      attention: gqa(config, {window: (sliding?.[index] ?? true) ? window : null}),
      feedForward,
      normParams: 2 * hidden,
    }));
  },
  otherParams: (config) => config.count('hidden_size'),
};

/** Mixtral: Mistral's attention, a router and `num_local_experts` gated experts in each layer. */
export const mixtral: Family = {
  tied: false,
  layers: (config) => {
    const experts = config.count('num_local_experts');
    const topK = config.count('num_experts_per_tok');
    checkTopK(config, 'num_experts_per_tok', topK, experts);
    const attention = gqa(config, {window: slidingWindow(config)});
    const feedForward = {
      kind: 'moe',
      experts,
      topK,
      width: config.count('intermediate_size'),
      sharedWidth: 0,
      matrices: 3,
      expertExtraParams: 0,
      extraParams: 0,
    } as const;
    return eachLayer(config, () => ({attention, feedForward, normParams: 2 * config.count('hidden_size')}));
  },
  otherParams: (config) => config.count('hidden_size'),
};
