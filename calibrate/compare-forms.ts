import {randomSplit} from '../src/models/cost/fit/design.js';
import type {FormName, Sample} from '../src/models/cost/fit/fit.js';
import {type HeldOut, heldOut} from '../src/models/cost/fit/held-out.js';
import {forms} from '../src/models/cost/fit/index.js';
import type {Device} from '../src/models/devices/device.js';
import {InputError} from '../src/sim/core/errors.js';
import type {KernelSamples} from './fit-tables.js';
import {peaksFor} from './physics.js';

/** How many samples to fit to: a number, or a share of all. */
export type Points = {readonly count: number} | {readonly share: number};

/** Held-out error of one form on one kernel with one number of points. */
export interface FormRow extends HeldOut {
  readonly points: string;
}

/** Samples that are fitted to at most, and tested on at most, so that a comparison takes seconds. */
const [MOST_TRAINED, MOST_TESTED] = [4000, 5000];

const kernelForms: readonly FormName[] = ['max', 'pnorm', 'pnorm-grid', 'table', 'forest'];
const linkForms: readonly FormName[] = ['alpha-beta', 'two-protocol', 'table', 'forest'];
const storageForms: readonly FormName[] = ['storage', 'pnorm-grid', 'table', 'forest'];

/** Reads `20%,400,100`. Throws InputError on anything else. */
export function parsePoints(text: string): Points[] {
  return text.split(',').map((part) => {
    const share = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(part);
    const value = share === null ? Number(part) : Number(share[1]) / 100;
    if (share !== null && value > 0 && value < 1) return {share: value};
    if (share === null && Number.isInteger(value) && value >= 4) return {count: value};
    throw new InputError(`--points: "${part.trim()}" is neither a whole number ≥ 4 nor a share such as 20%`);
  });
}

/** Every form that suits a kernel, fitted to a random part of its samples and tested on the rest: the same parts for all. */
export function compareForms({kernel, samples}: KernelSamples, points: readonly Points[], device: Device | null): FormRow[] {
  const peaks = device === null ? undefined : peaksFor(kernel, device);
  const options = peaks === undefined ? {} : {peaks};
  const suited = kernel.axes.includes('depth') ? storageForms : kernel.compute === null ? linkForms : kernelForms;
  return points.flatMap((wanted) => {
    const count = Math.min(MOST_TRAINED, 'count' in wanted ? wanted.count : Math.round(wanted.share * samples.length));
    if (count < 4 || samples.length - count < 4) return [];
    const {train, test} = randomSplit(kernel, samples, count);
    const tested: readonly Sample[] = test.slice(0, MOST_TESTED);
    const label = 'count' in wanted ? String(wanted.count) : `${100 * wanted.share} %`;
    return suited.map((name) => ({...heldOut(forms[name], kernel, {train, test: tested}, options), points: label}));
  });
}
