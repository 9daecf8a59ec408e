import {arrivalOrder} from './arrival-order.js';
import type {Scheduling} from './policy.js';
import {steps} from './steps.js';

/** First come, first served. */
export const fcfs: Scheduling = {
  about: 'runs requests in the order of their arrival',
  params: steps,
  create: () => arrivalOrder,
};
