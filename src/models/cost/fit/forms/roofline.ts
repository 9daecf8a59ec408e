import type {FitOptions, Fitted, Form, FormName, Sample} from '../fit.js';
import {readFields, readNumber, readQuantity, units, writeQuantity} from '../json.js';
import type {Kernel, KernelWork} from '../kernels/kernel.js';
import {type Range, rangeOf, readRange} from '../range.js';
import {fitSmoothRoofline, type SmoothRoofline, smoothSeconds} from '../smooth-roofline.js';

/** t = o + pnorm(F/P, B/W; p): four constants and nothing else. */
export const pnormForm: Form = rooflineForm('pnorm', 'smooth roofline', false);

/** t = o + max(F/P, B/W): the corner of the textbook, as a yardstick. */
export const maxForm: Form = rooflineForm('max', 'roofline with a sharp corner', true);

function rooflineForm(name: FormName, title: string, sharp: boolean): Form {
  return {
    name,
    title,
    fit: (kernel: Kernel, samples: readonly Sample[], {peaks}: FitOptions) =>
      fitted(name, kernel, fitSmoothRoofline(kernel, samples, peaks, sharp), rangeOf(kernel, samples)),
    load(kernel, json, parse) {
      const {range} = readFields(kernel, json, ['range']);
      return fitted(name, kernel, readRoofline(kernel, json, parse), readRange(kernel, range));
    },
  };
}

function fitted(form: FormName, kernel: Kernel, roofline: SmoothRoofline, range: Range): Fitted {
  const work: KernelWork = {flops: 0, bytes: 0};
  return {
    form,
    predict(shape): number {
      kernel.work(shape, work);
      return smoothSeconds(roofline, work);
    },
    extrapolated: (shape) => range.outside(shape),
    parameters: {...roofline},
    toJson: () => ({form: `${form}/1`, ...writeRoofline(roofline), range: range.toJson()}),
  };
}

/** The four constants as a profile writes them. */
export function writeRoofline({P, W, o, p}: SmoothRoofline) {
  return {P: writeQuantity(P, units.flops), W: writeQuantity(W, units.bandwidth), o: writeQuantity(o, units.duration), p};
}

/** Reads the four constants; throws InputError that names the one that is wrong. */
export function readRoofline(kernel: Kernel, json: Parameters<Form['load']>[1], parse: Parameters<Form['load']>[2]): SmoothRoofline {
  const {P, W, o, p} = readFields(kernel, json, ['P', 'W', 'o', 'p']);
  return {
    P: readQuantity(kernel, 'P', P, 'flops', parse),
    W: readQuantity(kernel, 'W', W, 'bandwidth', parse),
    o: readQuantity(kernel, 'o', o, 'duration', parse),
    p: readNumber(kernel, 'p', p),
  };
}
