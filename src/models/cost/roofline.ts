import type {Device} from '../devices/device.js';
import type {Llm} from '../llms/llm.js';
import {StepCost, type StepOptions} from './step-cost.js';

/** What a roofline needs beside model and device. */
export type RooflineOptions = Omit<StepOptions, 'fits'>;

/** The cost of steps of `llm` on `tensor` devices of one kind, with nothing measured. Throws InputError when heads do not divide or a peak or link is missing. */
export function roofline(llm: Llm, device: Device, options: RooflineOptions): StepCost {
  return new StepCost(llm, device, {...options, fits: 'roofline'});
}
