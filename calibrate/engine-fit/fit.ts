import {fitFrom} from '../../src/models/cost/fit/levenberg-marquardt.js';
import type {EngineProfile} from '../../src/models/engines/engine.js';
import {InputError} from '../../src/sim/core/errors.js';
import type {MeasuredRun} from '../../src/sim/measured/measured-run.js';
import type {Scenario} from '../../src/sim/scenario/scenario.js';
import {type EngineParameterName, engineParameterNames, engineParameters} from './parameters.js';
import {type Comparison, predictRun} from './predict.js';
import {fitReserve, type ReserveFit} from './reserve.js';

/** A run to fit to, as a scenario. */
export interface FitRun {
  readonly run: MeasuredRun;
  readonly scenario: Scenario;
}

export interface EngineFitOptions {
  /** Requests of each stage that are simulated. */
  readonly limit?: number;
  readonly onProgress?: (simulations: number) => void;
}

/** How much the runs say about one constant. */
export interface Identified {
  readonly name: EngineParameterName;
  readonly prior: number;
  readonly value: number;
  /** By how much the misfit to the runs rises when the constant is halved or doubled, the others as they are. Near 0: the runs do not tell. */
  readonly halved: number;
  readonly doubled: number;
  readonly identified: boolean;
}

export interface EngineFit {
  readonly engine: EngineProfile;
  /** From the block counts that runs report; null when none does. */
  readonly reserve: ReserveFit | null;
  /** Half the sum of squares of errors over their tolerance, before and after. */
  readonly misfit: {readonly prior: number; readonly fitted: number};
  readonly parameters: readonly Identified[];
  /** The misfit after fitting with one step and with two in flight. */
  readonly inFlight: readonly {readonly steps: number; readonly misfit: number}[];
  readonly comparisons: readonly Comparison[];
  readonly simulations: number;
}

/** How near a prediction should come: errors are counted in these. Means of first tokens hold the start of a run, medians do not. */
const tolerance: Readonly<Record<`${Comparison['metric']} ${Comparison['statistic']}`, number>> = {
  'ttft mean': 0.1,
  'ttft median': 0.04,
  'tpot mean': 0.02,
  'tpot median': 0.02,
  'e2e mean': 0.02,
  'e2e median': 0.02,
};

/** A constant may leave its prior by this factor (e) at the price of one tolerance. */
const PRIOR_WIDTH = 1;
/** A misfit that rises by less when a constant is halved or doubled says that the runs do not tell it. */
const TELLING = 1;

/**
 * Fits the constants of an engine to measured runs, starting from the engine of the first; the scenarios bring everything else, kernels among it.
 *
 * Levenberg–Marquardt on the logarithms of constants and errors, with the same random numbers in every simulation, and each constant held near its prior: so the result depends on nothing but its inputs. Throws InputError without a run, or when runs differ in their engine.
 */
export function fitEngine(runs: readonly FitRun[], options: EngineFitOptions = {}): EngineFit {
  const prior = commonEngine(runs);
  const objective = new Objective(runs, prior, options);
  const tried = [...new Set([1, prior.inFlight, 2])].sort().map((steps) => {
    const at = objective.minimise({...prior, inFlight: steps});
    return {steps, at, misfit: objective.misfit({...prior, inFlight: steps}, at)};
  });
  const best = tried.reduce((a, b) => (b.misfit < a.misfit ? b : a));
  const base = {...prior, inFlight: best.steps};
  const parameters = engineParameterNames.map((name, j): Identified => {
    const moved = (by: number) => objective.misfit(base, replaced(best.at, j, best.at[j] + Math.log(by))) - best.misfit;
    const [halved, doubled] = [moved(0.5), moved(2)];
    return {
      name,
      prior: engineParameters[name].of(prior).value,
      value: Math.exp(best.at[j]),
      halved,
      doubled,
      identified: halved > TELLING && doubled > TELLING,
    };
  });
  const reserve = fitReserve(runs);
  const timed = objective.engineAt(base, best.at, parameters);
  const engine = reserve === null ? timed : {...timed, reserve: {...timed.reserve, context: reserve.context}};
  return {
    engine,
    reserve,
    misfit: {prior: objective.misfit(prior, objective.start), fitted: best.misfit},
    parameters,
    inFlight: tried.map(({steps, misfit}) => ({steps, misfit})),
    comparisons: objective.compare(engine),
    simulations: objective.simulations,
  };
}

