import {arrivalOrder} from './arrival-order.js';
import type {Scheduling} from './policy.js';

/** Decode-maximal batches: every decode runs, and the chunk of one prompt fills the step (Agrawal et al., SARATHI, 2023). */
export const decodeFirst: Scheduling = {
  about: 'runs every decode in every step, and fills the step with the chunk of one prompt',
  params: {prompts: {kind: 'count', default: 1, about: 'prompts that may share a step'}},
  steps: 'mixed',
  create: () => arrivalOrder,
};
