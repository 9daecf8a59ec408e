import {checkTopK, eachLayer, type Family, gqa, qkvBiases, slidingLayers, slidingWindow} from './family.js';

/** gpt-oss: every second layer slides, attention sinks, biases on every matrix, experts included. */
export const gptOss: Family = {
  tied: false,
  layers: (config) => {
    const hidden = config.count('hidden_size');
    const width = config.count('intermediate_size');
    const experts = config.firstCount(['num_local_experts', 'num_experts']);
    const topK = config.firstCount(['num_experts_per_tok', 'experts_per_token']);
    checkTopK(config, 'num_experts_per_tok', topK, experts);
    const window = slidingWindow(config);
    const sliding = slidingLayers(config);
    const feedForward = {
      kind: 'moe',
      experts,
      topK,
      width,
      sharedWidth: 0,
      matrices: 3,
      expertExtraParams: 2 * width + hidden,
      extraParams: experts,
    } as const;
    return eachLayer(config, (index) => ({
      attention: gqa(config, {
        window: (sliding?.[index] ?? index % 2 === 0) ? window : null,
        extraParams: (shape) => qkvBiases(shape) + hidden + shape.heads, // output bias and one sink a head
      }),
      feedForward,
      normParams: 2 * hidden,
    }));
  },
  otherParams: (config) => config.count('hidden_size'),
};
