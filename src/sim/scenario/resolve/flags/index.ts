import type {Flag} from './flag.js';
import {llamaCppFlags} from './llama-cpp.js';
import {sglangFlags} from './sglang.js';
import {vllmFlags} from './vllm.js';

/** The flags of every engine that has any, by preset. */
export const engineFlags: Readonly<Record<string, Readonly<Record<string, Flag>>>> = {
  vllm: vllmFlags,
  sglang: sglangFlags,
  'llama.cpp': llamaCppFlags,
};
