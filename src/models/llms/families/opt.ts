import {eachLayer, type Family, gqa, qkvBiases} from './family.js';

/** OPT: plain feed-forward, biases everywhere, learned positions (two more than the context), head tied to the embedding. */
export const opt: Family = {
  tied: true,
  layers: (config) => {
    const hidden = config.count('hidden_size');
    const width = config.count('ffn_dim');
    const projected = config.count('word_embed_proj_dim', hidden);
    if (projected !== hidden)
      config.fault('word_embed_proj_dim', `${projected} differs from hidden_size ${hidden}, which is not simulated`);
    const attention = gqa(config, {extraParams: (shape) => qkvBiases(shape) + hidden});
    const feedForward = {kind: 'dense', width, matrices: 2, extraParams: width + hidden} as const;
    return eachLayer(config, () => ({attention, feedForward, normParams: 4 * hidden}));
  },
  otherParams: (config) =>
    2 * config.count('hidden_size') + positions(config.count('max_position_embeddings'), config.count('hidden_size')),
};

function positions(context: number, hidden: number): number {
  return (context + 2) * hidden;
}
