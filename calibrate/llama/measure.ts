import {quantileOf} from '../../src/models/cost/fit/numbers.js';
import type {Noise} from '../machine/stats.js';
import {CONTEXT, MOST_SEQUENCES, MOST_TOKENS, type PlannedModel} from './plan.js';
import type {LlamaSession, Point, StepTime} from './session.js';
import type {LlamaShape} from './shape.js';
import type {SyntheticFiles} from './temporary.js';

/** One point of one model, and how long its step took. */
export interface MeasuredStep {
  readonly shape: LlamaShape;
  readonly point: Point;
  /** First quartile of the clean samples: noise only adds. */
  readonly seconds: number;
  readonly samples: number;
  readonly clean: number;
  /** Coefficient of variation of the samples that count, and median share of lost time. */
  readonly cv: number;
  readonly lost: number;
}

/** What a run of a plan measured. */
export interface MeasuredPlan {
  readonly steps: readonly MeasuredStep[];
  /** The first point of each model once more at its end, over the first time, minus 1. */
  readonly drifts: readonly number[];
}

/** A sample is clean when its threads waited for less than 2 % of its time. */
const CLEAN = 0.02;
/** Samples of a point: at least so many, and more until so many are clean. */
const [ROUND, ENOUGH_CLEAN, MOST] = [5, 4, 20];
/** Samples of a point take no longer than this, seconds, once there is one round. */
const POINT_SECONDS = 4;

/** Writes, loads and times each model of a plan. A file is removed as soon as it is loaded. */
export async function measurePlan(
  plan: readonly PlannedModel[],
  session: LlamaSession,
  files: SyntheticFiles,
  onPoint: (done: number) => void,
): Promise<MeasuredPlan> {
  const steps: MeasuredStep[] = [];
  const drifts: number[] = [];
  for (const [i, {shape, points}] of plan.entries()) {
    const path = files.write(shape, i + 1);
    await session.load(path, {sequences: sequencesOf(points), context: CONTEXT, tokens: MOST_TOKENS});
    files.drop(path);
    for (const point of points) {
      await session.sample(point); // the first one also fills the context and the page tables
      steps.push({shape, point, ...(await timed(session, point))});
      onPoint(steps.length);
    }
    const first = steps[steps.length - points.length];
    drifts.push((await timed(session, points[0])).seconds / first.seconds - 1);
    await session.unload();
  }
  return {steps, drifts};
}

function sequencesOf(points: readonly Point[]): number {
  return Math.min(MOST_SEQUENCES, Math.max(...points.map(({batch}) => batch)));
}

async function timed(session: LlamaSession, point: Point): Promise<Omit<MeasuredStep, 'shape' | 'point'>> {
  const all: StepTime[] = [];
  const isClean = ({lost}: StepTime) => lost === null || lost < CLEAN;
  const began = performance.now();
  while (
    all.length < ROUND ||
    (all.filter(isClean).length < ENOUGH_CLEAN && all.length < MOST && performance.now() - began < 1000 * POINT_SECONDS)
  )
    all.push(await session.sample(point));
  return summary(all, all.filter(isClean));
}

/** The statistics of a point; where no sample is clean, those of all stand in and the count says so. */
export function summary(all: readonly StepTime[], clean: readonly StepTime[]): Omit<MeasuredStep, 'shape' | 'point'> {
  const seconds = Float64Array.from(clean.length > 0 ? clean : all, (sample) => sample.seconds).sort();
  const mean = seconds.reduce((sum, value) => sum + value, 0) / seconds.length;
  const variance = seconds.reduce((sum, value) => sum + (value - mean) ** 2, 0) / seconds.length;
  const lost = Float64Array.from(all, (sample) => sample.lost ?? 0).sort();
  return {
    seconds: quantileOf(seconds, 0.25),
    samples: all.length,
    clean: clean.length,
    cv: Math.sqrt(variance) / mean,
    lost: quantileOf(lost, 0.5),
  };
}

/** How quiet the machine was, as for kernels of our own. */
export function noiseOfSteps({steps, drifts}: MeasuredPlan): Noise {
  const sum = (of: (step: MeasuredStep) => number) => steps.reduce((total, step) => total + of(step), 0);
  const sorted = (of: (step: MeasuredStep) => number) => Float64Array.from(steps, of).sort();
  return {
    clean: sum(({clean}) => clean) / sum(({samples}) => samples),
    drift: drifts.reduce((most, drift) => Math.max(most, Math.abs(drift)), 0),
    cv: quantileOf(
      sorted(({cv}) => cv),
      0.9,
    ),
    lost: quantileOf(
      sorted(({lost}) => lost),
      0.5,
    ),
    points: steps.length,
  };
}
