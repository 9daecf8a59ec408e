import type {AdmissionEntry} from './policy.js';

/** Admits whatever fits. */
export const none: AdmissionEntry = {
  about: 'admits whatever fits',
  parameter: null,
  create: () => () => Number.POSITIVE_INFINITY,
};
