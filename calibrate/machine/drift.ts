import type {KernelFit} from '../../src/models/cost/fit/fit.js';
import type {KernelSamples} from '../fit-tables.js';

/** How one kernel's time changed between two profiles, over shapes that both measured. */
export interface KernelChange {
  readonly kernel: string;
  /** New over old: geometric mean, least, most. */
  readonly ratio: number;
  readonly least: number;
  readonly most: number;
  /** Both fits' mean errors together: a mean ratio within 1 ± this shows nothing. */
  readonly uncertainty: number;
  readonly verdict: 'slower' | 'faster' | 'no difference shown' | 'no shape in common';
}

/** Values that each axis is compared at, from the least to the most that both measured. */
const STEPS = 4;

/** Ratio of predicted times, new over old, at a grid of shapes inside both ranges. */
export function changeOf(before: KernelFit, after: KernelFit): KernelChange {
  const uncertainty = Math.hypot(before.error?.mape ?? 0, after.error?.mape ?? 0);
  const logs = commonShapes(before, after).map((shape) => Math.log(after.fitted.predict(shape) / before.fitted.predict(shape)));
  return judged(before.kernel.name, logs, uncertainty);
}

/** Ratio of measured to predicted times: whether a profile still says what a machine does. */
export function checkOf(fit: KernelFit, {samples}: KernelSamples): KernelChange {
  const logs = samples
    .filter(({shape}) => !fit.fitted.extrapolated(shape))
    .map(({shape, seconds}) => Math.log(seconds / fit.fitted.predict(shape)));
  return judged(fit.kernel.name, logs, fit.error?.mape ?? 0);
}

function judged(kernel: string, logs: readonly number[], uncertainty: number): KernelChange {
  if (logs.length === 0) return {kernel, ratio: 1, least: 1, most: 1, uncertainty, verdict: 'no shape in common'};
  const ratio = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
  const shown = Math.abs(ratio - 1) > uncertainty;
  return {
    kernel,
    ratio,
    least: Math.exp(Math.min(...logs)),
    most: Math.exp(Math.max(...logs)),
    uncertainty,
    verdict: !shown ? 'no difference shown' : ratio > 1 ? 'slower' : 'faster',
  };
}

function commonShapes(before: KernelFit, after: KernelFit): number[][] {
  const ranges = [before, after].map(({fitted}) => fitted.toJson()['range'] as Readonly<Record<string, readonly [number, number]>>);
  let shapes: number[][] = [[]];
  for (const axis of before.kernel.axes) {
    const low = Math.max(...ranges.map((range) => range[axis]?.[0] ?? 1));
    const high = Math.min(...ranges.map((range) => range[axis]?.[1] ?? 1));
    if (low > high) return [];
    const steps =
      low === high
        ? [low]
        : Array.from({length: STEPS}, (_, i) =>
            low === 0 ? (high * i) / (STEPS - 1) : Math.round(low * (high / low) ** (i / (STEPS - 1))),
          );
    shapes = shapes.flatMap((shape) => steps.map((value) => [...shape, value]));
  }
  return shapes;
}

/** Changes as rows of a table. */
export function changeRows(changes: readonly KernelChange[]): string[][] {
  const percent = (ratio: number) => `${ratio >= 1 ? '+' : '−'}${Math.abs(100 * (ratio - 1)).toFixed(1)} %`;
  return [
    ['kernel', 'time', 'over shapes', 'error of both', 'verdict'],
    ...changes.map(({kernel, ratio, least, most, uncertainty, verdict}) =>
      verdict === 'no shape in common'
        ? [kernel, '–', '–', '–', verdict]
        : [kernel, percent(ratio), `${percent(least)} … ${percent(most)}`, `${(100 * uncertainty).toFixed(1)} %`, verdict],
    ),
  ];
}
