import {crossValidate} from '../../src/models/cost/fit/cross-validate.js';
import type {FitJson, FitOptions} from '../../src/models/cost/fit/fit.js';
import {forms, loadFit, writeFit} from '../../src/models/cost/fit/index.js';
import {builtinDevice} from '../../src/models/devices/index.js';
import {literal} from '../../src/models/devices/literal.js';
import {type KernelSamples, samplesByKernel} from '../fit-tables.js';
import type {LoadedTable} from '../load.js';
import {peaksFor} from '../physics.js';
import type {Measurement} from '../tables/table.js';
import type {Recipe} from './recipes.js';

const HEAD_WIDTHS: ReadonlySet<number> = new Set([64, 128, 256]);

/** A kernel as a built-in profile holds it, and the rows that the physics check dropped. */
export interface BuiltinFit {
  readonly name: string;
  readonly json: FitJson;
  readonly rows: number;
  readonly dropped: number;
}

/** Fits every kernel of a recipe; `load` reads a table by its path below the folder of kernel tables. Deterministic. */
export function builtinFits(recipe: Recipe, load: (path: string) => LoadedTable): BuiltinFit[] {
  const tables = recipe.tables.flatMap(({paths, kernels}) =>
    paths.map((path) => {
      const table = load(path);
      const wanted = table.measurements.filter(({kernel}) => kernels.some((name) => name.test(kernel)));
      // A path on the disk of whoever generates is no source.
      return {...table, file: path, measurements: wanted.filter(asked)};
    }),
  );
  const used = tables.filter(({measurements}) => measurements.length > 0);
  const device = builtinDevice(recipe.device);
  return samplesByKernel(used, device).map((group) => {
    const from = used.filter(({measurements}) => measurements.some(({kernel}) => kernel === group.kernel.name)).map(({file}) => file);
    return fitOf(recipe, group, peaksFor(group.kernel, device), sourceOf(from, group.backends));
  });
}

/**
 * What the cost model asks for: attention without a window, which only clips what a layer reads, and with the usual widths of heads, as
 * engines have other kernels for others; experts that are all on each device. Fits without the rest are finer.
 */
function asked({kernel, shape}: Measurement): boolean {
  if (/^attn\.(prefill|decode)/.test(kernel)) return shape[shape.length - 1] === 0 && HEAD_WIDTHS.has(shape[shape.length - 2]);
  return !kernel.startsWith('moe') || shape[4] === shape[5];
}

function fitOf(recipe: Recipe, group: KernelSamples, peaks: FitOptions['peaks'], source: string): BuiltinFit {
  const {kernel, samples, dropped} = group;
  const words = kernel.name.split('.');
  const grid = recipe.grids[words.slice(0, 2).join('.')] ?? recipe.grids[words[0]];
  const form = kernel.compute === null ? forms['two-protocol'] : forms['pnorm-grid'];
  const options = {...(peaks === undefined ? {} : {peaks}), ...(grid === undefined || kernel.compute === null ? {} : {grid})};
  const error = crossValidate(form, kernel, samples, options);
  const json = shortened(recipe, writeFit({kernel, fitted: form.fit(kernel, samples, options), error, grade: 'fitted', source}));
  loadFit(kernel.name, json, literal);
  const lost = Object.values(dropped).reduce((sum, count) => sum + count, 0);
  return {name: kernel.name, json, rows: samples.length, dropped: lost};
}

/** Residuals to what the recipe says, and without the list of cells that no measurement weighs on: a built-in profile is read at every start. */
function shortened({decimals}: Recipe, json: FitJson): FitJson {
  const residual = json['residual'] as Readonly<Record<string, readonly number[]>> | undefined;
  if (residual === undefined) return json;
  const {filled: _filled, log, ...axes} = residual;
  return {...json, residual: {...axes, log: log.map((value) => Number(value.toFixed(decimals)) || 0)}};
}

const origins: Readonly<Record<string, string>> = {
  aiconfigurator: 'ai-dynamo/aiconfigurator@095f58a51c4c (Apache-2.0)',
  llmservingsim: 'casys-kaist/LLMServingSim@5daddb2 (MIT)',
  vidur: 'microsoft/vidur@7d47513 (MIT)',
};

function sourceOf(paths: readonly string[], backends: readonly string[]): string {
  const parts = Object.entries(origins).flatMap(([origin, name]) => {
    const files = paths
      .filter((path) => path.startsWith(`${origin}/`))
      .map((path) => path.slice(origin.length + 1).replace(/\.csv\.gz$/, ''));
    return files.length === 0 ? [] : [`${name} ${files.join(', ')}`];
  });
  return `${parts.join('; ')}: ${backends.slice(0, 2).join(' | ')}${backends.length > 2 ? ' …' : ''}`;
}

/** As JSON, but for zeros before decimal points in lists. */
function compact(json: FitJson): string {
  return JSON.stringify(json).replace(/(?<=[[,]-?)0\./g, '.');
}

/** The module of a built-in profile: one kernel a line. */
export function builtinModule(recipe: Recipe, fits: readonly BuiltinFit[]): string {
  const {name} = builtinDevice(recipe.device);
  const rows = fits.reduce((sum, fit) => sum + fit.rows, 0);
  const dropped = fits.reduce((sum, fit) => sum + fit.dropped, 0);
  return `// Generated by \`npm run profiles\` from kernel tables; do not edit.
// biome-ignore-all format: one kernel a line
// biome-ignore-all lint/suspicious/noApproximativeNumericConstant: a residual may look like one
import type {FitJson} from '../../cost/fit/fit.js';

/**
 * Kernels of ${name}, fitted to ${rows} measurements; ${dropped} more were faster than the device can be.
 *
 * From ${recipe.licence}.
 */
export const ${recipe.constant} = (): Readonly<Record<string, FitJson>> => ({
${fits.map(({name: kernel, json}) => `  '${kernel}': ${compact(json)},`).join('\n')}
});
`;
}
