import {quantileOf} from '../../src/models/cost/fit/numbers.js';
import type {Measurements, SampleLine} from './lines.js';

/** How quiet the machine was, over all points whose threads are the processor's. Shares. */
export interface Noise {
  /** Of the samples, those in which no thread lost 2 % of its time. */
  readonly clean: number;
  /** Greatest drift of an anchor, up or down. */
  readonly drift: number;
  /** 90th percentile of the points' coefficient of variation. */
  readonly cv: number;
  /** Median share of time that a thread did not run, over points. */
  readonly lost: number;
  /** Points. */
  readonly points: number;
}

export const grades = ['A', 'B', 'C', 'D'] as const;
export type ProfileGrade = (typeof grades)[number];

/** What a grade asks for: at least so many clean samples, at most so much drift, variation, and mean error of the worst kernel. D asks for nothing. */
const limits: readonly {
  readonly grade: ProfileGrade;
  readonly clean: number;
  readonly drift: number;
  readonly cv: number;
  readonly mape: number;
}[] = [
  {grade: 'A', clean: 0.9, drift: 0.05, cv: 0.1, mape: 0.1},
  {grade: 'B', clean: 0.75, drift: 0.1, cv: 0.2, mape: 0.15},
  {grade: 'C', clean: 0.5, drift: 0.25, cv: 0.4, mape: 0.25},
];

/** The noise of a run; storage is left out, because a disk's queue is no lost time. */
export function noiseOf(runs: readonly Measurements[]): Noise {
  const own = runs.filter(({device}) => device !== 'storage');
  const samples = own.flatMap((run) => run.samples).filter((sample) => sample.t !== null);
  const taken = samples.reduce((sum, {t}) => sum + t!.n, 0);
  const clean = samples.reduce((sum, {t}) => sum + t!.clean, 0);
  return {
    clean: taken === 0 ? 0 : clean / taken,
    drift: own.flatMap(({anchors}) => anchors).reduce((most, {drift}) => Math.max(most, Math.abs(drift)), 0),
    cv: quantile(samples, ({t}) => t!.cv, 0.9),
    lost: quantile(samples, ({lost}) => lost, 0.5),
    points: samples.length,
  };
}

/** The time of a sample that fits are made from: the first quartile on a processor, whose noise only adds; the median elsewhere. */
export function secondsOf(device: string, {t}: SampleLine): number {
  return device === 'cpu' ? t!.p25 : t!.p50;
}

/** A grade, and one reason for each thing that keeps it from being higher; the first says what decides. */
export function graded(
  noise: Noise,
  worst: {readonly kernel: string; readonly mape: number} | null,
): {readonly grade: ProfileGrade; readonly reasons: string[]} {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const parts = [
    {grade: gradeWhere((limit) => noise.clean >= limit.clean), text: `${percent(noise.clean)} clean samples`},
    {grade: gradeWhere((limit) => noise.drift <= limit.drift), text: `anchors within ${percent(noise.drift)}`},
    {grade: gradeWhere((limit) => noise.cv <= limit.cv), text: `variation of ${percent(noise.cv)} in nine of ten points`},
    worst === null
      ? {grade: 'D' as const, text: 'no kernel has points enough to be fitted'}
      : {
          grade: gradeWhere((limit) => worst.mape <= limit.mape),
          text: `worst kernel: ${worst.kernel}, ${percent(worst.mape)} mean error in cross-validation`,
        },
  ];
  // Stable: among equal grades the order above stays.
  const sorted = [...parts].sort((a, b) => grades.indexOf(b.grade) - grades.indexOf(a.grade));
  return {grade: sorted[0].grade, reasons: sorted.map(({text}) => text)};
}

/** Whether so much time was lost to others that the times mean little: what is refused without --force. */
export function isContended({clean, drift}: Noise): boolean {
  const least = limits.at(-1)!;
  return clean < least.clean || drift > least.drift;
}

function gradeWhere(passes: (limit: (typeof limits)[number]) => boolean): ProfileGrade {
  return limits.find(passes)?.grade ?? 'D';
}

function quantile(samples: readonly SampleLine[], of: (sample: SampleLine) => number, q: number): number {
  return samples.length === 0 ? 0 : quantileOf(Float64Array.from(samples, of).sort(), q);
}
