import type {Fitted, Form, Sample} from '../fit.js';
import {readFields, readNumber, readQuantity, units, writeQuantity} from '../json.js';
import type {Kernel, KernelWork} from '../kernels/kernel.js';
import {fitFrom} from '../levenberg-marquardt.js';
import {rounded} from '../numbers.js';
import {type Range, rangeOf, readRange} from '../range.js';
import {pnorm} from '../smooth-roofline.js';

interface Constants {
  /** Seconds from the request of a byte to its arrival, alone. */
  readonly a: number;
  /** B/s of the device. */
  readonly W: number;
  /** Seconds that a request occupies the device beside its bytes: 1/c is the most requests a second. */
  readonly c: number;
  /** Sharpness of the corner. */
  readonly p: number;
}

/**
 * Seconds per request of a storage device that has `depth` requests in flight: the smooth maximum of latency shared by the
 * queue, (a + bytes/W)/depth, and the device's own occupation, c + bytes/W.
 */
export const storage: Form = {
  name: 'storage',
  title: 'latency/queue depth, bandwidth and cost per request',
  fit(kernel: Kernel, samples: readonly Sample[]): Fitted {
    const logs = Float64Array.from(samples, ({seconds}) => Math.log(seconds));
    const bytes = Float64Array.from(samples, ({shape}) => bytesOf(kernel, shape));
    const depths = Float64Array.from(samples, ({shape}) => shape[1]);
    const fastest = bytes.reduce((most, size, i) => Math.max(most, size / Math.exp(logs[i])), 1);
    const shortest = Math.exp(logs.reduce((least, log) => Math.min(least, log), Number.POSITIVE_INFINITY));
    const longest = Math.exp(logs.reduce((most, log) => Math.max(most, log), Number.NEGATIVE_INFINITY));
    const start = (a: number, W: number, c: number, p: number) => [a * shortest, W * fastest, c * shortest, p].map(Math.log);
    const found = fitFrom([start(4, 1, 0.5, 3), start(1.5, 1.1, 0.9, 2), start(30, 0.9, 0.3, 5)], {
      count: samples.length,
      low: [shortest / 100, fastest / 100, shortest / 100, 1].map(Math.log),
      high: [longest * 10, fastest * 1.5, shortest * 2, 8].map(Math.log),
      residuals([a, W, c, p], into): void {
        const constants = {a: Math.exp(a), W: Math.exp(W), c: Math.exp(c), p: Math.exp(p)};
        for (let i = 0; i < into.length; i++) into[i] = Math.log(requestSeconds(constants, bytes[i], depths[i])) - logs[i];
      },
    });
    const [a, W, c, p] = [...found].map((value) => rounded(Math.exp(value)));
    return fitted(kernel, {a, W, c, p}, rangeOf(kernel, samples));
  },
  load(kernel, json, parse): Fitted {
    const {a, W, c, p, range} = readFields(kernel, json, ['a', 'W', 'c', 'p', 'range']);
    const constants = {
      a: readQuantity(kernel, 'a', a, 'duration', parse),
      W: readQuantity(kernel, 'W', W, 'bandwidth', parse),
      c: readQuantity(kernel, 'c', c, 'duration', parse),
      p: readNumber(kernel, 'p', p),
    };
    return fitted(kernel, constants, readRange(kernel, range));
  },
};

function requestSeconds({a, W, c, p}: Constants, bytes: number, depth: number): number {
  return pnorm((a + bytes / W) / depth, c + bytes / W, p);
}

function fitted(kernel: Kernel, constants: Constants, range: Range): Fitted {
  return {
    form: 'storage',
    predict: (shape) => requestSeconds(constants, bytesOf(kernel, shape), shape[1]),
    extrapolated: (shape) => range.outside(shape),
    parameters: {...constants},
    toJson: () => ({
      form: 'storage/1',
      a: writeQuantity(constants.a, units.duration),
      W: writeQuantity(constants.W, units.bandwidth),
      c: writeQuantity(constants.c, units.duration),
      p: constants.p,
      range: range.toJson(),
    }),
  };
}

function bytesOf(kernel: Kernel, shape: readonly number[]): number {
  const work: KernelWork = {flops: 0, bytes: 0};
  kernel.work(shape, work);
  return work.bytes;
}
