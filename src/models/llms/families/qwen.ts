import type {ConfigReader} from '../config-reader.js';
import type {FeedForward} from '../llm.js';
import {checkTopK, eachLayer, type Family, type GqaShape, gated, gqa, qkvBiases, slidingLayers, slidingWindow} from './family.js';

/** Qwen 2 and 2.5: biases on query, key and value; windows only when `use_sliding_window` is true. */
export const qwen2: Family = qwen(qkvBiases, gated);

/** Qwen 1.5/2 MoE: Qwen 2's attention, routed experts, one gated shared expert. */
export const qwen2Moe: Family = qwen(qkvBiases, moe);

/** Qwen 3: norms on query and key instead of biases. */
export const qwen3: Family = qwen(queryKeyNorms, gated);

/** Qwen 3 MoE: Qwen 3's attention, routed experts in every `decoder_sparse_step`-th layer. */
export const qwen3Moe: Family = qwen(queryKeyNorms, moe);

function queryKeyNorms(shape: GqaShape, config: ConfigReader): number {
  return 2 * shape.headDim + (config.flag('attention_bias', false) ? qkvBiases(shape) + config.count('hidden_size') : 0);
}

function qwen(
  attentionParams: (shape: GqaShape, config: ConfigReader) => number,
  feedForward: (config: ConfigReader) => FeedForward,
): Family {
  return {
    tied: false,
    layers: (config) => {
      const slides = sliding(config);
      const sparse = feedForward === moe ? sparseLayers(config) : () => true;
      return eachLayer(config, (index) => ({
        attention: gqa(config, {
          window: slides(index) ? slidingWindow(config) : null,
          extraParams: (shape) => attentionParams(shape, config),
        }),
        feedForward: sparse(index) ? feedForward(config) : gated(config),
        normParams: 2 * config.count('hidden_size'),
      }));
    },
    otherParams: (config) => config.count('hidden_size'),
  };
}

/** The window holds from layer `max_window_layers` on, and only with `use_sliding_window`. */
function sliding(config: ConfigReader): (layer: number) => boolean {
  const types = slidingLayers(config);
  if (types !== null) return (layer) => types[layer];
  if (!config.flag('use_sliding_window', false)) return () => false;
  const first = config.countOrZero('max_window_layers', 28);
  return (layer) => layer >= first;
}

function sparseLayers(config: ConfigReader): (layer: number) => boolean {
  const step = config.count('decoder_sparse_step', 1);
  const dense = new Set(config.list('mlp_only_layers') ?? []);
  return (layer) => !dense.has(layer) && (layer + 1) % step === 0;
}

function moe(config: ConfigReader): FeedForward {
  const experts = config.count('num_experts');
  const topK = config.count('num_experts_per_tok');
  checkTopK(config, 'num_experts_per_tok', topK, experts);
  const sharedWidth = config.countOrZero('shared_expert_intermediate_size', 0);
  return {
    kind: 'moe',
    experts,
    topK,
    width: config.count('moe_intermediate_size'),
    sharedWidth,
    matrices: 3,
    expertExtraParams: 0,
    extraParams: sharedWidth > 0 ? config.count('hidden_size') : 0, // the shared expert's gate
  };
}
