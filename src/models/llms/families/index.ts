import {deepseekV2, deepseekV3} from './deepseek.js';
import type {Family} from './family.js';
import {gemma2, gemma3} from './gemma.js';
import {gptOss} from './gpt-oss.js';
import {llama} from './llama.js';
import {mistral, mixtral} from './mistral.js';
import {opt} from './opt.js';
import {phi, phi3} from './phi.js';
import {qwen2, qwen2Moe, qwen3, qwen3Moe} from './qwen.js';

/** Every family by the `model_type` that config.json files use. */
export const families: Readonly<Record<string, Family>> = {
  deepseek_v2: deepseekV2,
  deepseek_v3: deepseekV3,
  gemma2,
  gemma3,
  gemma3_text: gemma3,
  gpt_oss: gptOss,
  kimi_k2: deepseekV3,
  llama,
  mistral,
  mixtral,
  opt,
  phi,
  phi3,
  qwen2,
  qwen2_moe: qwen2Moe,
  qwen3,
  qwen3_moe: qwen3Moe,
};
