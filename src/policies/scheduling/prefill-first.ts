import {arrivalOrder} from './arrival-order.js';
import type {Scheduling} from './policy.js';

/** Whole prompts before decodes, which stall meanwhile: vLLM's V0 engine without chunked prefill, SGLang without mixed chunks. */
export const prefillFirst: Scheduling = {
  about: 'computes prompts alone, in the order of their arrival; decodes stall while any prompt can run',
  params: {},
  steps: 'prefill-first',
  create: () => arrivalOrder,
};
