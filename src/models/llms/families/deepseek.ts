import type {ConfigReader} from '../config-reader.js';
import type {Attention, FeedForward} from '../llm.js';
import {checkTopK, eachLayer, type Family, gated} from './family.js';

/** DeepSeek-V2: multi-head latent attention, fine-grained and shared experts, dense first layers. */
export const deepseekV2: Family = deepseek(false);

/** DeepSeek-V3, R1 and Kimi K2: V2 with a bias on each expert's routing score. Multi-token-prediction layers are not counted. */
export const deepseekV3: Family = deepseek(true);

function deepseek(routerBias: boolean): Family {
  return {
    tied: false,
    layers: (config) => {
      const attention = latentAttention(config);
      const hidden = config.count('hidden_size');
      const dense = config.countOrZero('first_k_dense_replace', 0);
      const step = config.count('moe_layer_freq', 1);
      return eachLayer(config, (index) => ({
        attention,
        feedForward: index >= dense && index % step === 0 ? moe(config, routerBias) : gated(config),
        normParams: 2 * hidden,
      }));
    },
    otherParams: (config) => config.count('hidden_size'),
  };
}

function latentAttention(config: ConfigReader): Attention {
  const qLoraRank = config.has('q_lora_rank') ? config.count('q_lora_rank') : null;
  const kvLoraRank = config.count('kv_lora_rank');
  return {
    kind: 'mla',
    heads: config.count('num_attention_heads'),
    qLoraRank,
    kvLoraRank,
    nopeDim: config.count('qk_nope_head_dim'),
    ropeDim: config.count('qk_rope_head_dim'),
    valueDim: config.count('v_head_dim'),
    extraParams: (qLoraRank ?? 0) + kvLoraRank, // norms of the two latents
  };
}

function moe(config: ConfigReader, routerBias: boolean): FeedForward {
  const experts = config.count('n_routed_experts');
  const topK = config.count('num_experts_per_tok');
  checkTopK(config, 'num_experts_per_tok', topK, experts);
  const width = config.count('moe_intermediate_size');
  return {
    kind: 'moe',
    experts,
    topK,
    width,
    sharedWidth: config.countOrZero('n_shared_experts', 0) * width,
    matrices: 3,
    expertExtraParams: 0,
    extraParams: routerBias ? experts : 0,
  };
}
