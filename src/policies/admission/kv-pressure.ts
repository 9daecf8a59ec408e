import type {AdmissionEntry} from './policy.js';

/** Keeps blocks free for the decodes of those that run: vLLM's watermark is 1 − share. */
export const kvPressure: AdmissionEntry = {
  about: 'admits a request only while the KV in use, with its prompt, stays within a share of HBM',
  parameter: {name: 'share', default: 0.9, about: 'of the KV blocks'},
  create: (share) => (use) => Math.floor(share * use.capacity) - use.held,
};