function commonEngine(runs: readonly FitRun[]): EngineProfile {
  if (runs.length === 0) throw new InputError('no measured run to fit to; name at least one with --measured');
  const [{scenario}] = runs;
  const other = runs.find(({scenario: {engine}}) => engine.preset !== scenario.engine.preset || engine.version !== scenario.engine.version);
  if (other !== undefined) {
    const name = ({engine}: Scenario) => `${engine.preset} ${engine.version}`;
    throw new InputError(`runs are of ${name(scenario)} and ${name(other.scenario)}; an engine fit takes runs of one version`);
  }
  return scenario.engine;
}

class Objective {
  simulations = 0;
  readonly start: Float64Array;
  readonly #runs: readonly FitRun[];
  readonly #options: EngineFitOptions;
  readonly #count: number;
  readonly #prior: Float64Array;

  constructor(runs: readonly FitRun[], prior: EngineProfile, options: EngineFitOptions) {
    this.#runs = runs;
    this.#options = options;
    // A prior of 0 says nothing but that it is small: the search begins at the least value.
    this.#prior = Float64Array.from(engineParameterNames, (name) => {
      const {of, range} = engineParameters[name];
      return Math.log(Math.max(of(prior).value, range[0]));
    });
    this.start = this.#prior.slice();
    this.#count = this.compare(prior).length;
  }

  compare(engine: EngineProfile): Comparison[] {
    const {limit} = this.#options;
    return this.#runs.flatMap(({run, scenario}) => {
      this.simulations++;
      this.#options.onProgress?.(this.simulations);
      return predictRun({...scenario, engine}, run, limit === undefined ? {} : {limit}).comparisons;
    });
  }

  engineAt(base: EngineProfile, at: Float64Array, identified?: readonly Identified[]): EngineProfile {
    const source = `calibrate fit-engine on ${this.#runs.map(({run}) => run.id).join(', ')}`;
    return engineParameterNames.reduce((engine, name, j) => {
      const {of, put} = engineParameters[name];
      const known = identified?.[j].identified ?? true;
      return put(engine, known ? {value: Math.exp(at[j]), grade: 'fitted', source} : {...of(base), value: Math.exp(at[j])});
    }, base);
  }

  minimise(base: EngineProfile): Float64Array {
    const ranges = engineParameterNames.map((name) => engineParameters[name].range);
    return fitFrom([[...this.start]], {
      residuals: (at, into) => this.#residuals(base, at, into),
      count: this.#count + engineParameterNames.length,
      low: ranges.map(([low]) => Math.log(low)),
      high: ranges.map(([, high]) => Math.log(high)),
      huber: 3,
      width: 0.1,
      rounds: 12,
      gain: 0.005,
    });
  }

  /** Half the squared errors in tolerances, without the price of leaving the prior. */
  misfit(base: EngineProfile, at: Float64Array): number {
    const all = new Float64Array(this.#count + at.length);
    this.#residuals(base, at, all);
    return all.subarray(0, this.#count).reduce((sum, residual) => sum + residual ** 2 / 2, 0);
  }

  #residuals(base: EngineProfile, at: Float64Array, into: Float64Array): void {
    this.compare(this.engineAt(base, at)).forEach(({metric, statistic, measured, predicted}, i) => {
      into[i] = Math.log(predicted / measured) / tolerance[`${metric} ${statistic}`];
    });
    for (let j = 0; j < at.length; j++) into[this.#count + j] = this.#held(j) ? (at[j] - this.#prior[j]) / PRIOR_WIDTH : 0;
  }

  /** A prior at the least value holds nothing. */
  #held(j: number): boolean {
    return this.#prior[j] > Math.log(engineParameters[engineParameterNames[j]].range[0]);
  }
}

function replaced(values: Float64Array, index: number, value: number): Float64Array {
  const copy = values.slice();
  copy[index] = value;
  return copy;
}
