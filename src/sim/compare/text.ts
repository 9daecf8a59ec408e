import {countText, digits, durationText, gibText, percentText, rateText} from '../scenario/text.js';
import type {DerivedChange, MetricComparison} from './comparison.js';
import type {ComparedUnit} from './metrics.js';

const shown: Readonly<Record<ComparedUnit, (value: number) => string>> = {
  s: durationText,
  '1/s': (value) => `${rateText(value)} req/s`,
  'tok/s': (value) => `${rateText(value)} tok/s`,
  share: percentText,
  USD: (value) => `$${digits(value, value < 0.1 ? 4 : 2)}`,
};

/** A compared figure with its unit. */
export function figureText(unit: ComparedUnit, value: number): string {
  return shown[unit](value);
}

/** What changed, for people: shares in points, all else in per cent of the value before; null where that is 0. */
export function changeOf({unit, change, change_ci95, difference, difference_ci95}: MetricComparison): {
  readonly value: number | null;
  readonly ci95: [number, number] | null;
  readonly unit: '%' | 'points';
} {
  return unit === 'share' ? {value: change, ci95: change_ci95, unit: 'points'} : {value: difference, ci95: difference_ci95, unit: '%'};
}

/** `−66 % (−71 … −60)`; the interval is left out where there is none. */
export function changeText(metric: MetricComparison): string {
  const {value, ci95, unit} = changeOf(metric);
  if (value === null) return metric.change === 0 ? 'no change' : 'from 0';
  const interval = ci95 === null ? '' : ` (${signed(ci95[0])} … ${signed(ci95[1])})`;
  return `${signed(value)} ${unit}${interval}`;
}

/** A share as signed per cent without the sign of it: 0.031 is `+3.1`. */
export function signed(share: number): string {
  const percent = share * 100;
  const text = digits(Math.abs(percent), Math.abs(percent) < 9.995 ? (Math.abs(percent) < 0.095 ? 2 : 1) : 0);
  if (text === '0') return '0';
  return `${percent < 0 ? '−' : '+'}${text}`;
}

const derivedText: Readonly<Record<DerivedChange['unit'], (value: number) => string>> = {
  bytes: (value) => (value < 2 ** 27 ? `${countText(value)} B` : gibText(value)),
  tokens: countText,
  '': countText,
  'USD/hour': (value) => `$${digits(value, 2)}/hour`,
};

/** A derived figure with its unit. */
export function derivedFigureText({unit}: DerivedChange, value: number): string {
  return derivedText[unit](value);
}

/** How many times as large a derived figure became: `× 2.9`. */
export function factorText({before, after}: DerivedChange): string {
  return before > 0 ? `× ${digits(after / before, after < before ? 2 : 1)}` : '';
}
