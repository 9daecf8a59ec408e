import type {Kernel} from '../../src/models/cost/fit/kernels/kernel.js';
import {peaksFor} from '../physics.js';
import {aligned, percent} from '../text.js';
import {type MachineProfile, unfitted} from './profile.js';

/** What the profile says, as lines: the machine, a row for each kernel, what is missing, and the grade. */
export function profileLines(made: MachineProfile): string[] {
  const {spec} = made.figures;
  const figures = [
    `memory ${spec.memory.dram!.bandwidth.value}`,
    ...Object.entries(spec.compute).map(([type, {value}]) => `${type} ${value}`),
  ];
  const rows = made.fits.map(({kernel, samples, fitted, error}) => [
    kernel.name,
    String(samples.length),
    error === null ? '–' : percent(error.mape),
    error === null ? '–' : percent(error.p90),
    reached(made, kernel, fitted.parameters),
    kernel.axes
      .map((axis, d) =>
        rangeText(
          axis,
          samples.map(({shape}) => shape[d]),
        ),
      )
      .filter((text) => text !== '')
      .join(', '),
  ]);
  return [
    `${spec.name} · ${figures.join(' · ')}`,
    '',
    ...aligned([['op', 'points', 'held-out error %', 'p90 %', 'of peak', 'range'], ...rows]),
    '',
    ...unfitted(made).map(({name, points}) => `${name}: ${points} points are too few for a fit → figures of the device`),
    ...skippedLines(made),
    `grade ${made.grade}: ${made.reasons.join(' · ')}`,
  ];
}

/** Share of the device's figure that the fit's own constant reaches: bandwidth for links, else the better of both. */
function reached({figures}: MachineProfile, kernel: Kernel, {P, W}: Readonly<Record<string, number>>): string {
  const peaks = peaksFor(kernel, figures.device);
  if (peaks === undefined || P === undefined || W === undefined) return '–';
  return Math.max(Math.min(1, P / peaks.flops), Math.min(1, W / peaks.bandwidth)).toFixed(2);
}

function rangeText(axis: string, values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? '' : `${axis} ${short(low)}–${short(high)}`;
}

function short(value: number): string {
  for (const [unit, size] of [
    ['G', 2 ** 30],
    ['M', 2 ** 20],
    ['k', 1024],
  ] as const)
    if (value >= size && value % size === 0) return `${value / size}${unit}`;
  return String(value);
}

function skippedLines({profile}: MachineProfile): string[] {
  const {
    skipped,
    dropped,
    partial = [],
  } = profile['quality'] as {
    skipped: {op: string; code: string; message: string; points: number}[];
    dropped: {kernel: string; reason: string; rows: number}[];
    partial?: string[];
  };
  return [
    ...skipped.map(({op, code, message, points}) => `${op}: ${points} points skipped, ${code}: ${message}`),
    ...dropped.map(({kernel, reason, rows}) => `${kernel}: ${rows} points dropped, ${reason}`),
    ...partial.map((text) => `incomplete: ${text}`),
  ];
}
