import {errorOf} from '../../src/models/cost/fit/error.js';
import type {FitError, FitJson, Fitted} from '../../src/models/cost/fit/fit.js';
import {loadFit} from '../../src/models/cost/fit/index.js';
import {units, writeQuantity} from '../../src/models/cost/fit/json.js';
import {kernelNamed} from '../../src/models/cost/fit/kernels/index.js';
import type {KernelWork} from '../../src/models/cost/fit/kernels/kernel.js';
import {fitFrom} from '../../src/models/cost/fit/levenberg-marquardt.js';
import {rangeOf} from '../../src/models/cost/fit/range.js';
import type {Device} from '../../src/models/devices/device.js';
import {literal} from '../../src/models/devices/literal.js';
import {InputError} from '../../src/sim/core/errors.js';
import {type Launch, launchesOf, streamKernels} from './launches.js';
import type {MeasuredStep} from './measure.js';

/** Constants of an engine on one device, fitted to whole steps. */
export interface EngineKernels {
  /** Entries of a device profile's `fits`, without error and source. */
  readonly kernels: ReadonlyMap<string, FitJson>;
  /** Host time of a step and of each of its sequences, seconds. */
  readonly step: number;
  readonly sequence: number;
  /** Best rates over all steps: B/s of one-row products, FLOP/s. */
  readonly bandwidth: number;
  readonly flops: number;
}

/** Rows at which a product has a residual of its own; between them it is interpolated. */
const ROWS = [1, 2, 4, 8, 16, 64, 512];
/** The corner of every roofline here: whole steps do not tell how sharp it is. */
const CORNER = 2;
/** How loosely a constant is held near its start: a factor of e costs a residual of so much. */
const [HELD, HELD_RESIDUAL] = [0.01, 0.05];

/** One unknown: its logarithm is what the fit moves, except for residuals, which are logarithms already. */
interface Unknown {
  readonly name: string;
  readonly start: number;
  readonly low: number;
  readonly high: number;
  readonly residual?: boolean;
}

interface Step {
  readonly seconds: number;
  readonly batch: number;
  readonly launches: readonly Launch[];
}

/** Fits kernels and host times to measured steps. Throws InputError when there are too few. */
export function fitSteps(measured: readonly MeasuredStep[], device: Device): EngineKernels {
  const steps = measured.map(
    (step): Step => ({seconds: step.seconds, batch: step.point.batch, launches: launchesOf(step.shape, step.point, device)}),
  );
  const formats = [...new Set(measured.map(({shape}) => shape.format))].sort();
  const rates = bestRates(steps);
  const unknowns = unknownsOf(formats, rates);
  if (steps.length < unknowns.length)
    throw new InputError(`${steps.length} steps are too few for ${unknowns.length} constants; measure more shapes or fewer formats`);
  const names = [...new Set(steps.flatMap(({launches}) => launches.map(({kernel}) => kernel)))];
  const at = fitFrom([unknowns.map(({start, residual}) => (residual ? start : Math.log(start)))], {
    count: steps.length + unknowns.length,
    low: unknowns.map(({low, residual}) => (residual ? low : Math.log(low))),
    high: unknowns.map(({high, residual}) => (residual ? high : Math.log(high))),
    residuals: (point, into) => {
      const constants = constantsOf(unknowns, point);
      const fitted = loaded(names, constants);
      steps.forEach((step, i) => {
        into[i] = Math.log(secondsOf(step, fitted, constants) / step.seconds);
      });
      unknowns.forEach(({start, residual}, j) => {
        into[steps.length + j] = residual ? HELD_RESIDUAL * (point[j] - start) : HELD * (point[j] - Math.log(start));
      });
    },
  });
  const constants = constantsOf(unknowns, at);
  return {
    kernels: new Map(names.sort().map((name) => [name, {...jsonOf(name, constants), range: rangeIn(name, steps)}])),
    step: constants.get('step')!,
    sequence: constants.get('sequence')!,
    ...rates,
  };
}

/** Seconds of a step by a fit. */
export function predictStep(fit: EngineKernels, {shape, point}: Pick<MeasuredStep, 'shape' | 'point'>, device: Device): number {
  const fitted = new Map([...fit.kernels].map(([name, json]) => [name, loadFit(name, json, literal).fitted]));
  const constants = new Map([
    ['step', fit.step],
    ['sequence', fit.sequence],
  ]);
  return secondsOf({seconds: 0, batch: point.batch, launches: launchesOf(shape, point, device)}, fitted, constants);
}

