import {type ScaleContinuousNumeric, scaleLinear, scaleLog} from 'd3';
import type {Format} from '../format.js';
import {plotWidth, type Tick} from './frame.js';

export type Scale = ScaleContinuousNumeric<number, number>;

/** A log scale over 0…1000 whose ends are the next 1, 2 or 5 × 10^k outside of `low`…`high`. Both must be above 0. */
export function logScale(low: number, high: number): Scale {
  const from = stepDown(low);
  const to = stepUp(high);
  return scaleLog([from, to > from ? to : from * 10], [0, plotWidth]);
}

function stepDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Number((([5, 2].find((m) => m * power <= value) ?? 1) * power).toPrecision(1));
}

function stepUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Number((([1, 2, 5].find((m) => m * power >= value) ?? 10) * power).toPrecision(1));
}

/** Ticks at 1, 2 and 5 × 10^k over few decades, else at powers of ten; every other one is minor where they are many. */
export function logTicks(scale: Scale, format: Format): Tick[] {
  const [low, high] = scale.domain() as [number, number];
  const steps = Math.log10(high / low) <= 2.4 ? [1, 2, 5] : [1];
  const values: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const step of steps) {
      const value = Number(`${step}e${power}`);
      if (value >= low && value <= high) values.push(value);
    }
  }
  return values.map((value, i) => ({at: scale(value), label: format(value), minor: values.length > 4 && i % 2 === 1}));
}

/** A linear scale over 0…1000. An empty range gets the width 1. */
export function linearX(low: number, high: number): Scale {
  return scaleLinear([low, high > low ? high : low + 1], [0, plotWidth]);
}

/** A linear scale from 0 at the bottom to at least `top` at height 0, ending on a tick. */
export function linearY(top: number, height: number): Scale {
  return scaleLinear([0, top > 0 ? top : 1], [height, 0]).nice(4);
}

/** A scale of shares from 0 to 1, or to `top` where that is more. */
export function shareY(top: number, height: number): Scale {
  return scaleLinear([0, Math.max(1, top)], [height, 0]);
}

/** Ticks of a linear scale whose labels are in `unit`s, so that they are round in that unit. */
export function linearTicks(scale: Scale, wanted: number, unit: number, format: Format): Tick[] {
  const [low, high] = scale.domain() as [number, number];
  const values = scaleLinear([low / unit, high / unit], [0, 1]).ticks(wanted);
  return values.map((value, i) => ({at: scale(value * unit), label: format(value), minor: values.length > 5 && i % 2 === 1}));
}

/** The unit that a time axis of `span` seconds is best read in. */
export function timeUnit(span: number): {readonly name: string; readonly seconds: number} {
  if (span > 5 * 3600) return {name: 'h', seconds: 3600};
  if (span > 600) return {name: 'min', seconds: 60};
  if (span < 1) return {name: 'ms', seconds: 1e-3};
  return {name: 's', seconds: 1};
}

/** The unit that an axis up to `top` bytes is best read in. */
export function byteUnit(top: number): {readonly name: string; readonly bytes: number} {
  const names = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = top > 0 ? Math.min(4, Math.floor(Math.log2(top) / 10)) : 0;
  return {name: names[power]!, bytes: 1024 ** power};
}

/** A y scale in bytes that ends on a round number of its unit. */
export function bytesY(top: number, height: number): Scale {
  const unit = byteUnit(top).bytes;
  const [, end] = scaleLinear([0, top > 0 ? top / unit : 1], [height, 0])
    .nice(4)
    .domain() as [number, number];
  return scaleLinear([0, end * unit], [height, 0]);
}
