import type {Peaks, Sample} from './fit.js';
import type {Kernel, KernelWork} from './kernels/kernel.js';
import {fitFrom} from './levenberg-marquardt.js';
import {rounded} from './numbers.js';

/** t = o + pnorm(F/P, B/W; p): four constants that a datasheet would recognise. */
export interface SmoothRoofline {
  /** FLOP/s. */
  readonly P: number;
  /** B/s. */
  readonly W: number;
  /** Seconds of a launch that does nothing. */
  readonly o: number;
  /** Sharpness of the corner: 1 adds both times, 8 is almost their maximum. */
  readonly p: number;
}

const [SHARPEST, BLUNTEST] = [8, 1];
/** A launch costs between 0.01 µs and 20 ms. */
const [LEAST_LAUNCH, MOST_LAUNCH] = [1e-8, 2e-2];
/** Samples beyond this are thinned: four constants need no more. */
const ENOUGH = 2000;

/** The smooth maximum (aᵖ + bᵖ)^(1/p) of two times, written so that no power overflows. */
export function pnorm(a: number, b: number, p: number): number {
  const most = Math.max(a, b);
  const least = Math.min(a, b);
  if (most === 0) return 0;
  return most * (1 + (least / most) ** p) ** (1 / p);
}

/** Seconds of `work` on a smooth roofline. */
export function smoothSeconds({P, W, o, p}: SmoothRoofline, {flops, bytes}: Readonly<KernelWork>): number {
  return o + pnorm(flops / P, bytes / W, p);
}

/**
 * Fits the four constants on log residuals.
 *
 * P and W stay within 1.05 × the device's peaks, or 1.5 × the best rate among the samples when no device is named. With `sharp` the corner is a true maximum.
 */
export function fitSmoothRoofline(kernel: Kernel, samples: readonly Sample[], peaks: Peaks | undefined, sharp = false): SmoothRoofline {
  const {flops, bytes, logs, shortest} = columnsOf(kernel, samples);
  const prior = peaks ?? bestRates(flops, bytes, logs);
  const corner = sharp ? 64 : SHARPEST;
  const bounded = (value: number, scale: number) => [Math.log(1e-3 * value), Math.log(scale * value)];
  const scale = peaks === undefined ? 1.5 : 1.05;
  const [lowP, highP] = bounded(prior.flops, scale);
  const [lowW, highW] = bounded(prior.bandwidth, scale);
  const launch = Math.min(MOST_LAUNCH, Math.max(LEAST_LAUNCH, shortest));
  const start = (share: number, part: number, p: number) => [
    Math.log(share * prior.flops),
    Math.log(share * prior.bandwidth),
    Math.log(part * launch),
    Math.log(sharp ? corner : p),
  ];
  const found = fitFrom([start(0.8, 0.8, 2), start(0.5, 0.4, 1.3), start(0.3, 0.9, 5)], {
    count: logs.length,
    low: [lowP, lowW, Math.log(LEAST_LAUNCH), Math.log(sharp ? corner : BLUNTEST)],
    high: [highP, highW, Math.log(MOST_LAUNCH), Math.log(corner)],
    residuals([logP, logW, logO, logp], into): void {
      const [P, W, o, p] = [Math.exp(logP), Math.exp(logW), Math.exp(logO), Math.exp(logp)];
      for (let i = 0; i < into.length; i++) into[i] = Math.log(o + pnorm(flops[i] / P, bytes[i] / W, p)) - logs[i];
    },
  });
  const [P, W, o, p] = [...found].map((value) => rounded(Math.exp(value)));
  return {P, W, o, p};
}

function columnsOf(kernel: Kernel, samples: readonly Sample[]) {
  const step = Math.max(1, samples.length / ENOUGH);
  const count = Math.floor(samples.length / step);
  const flops = new Float64Array(count);
  const bytes = new Float64Array(count);
  const logs = new Float64Array(count);
  const work: KernelWork = {flops: 0, bytes: 0};
  let shortest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const {shape, seconds} = samples[Math.floor(i * step)];
    kernel.work(shape, work);
    flops[i] = work.flops;
    bytes[i] = work.bytes;
    logs[i] = Math.log(seconds);
    shortest = Math.min(shortest, seconds);
  }
  return {flops, bytes, logs, shortest};
}

function bestRates(flops: Float64Array, bytes: Float64Array, logs: Float64Array): Peaks {
  let best = {flops: 1, bandwidth: 1};
  for (let i = 0; i < logs.length; i++) {
    const seconds = Math.exp(logs[i]);
    best = {flops: Math.max(best.flops, flops[i] / seconds), bandwidth: Math.max(best.bandwidth, bytes[i] / seconds)};
  }
  return best;
}
