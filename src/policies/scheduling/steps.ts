import type {Parameter} from './policy.js';

/** The parameter of every policy that is about the order of the queue only: what its steps are made of. */
export const steps = {
  steps: {
    kind: 'name',
    names: ['engine', 'mixed', 'prefill-first'],
    default: 'engine',
    about:
      'mixed: decodes, and prompts in what is left of the budget; prefill-first: prompts alone while there are any; engine: as the preset does',
  },
} as const satisfies Record<string, Parameter>;
