import {crossValidate} from '../src/models/cost/fit/cross-validate.js';
import type {FitError, Fitted, Form, Sample} from '../src/models/cost/fit/fit.js';
import {forms} from '../src/models/cost/fit/index.js';
import {kernelNamed} from '../src/models/cost/fit/kernels/index.js';
import type {Kernel} from '../src/models/cost/fit/kernels/kernel.js';
import type {Device} from '../src/models/devices/device.js';
import {InputError} from '../src/sim/core/errors.js';
import type {LoadedTable} from './load.js';
import {type DropReason, implausible, peaksFor} from './physics.js';
import type {Measurement} from './tables/table.js';

/** The measurements of one kernel that may be used, and those that may not, by reason. */
export interface KernelSamples {
  readonly kernel: Kernel;
  readonly samples: readonly Sample[];
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
  /** Implementations that were measured; more than one only where the engine itself chose by shape. */
  readonly backends: readonly string[];
  readonly sources: readonly string[];
}

/** A kernel fitted to its samples. */
export interface FittedKernel extends KernelSamples {
  readonly fitted: Fitted;
  readonly error: FitError | null;
}

/**
 * Collects the measurements of tables by kernel and drops what cannot be, counted by reason. `device` absent: only times are checked.
 *
 * Throws InputError when two backends of one kernel would be mixed: by two files, or at one shape. `backend` keeps those whose name holds it.
 */
export function samplesByKernel(tables: readonly LoadedTable[], device: Device | null, backend?: string): KernelSamples[] {
  const groups = new Map<string, {table: LoadedTable; measurement: Measurement}[]>();
  for (const table of tables) {
    for (const measurement of table.measurements) {
      if (backend !== undefined && !measurement.backend.includes(backend)) continue;
      const group = groups.get(measurement.kernel);
      if (group === undefined) groups.set(measurement.kernel, [{table, measurement}]);
      else group.push({table, measurement});
    }
  }
  if (groups.size === 0) {
    const known = [...new Set(tables.flatMap(({measurements}) => measurements.map((entry) => entry.backend)))].slice(0, 8);
    throw new InputError(
      backend === undefined
        ? 'the tables have no rows'
        : `--backend: no row was measured with "${backend}"; there are: ${known.join(', ')}`,
    );
  }
  return [...groups].map(([name, rows]) => {
    refuseMixedFiles(name, rows);
    refuseMixedShapes(name, rows);
    return checked(kernelNamed(name), rows, device);
  });
}

type Rows = readonly {readonly table: LoadedTable; readonly measurement: Measurement}[];

function checked(kernel: Kernel, rows: Rows, device: Device | null): KernelSamples {
  const peaks = device === null ? undefined : peaksFor(kernel, device);
  const samples: Sample[] = [];
  const dropped: Partial<Record<DropReason, number>> = {};
  for (const {measurement} of rows) {
    const {shape, seconds} = measurement;
    const reason = implausible(kernel, shape, seconds, peaks);
    if (reason === null) samples.push({shape, seconds});
    else dropped[reason] = (dropped[reason] ?? 0) + 1;
  }
  const distinct = (of: (row: Rows[number]) => string) => [...new Set(rows.map(of))].sort();
  return {
    kernel,
    samples,
    dropped,
    backends: distinct(({measurement}) => measurement.backend),
    sources: distinct(({table}) => table.source),
  };
}

const wayOut = 'kernels of two backends are not mixed; import one of them, or choose with --backend';

/** Two files of one kernel were measured with the same backends. */
function refuseMixedFiles(name: string, rows: Rows): void {
  const byFile = new Map<string, Set<string>>();
  for (const {table, measurement} of rows) {
    const backends = byFile.get(table.file) ?? new Set();
    byFile.set(table.file, backends.add(measurement.backend));
  }
  const [first, ...others] = [...byFile].map(([file, backends]) => ({file, backends: [...backends].sort().join(' + ')}));
  const other = others.find(({backends}) => backends !== first.backends);
  if (other !== undefined) {
    throw new InputError(`${name}: ${first.file} measured ${first.backends}, ${other.file} measured ${other.backends}; ${wayOut}`);
  }
}

/** One shape has one backend: an engine that dispatches by shape measures each once. */
function refuseMixedShapes(name: string, rows: Rows): void {
  const first = new Map<string, Measurement>();
  for (const {table, measurement} of rows) {
    const key = measurement.shape.join();
    const other = first.get(key);
    if (other === undefined) first.set(key, measurement);
    else if (other.backend !== measurement.backend) {
      throw new InputError(
        `${table.file}:${measurement.line} ${name} of shape ${key} is measured with ${measurement.backend} here and with ${other.backend} in line ${other.line}; ${wayOut}`,
      );
    }
  }
}

/** The form that suits a kernel: two protocols for collectives, storage for storage, a table for attention of mixed batches, else a smooth roofline with a residual grid. */
export function formFor(kernel: Kernel): Form {
  if (kernel.axes.includes('depth')) return forms.storage;
  if (kernel.compute === null) return forms['two-protocol'];
  return kernel.name.startsWith('attn.mixed') ? forms.table : forms['pnorm-grid'];
}

/** Fewest samples that a fit is made from. */
export const FEWEST = 10;

/** Fits each kernel that has samples enough, with its cross-validated error. */
export function fitKernels(groups: readonly KernelSamples[], device: Device): FittedKernel[] {
  return groups
    .filter(({samples}) => samples.length >= FEWEST)
    .map((group) => {
      const form = formFor(group.kernel);
      const peaks = peaksFor(group.kernel, device);
      const options = peaks === undefined ? {} : {peaks};
      return {
        ...group,
        fitted: form.fit(group.kernel, group.samples, options),
        error: crossValidate(form, group.kernel, group.samples, options),
      };
    });
}
