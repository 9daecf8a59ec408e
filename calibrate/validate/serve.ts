import type {Stretch} from '../../src/models/cost/scaled.js';
import type {MeasuredRun} from '../../src/sim/measured/measured-run.js';
import {costOf} from '../../src/sim/scenario/build.js';
import type {Scenario} from '../../src/sim/scenario/scenario.js';
import {costScales, provenance} from '../../src/sim/scenario/trust.js';
import {type EngineParameterName, engineParameters} from '../engine-fit/parameters.js';
import {type Comparison, predictRun, type RunPrediction} from '../engine-fit/predict.js';
import type {Distortion} from './check.js';
import type {Pair} from './row.js';

/** A comparison with the 80 % interval of the prediction. */
export type Interval80 = Comparison & {readonly interval: readonly [number, number]};

/** Simulates a measured run at its cost and at both ends of the 80 % interval of the cost. */
export function predictWithInterval(
  scenario: Scenario,
  run: MeasuredRun,
  distortion: Distortion | null,
): {comparisons: Interval80[]; prediction: RunPrediction} {
  const distorted = withDistortion(scenario, distortion);
  const stretch = stretchOf(distortion);
  const at = (costScale: number) => predictRun(distorted, run, {costScale, ...(stretch === undefined ? {} : {stretch})});
  const prediction = at(1);
  const {low, high} = costScales(provenance(costOf(scenario).terms, prediction.termSeconds));
  const [fast, slow] = [at(low), at(high)];
  return {
    comparisons: prediction.comparisons.map((one, i) => ({
      ...one,
      interval: [fast.comparisons[i].predicted, slow.comparisons[i].predicted],
    })),
    prediction,
  };
}

/** The scenario with a constant of its engine changed, when the distortion is of one. */
export function withDistortion(scenario: Scenario, distortion: Distortion | null): Scenario {
  if (distortion === null || !Object.hasOwn(engineParameters, distortion.term)) return scenario;
  const {of, put} = engineParameters[distortion.term as EngineParameterName];
  const figure = of(scenario.engine);
  return {...scenario, engine: put(scenario.engine, {...figure, value: figure.value * distortion.factor})};
}

/** The stretch of a cost term, when the distortion is of one. */
export function stretchOf(distortion: Distortion | null): Stretch | undefined {
  return distortion === null || Object.hasOwn(engineParameters, distortion.term) ? undefined : distortion;
}

/** Comparisons as pairs of an error. */
export function pairsOf(comparisons: readonly Interval80[]): Pair[] {
  return comparisons.map(({measured, predicted, interval}) => ({measured, predicted, interval}));
}
