import {InputError} from '../../../../sim/core/errors.js';
import {unknownName} from '../../../../sim/core/registry.js';
import type {FitOptions, Fitted, Form, Sample} from '../fit.js';
import {readFields, readNumbers} from '../json.js';
import type {Coordinate, Kernel, KernelWork} from '../kernels/kernel.js';
import {chooseKnots} from '../knots.js';
import {type Range, rangeOf, readRange} from '../range.js';
import {fitGrid, GridReader, type ResidualGrid} from '../residual-grid.js';
import {fitSmoothRoofline, type SmoothRoofline, smoothSeconds} from '../smooth-roofline.js';
import {readRoofline, writeRoofline} from './roofline.js';

/** Residuals keep five decimals: a hundred-thousandth of the time. */
const fiveDecimals = (value: number) => Math.round(value * 1e5) / 1e5;

/** t = (o + pnorm(F/P, B/W; p)) · exp(r): a smooth roofline times a table of residuals over the kernel's coordinates, in log2. */
export const pnormGrid: Form = {
  name: 'pnorm-grid',
  title: 'smooth roofline × residual grid',
  fit(kernel: Kernel, samples: readonly Sample[], {peaks, grid}: FitOptions): Fitted {
    const roofline = fitSmoothRoofline(kernel, samples, peaks);
    const axes = grid === undefined ? chooseKnots(kernel.coordinates, samples) : named(grid);
    const of = axes.map(({name}) => coordinateOf(kernel, name));
    const work: KernelWork = {flops: 0, bytes: 0};
    const values = samples.map(({shape, seconds}) => {
      kernel.work(shape, work);
      return Math.log(seconds / smoothSeconds(roofline, work));
    });
    const points = samples.map(({shape}) => of.map((coordinate) => coordinate(shape)));
    return fitted(kernel, roofline, fitGrid(axes, {points, values}, fiveDecimals), rangeOf(kernel, samples));
  },
  load(kernel, json, parse): Fitted {
    const {residual, range} = readFields(kernel, json, ['residual', 'range']);
    return fitted(kernel, readRoofline(kernel, json, parse), readGrid(kernel, residual), readRange(kernel, range));
  },
};

function fitted(kernel: Kernel, roofline: SmoothRoofline, grid: ResidualGrid, range: Range): Fitted {
  const reader = new GridReader(grid);
  const of = grid.axes.map(({name}) => coordinateOf(kernel, name));
  const point = new Float64Array(of.length);
  const work: KernelWork = {flops: 0, bytes: 0};
  return {
    form: 'pnorm-grid',
    predict(shape): number {
      kernel.work(shape, work);
      for (let d = 0; d < of.length; d++) point[d] = of[d](shape);
      return smoothSeconds(roofline, work) * Math.exp(reader.at(point));
    },
    extrapolated: (shape) => range.outside(shape),
    parameters: {...roofline},
    toJson: () => ({form: 'pnorm-grid/1', ...writeRoofline(roofline), residual: writeGrid(grid), range: range.toJson()}),
  };
}

function coordinateOf(kernel: Kernel, name: string): Coordinate['of'] {
  const found = kernel.coordinates.find((coordinate) => coordinate.name === name);
  if (found !== undefined) return found.of;
  const known = kernel.coordinates.map((coordinate) => coordinate.name);
  throw new InputError(`fits.${kernel.name}.residual: ${unknownName('coordinate', name, known)}`);
}

function writeGrid({axes, log, filled}: ResidualGrid): Readonly<Record<string, readonly number[]>> {
  return {...Object.fromEntries(axes.map(({name, knots}) => [name, knots])), log, ...(filled.length === 0 ? {} : {filled})};
}

function readGrid(kernel: Kernel, json: unknown): ResidualGrid {
  const {log, filled = [], ...knots} = json as Readonly<Record<string, unknown>>;
  const axes = named(
    Object.fromEntries(Object.entries(knots).map(([name, values]) => [name, readNumbers(kernel, `residual.${name}`, values)])),
  );
  for (const {name, knots} of axes) {
    if (knots.length === 0 || knots.some((knot, i) => knot <= (knots[i - 1] ?? 0)))
      throw new InputError(`fits.${kernel.name}.residual.${name}: knots are above 0 and rise`);
  }
  const cells = axes.reduce((product, {knots}) => product * knots.length, 1);
  const values = readNumbers(kernel, 'residual.log', log);
  if (values.length !== cells) throw new InputError(`fits.${kernel.name}.residual.log: ${values.length} numbers for ${cells} cells`);
  return {axes, log: values, filled: readNumbers(kernel, 'residual.filled', filled)};
}

function named(grid: Readonly<Record<string, readonly number[]>>): ResidualGrid['axes'] {
  return Object.entries(grid).map(([name, knots]) => ({name, knots}));
}
