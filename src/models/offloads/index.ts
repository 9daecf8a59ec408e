import {dynamoKvbm} from './dynamo-kvbm.js';
import {llamaServer} from './llama-server.js';
import {lmcache} from './lmcache.js';
import {mooncakeStore} from './mooncake-store.js';
import type {OffloadPreset} from './offload.js';
import {sglangHicache} from './sglang-hicache.js';
import {tensorrtLlm} from './tensorrt-llm.js';
import {vllmOffload} from './vllm-offload.js';

/** How engines keep KV below HBM, by the names of `kv.preset`. */
export const offloads: Readonly<Record<string, OffloadPreset>> = {
  'vllm-offload': vllmOffload,
  'sglang-hicache': sglangHicache,
  lmcache,
  'tensorrt-llm': tensorrtLlm,
  'llama-server': llamaServer,
  'mooncake-store': mooncakeStore,
  'dynamo-kvbm': dynamoKvbm,
};