/** Error of steps predicted by fits that did not see their shape: all of them, and by format. */
export function heldOut(measured: readonly MeasuredStep[], device: Device): {all: FitError; byFormat: ReadonlyMap<string, FitError>} {
  const shapeOf = ({shape: {format: _format, ...rest}}: MeasuredStep) => JSON.stringify(rest);
  const predicted = new Map<MeasuredStep, number>();
  for (const left of new Set(measured.map(shapeOf))) {
    const fit = fitSteps(
      measured.filter((step) => shapeOf(step) !== left),
      device,
    );
    for (const step of measured) if (shapeOf(step) === left) predicted.set(step, predictStep(fit, step, device));
  }
  const error = (steps: readonly MeasuredStep[]) =>
    errorOf(
      steps.map(({seconds}) => seconds),
      steps.map((step) => predicted.get(step)!),
    );
  const formats = [...new Set(measured.map(({shape}) => shape.format))];
  return {
    all: error(measured),
    byFormat: new Map(formats.map((format) => [format, error(measured.filter(({shape}) => shape.format === format))])),
  };
}

function bestRates(steps: readonly Step[]): {bandwidth: number; flops: number} {
  const work: KernelWork = {flops: 0, bytes: 0};
  let [bandwidth, flops] = [0, 0];
  for (const {seconds, launches} of steps) {
    let [allBytes, allFlops] = [0, 0];
    for (const {kernel, shape, count} of launches) {
      kernelNamed(kernel).work(shape, work);
      allBytes += kernel.startsWith('gemm') ? count * work.bytes : 0;
      allFlops += count * work.flops;
    }
    bandwidth = Math.max(bandwidth, allBytes / seconds);
    flops = Math.max(flops, allFlops / seconds);
  }
  return {bandwidth, flops};
}

function unknownsOf(formats: readonly string[], {bandwidth, flops}: {bandwidth: number; flops: number}): Unknown[] {
  const rate = (name: string, start: number): Unknown => ({name, start, low: start / 1e3, high: start * 1e3});
  const time = (name: string, start: number): Unknown => ({name, start, low: 1e-7, high: 0.05});
  return [
    time('step', 3e-4),
    time('sequence', 2e-5),
    time('stream.o', 3e-6),
    rate('stream.W', bandwidth),
    rate('prefill.P', flops / 2),
    rate('decode.P', flops / 4),
    rate('decode.W', bandwidth),
    ...formats.flatMap((format) => [
      rate(`gemm.${format}.P`, flops),
      rate(`gemm.${format}.W`, bandwidth),
      time(`gemm.${format}.o`, 3e-6),
      // The ends are what P and W stand for.
      ...ROWS.slice(1, -1).map((rows): Unknown => ({name: `gemm.${format}.${rows}`, start: 0, low: -2, high: 2, residual: true})),
    ]),
  ];
}

function constantsOf(unknowns: readonly Unknown[], at: Float64Array): Map<string, number> {
  return new Map(unknowns.map(({name, residual}, j) => [name, residual ? at[j] : Math.exp(at[j])]));
}

function secondsOf({batch, launches}: Step, fitted: ReadonlyMap<string, Fitted>, constants: ReadonlyMap<string, number>): number {
  let sum = constants.get('step')! + constants.get('sequence')! * batch;
  for (const {kernel, shape, count} of launches) sum += count * fitted.get(kernel)!.predict(shape);
  return sum;
}

function loaded(names: readonly string[], constants: ReadonlyMap<string, number>): Map<string, Fitted> {
  return new Map(names.map((name) => [name, loadFit(name, {...jsonOf(name, constants), range: {}}, literal).fitted]));
}

/** A kernel that only one rate bounds has the other this far away. */
const FAR = 1e18;
/** A kernel that starts in no time of its own. */
const NO_LAUNCH = 1e-9;

function jsonOf(name: string, constants: ReadonlyMap<string, number>): FitJson {
  const get = (part: string) => constants.get(part)!;
  if ((streamKernels as readonly string[]).includes(name)) return roofline('pnorm', FAR, get('stream.W'), get('stream.o'));
  if (name === 'attn.prefill.fp16') return roofline('pnorm', get('prefill.P'), FAR, NO_LAUNCH);
  if (name === 'attn.decode.fp16') return roofline('pnorm', get('decode.P'), get('decode.W'), NO_LAUNCH);
  const log = ROWS.map((rows) => constants.get(`${name}.${rows}`) ?? 0);
  return {
    ...roofline('pnorm-grid', get(`${name}.P`), get(`${name}.W`), get(`${name}.o`)),
    residual: {m: ROWS, log: log.map((value) => Number(value.toFixed(6)))},
  };
}

function roofline(form: 'pnorm' | 'pnorm-grid', P: number, W: number, o: number): FitJson {
  return {
    form: `${form}/1`,
    P: writeQuantity(P, units.flops),
    W: writeQuantity(W, units.bandwidth),
    o: writeQuantity(o, units.duration),
    p: CORNER,
  };
}

function rangeIn(name: string, steps: readonly Step[]): object {
  const shapes = steps.flatMap(({launches}) => launches.filter(({kernel}) => kernel === name).map(({shape}) => ({shape, seconds: 0})));
  return rangeOf(kernelNamed(name), shapes).toJson();
}
