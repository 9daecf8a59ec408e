import type {Fitted, Form, FormName, Sample} from '../fit.js';
import {readFields, readNumbers, readQuantity, units, writeQuantity} from '../json.js';
import type {Kernel, KernelWork} from '../kernels/kernel.js';
import {fitFrom} from '../levenberg-marquardt.js';
import {rounded} from '../numbers.js';
import {type Range, rangeOf, readRange} from '../range.js';
import {fitGrid, GridReader, type ResidualGrid} from '../residual-grid.js';

/** One protocol of a link: seconds before the first byte, then B/s. */
interface Protocol {
  readonly a: number;
  readonly W: number;
}

/** t = min over two protocols of a + bytes/W, times a piecewise log-log residual over the size. */
export const twoProtocol: Form = linkForm('two-protocol', 'two protocols × residual by size', 2, true);

/** t = a + bytes/W (Hockney, 1994), as a yardstick. */
export const alphaBeta: Form = linkForm('alpha-beta', 'latency + bytes/bandwidth', 1, false);

function linkForm(name: FormName, title: string, protocols: 1 | 2, withResidual: boolean): Form {
  return {
    name,
    title,
    fit(kernel: Kernel, samples: readonly Sample[]): Fitted {
      const bytes = bytesOf(kernel);
      const found = fitProtocols(samples, bytes, protocols);
      const grid = withResidual ? residualOf(samples, bytes, found) : null;
      return fitted(name, kernel, found, grid, rangeOf(kernel, samples));
    },
    load(kernel, json, parse): Fitted {
      const {a, W, range} = readFields(kernel, json, ['a', 'W', 'range']);
      const found = (a as unknown[]).map((start, i) => ({
        a: readQuantity(kernel, 'a', start, 'duration', parse),
        W: readQuantity(kernel, 'W', (W as unknown[])[i], 'bandwidth', parse),
      }));
      return fitted(name, kernel, found, withResidual ? readResidual(kernel, json) : null, readRange(kernel, range));
    },
  };
}

function bytesOf(kernel: Kernel): (shape: readonly number[]) => number {
  const work: KernelWork = {flops: 0, bytes: 0};
  return (shape) => {
    kernel.work(shape, work);
    return work.bytes;
  };
}

function protocolSeconds(protocols: readonly Protocol[], bytes: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const {a, W} of protocols) least = Math.min(least, a + bytes / W);
  return least;
}

/** Both branches stay between the least and most of what was measured, so that an unused one cannot run away. */
function fitProtocols(samples: readonly Sample[], bytes: (shape: readonly number[]) => number, protocols: 1 | 2): Protocol[] {
  const sizes = Float64Array.from(samples, ({shape}) => bytes(shape));
  const logs = Float64Array.from(samples, ({seconds}) => Math.log(seconds));
  const shortest = Math.exp(logs.reduce((least, log) => Math.min(least, log), Number.POSITIVE_INFINITY));
  const rates = sizes.map((size, i) => size / Math.exp(logs[i]));
  const fastest = rates.reduce((most, rate) => Math.max(most, rate), 0);
  const [slow, fast] = [Math.log(fastest / 1000), Math.log(1.2 * fastest)];
  const [soon, late] = [Math.log(shortest / 4), Math.log(shortest * 20)];
  const start = (a1: number, w1: number, a2: number, w2: number) =>
    [Math.log(a1 * shortest), Math.log(w1 * fastest), Math.log(a2 * shortest), Math.log(w2 * fastest)].slice(0, 2 * protocols);
  const found = fitFrom([start(1, 0.2, 2, 1), start(0.8, 0.05, 1.2, 0.9), start(1, 0.9, 4, 1)], {
    count: samples.length,
    low: [soon, slow, soon, slow].slice(0, 2 * protocols),
    high: [late, fast, late, fast].slice(0, 2 * protocols),
    residuals(logsOf, into): void {
      for (let i = 0; i < into.length; i++) {
        let least = Number.POSITIVE_INFINITY;
        for (let j = 0; j < logsOf.length; j += 2) least = Math.min(least, Math.exp(logsOf[j]) + sizes[i] / Math.exp(logsOf[j + 1]));
        into[i] = Math.log(least) - logs[i];
      }
    },
  });
  const all = Array.from({length: protocols}, (_, i) => ({a: rounded(Math.exp(found[2 * i])), W: rounded(Math.exp(found[2 * i + 1]))}));
  return all.sort((x, y) => x.a - y.a);
}

/** Sizes are the knots; above 24 of them every few are left out, evenly. */
function residualOf(samples: readonly Sample[], bytes: (shape: readonly number[]) => number, protocols: readonly Protocol[]): ResidualGrid {
  const sizes = [...new Set(samples.map(({shape}) => bytes(shape)))].sort((a, b) => a - b);
  const step = Math.max(1, (sizes.length - 1) / 23);
  const knots = [...new Set(Array.from({length: Math.min(24, sizes.length)}, (_, i) => sizes[Math.round(i * step)]))];
  const points = samples.map(({shape}) => [bytes(shape)]);
  const values = samples.map(({shape, seconds}) => Math.log(seconds / protocolSeconds(protocols, bytes(shape))));
  return fitGrid([{name: 'bytes', knots}], {points, values}, (value) => Math.round(value * 1e5) / 1e5);
}

function readResidual(kernel: Kernel, json: Parameters<Form['load']>[1]): ResidualGrid {
  const {residual} = readFields(kernel, json, ['residual']);
  const {bytes, log} = residual as Readonly<Record<string, unknown>>;
  const knots = readNumbers(kernel, 'residual.bytes', bytes);
  return {axes: [{name: 'bytes', knots}], log: readNumbers(kernel, 'residual.log', log), filled: []};
}

function fitted(form: FormName, kernel: Kernel, protocols: readonly Protocol[], grid: ResidualGrid | null, range: Range): Fitted {
  const reader = grid === null ? null : new GridReader(grid);
  const bytes = bytesOf(kernel);
  const point = new Float64Array(1);
  return {
    form,
    predict(shape): number {
      point[0] = bytes(shape);
      return protocolSeconds(protocols, point[0]) * (reader === null ? 1 : Math.exp(reader.at(point)));
    },
    extrapolated: (shape) => range.outside(shape),
    parameters: Object.fromEntries(
      protocols.flatMap(({a, W}, i) => [
        [`a${i + 1}`, a],
        [`W${i + 1}`, W],
      ]),
    ),
    toJson: () => ({
      form: `${form}/1`,
      a: protocols.map(({a}) => writeQuantity(a, units.duration)),
      W: protocols.map(({W}) => writeQuantity(W, units.bandwidth)),
      ...(grid === null ? {} : {residual: {bytes: grid.axes[0].knots, log: grid.log}}),
      range: range.toJson(),
    }),
  };
}
