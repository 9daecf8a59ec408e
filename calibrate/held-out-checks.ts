import {gridSplit, randomSplit, type Split, spreadSplit} from '../src/models/cost/fit/design.js';
import type {FitError, Form, Sample} from '../src/models/cost/fit/fit.js';
import {type HeldOut, heldOut} from '../src/models/cost/fit/held-out.js';
import {forms} from '../src/models/cost/fit/index.js';
import {kernelNamed} from '../src/models/cost/fit/kernels/index.js';
import type {Kernel} from '../src/models/cost/fit/kernels/kernel.js';
import {builtinDevice} from '../src/models/devices/index.js';
import {samplesByKernel} from './fit-tables.js';
import type {LoadedTable} from './load.js';
import {peaksFor} from './physics.js';
import {vidurOperators} from './tables/vidur.js';

/** Error of one kind of kernel on one device, over points that the fit never saw. Errors are shares. */
export interface CheckRow {
  readonly op: string;
  readonly device: string;
  /** How the points of the fit were chosen; their number and that of the others. */
  readonly how: string;
  readonly trained: number;
  readonly n: number;
  readonly mean: number;
  readonly median: number;
  readonly bias: number;
  readonly p90: number;
  /** Share of the points within the 80 % interval that cross-validation of the points of the fit gives. */
  readonly coverage: number | null;
}

/** Reads a kernel table by its path under the folder of kernel tables. */
export type TableLoader = (path: string) => LoadedTable;

/** One kind of kernel to check: which tables, on which device, and what comes out. */
export interface HeldOutCheck {
  readonly op: string;
  readonly device: string;
  readonly run: (load: TableLoader) => CheckRow;
}

/** Points that a calibration would measure: eight row counts, four of each width. */
const gemmGrid = {m: [1, 8, 32, 128, 256, 1024, 4096, 8192], n: [256, 1024, 4096, 16_384], k: [256, 1024, 4096, 16_384]};
const GEMM_GRID = '8 × 4 × 4 grid, tested inside it';
const SPREAD = '200 points as far apart as they can be, head dim 128, no window';

const [H100, A100, RTX4090] = ['h100-sxm', 'a100-sxm-80gb', 'rtx-4090'];
const rtx4090Tables = 'llmservingsim/RTX4090/meta-llama/Llama-3.1-8B/bf16/tp1';

/** Every check, in the order of the report. */
export const heldOutChecks: readonly HeldOutCheck[] = [
  ...[H100, A100].map((device) => check('gemm.bf16', device, (load) => gemmCheck(device, load))),
  ...[H100, A100].map((device) =>
    check('attn.prefill.bf16', device, (load) => attentionCheck('context', 'attn.prefill.bf16', device, load)),
  ),
  ...[H100, A100].map((device) =>
    check('attn.decode.bf16', device, (load) => attentionCheck('generation', 'attn.decode.bf16', device, load)),
  ),
  ...vidurOperators.map((operator) => check(`vidur ${operator}`, A100, (load) => vidurCheck(operator, load))),
  ...[H100, A100].map((device) => check('nccl', device, (load) => ncclCheck(device, load))),
  check('attn.mixed.bf16', RTX4090, (load) => tableCheck('attention', load)),
  check('dense layers', RTX4090, (load) => tableCheck('dense', load)),
];

function check(op: string, device: string, run: (load: TableLoader) => Omit<CheckRow, 'op' | 'device'>): HeldOutCheck {
  return {op, device, run: (load) => ({op, device, ...run(load)})};
}

const aicFolder: Readonly<Record<string, string>> = {[H100]: 'aiconfigurator/h100_sxm', [A100]: 'aiconfigurator/a100_sxm'};

function gemmCheck(device: string, load: TableLoader) {
  const kernel = kernelNamed('gemm.bf16');
  const within = samplesOf(load(`${aicFolder[device]}/gemm.csv.gz`), kernel, device).filter(({shape}) =>
    shape.every((value, d) => value >= Object.values(gemmGrid)[d][0] && value <= Object.values(gemmGrid)[d].at(-1)!),
  );
  return row(heldOutOn(device, forms['pnorm-grid'], kernel, gridSplit(kernel, within, gemmGrid)), GEMM_GRID);
}

function attentionCheck(phase: 'context' | 'generation', name: string, device: string, load: TableLoader) {
  const kernel = kernelNamed(name);
  const [headDim, window] = ['head_dim', 'window'].map((axis) => kernel.axes.indexOf(axis));
  const plain = samplesOf(load(`${aicFolder[device]}/${phase}_attention.csv.gz`), kernel, device).filter(
    ({shape}) => shape[headDim] === 128 && shape[window] === 0,
  );
  return row(heldOutOn(device, forms['pnorm-grid'], kernel, spreadSplit(kernel, plain, 200)), SPREAD);
}

const vidurModels = ['Llama-2-7b-hf', 'Llama-2-70b-hf', 'Meta-Llama-3-8B', 'Meta-Llama-3-70B'];

/** One operator over four models and four splits; a shape measured twice is in one part only. */
function vidurCheck(operator: string, load: TableLoader) {
  const position = vidurOperators.indexOf(operator);
  const tables = vidurModels.map((model) => load(`vidur/a100/${model}_mlp.csv.gz`));
  const own = tables.map((table) => ({
    ...table,
    measurements: table.measurements.filter((_, i) => i % vidurOperators.length === position),
  }));
  const [{kernel, samples}] = samplesByKernel(own, builtinDevice(A100));
  const shapes = distinctShapes(samples);
  const {train} = randomSplit(kernel, shapes, Math.round(0.2 * shapes.length));
  return row(heldOutOn(A100, forms['pnorm-grid'], kernel, splitByShape(samples, train)), 'random 20 % of the shapes');
}

/** Every second size of each topology; the row joins all of them. */
function ncclCheck(device: string, load: TableLoader) {
  const rows = samplesByKernel([load(`${aicFolder[device]}/nccl.csv.gz`)], null).map(({kernel, samples}) => {
    const sizes = distinctShapes(samples).sort((a, b) => a.shape[0] - b.shape[0]);
    return heldOutOn(
      device,
      forms['two-protocol'],
      kernel,
      splitByShape(
        samples,
        sizes.filter((_, i) => i % 2 === 0),
      ),
    );
  });
  return row(joined(rows), `every second size, by topology (${rows.length})`);
}

/** Random 20 % of the grid points left out of a table, and interpolated from the rest. */
function tableCheck(table: 'attention' | 'dense', load: TableLoader) {
  const groups = samplesByKernel([load(`${rtx4090Tables}/${table}.csv.gz`)], builtinDevice(RTX4090));
  const rows = groups.map(({kernel, samples}) => {
    const shapes = distinctShapes(samples);
    const {train} = randomSplit(kernel, shapes, Math.round(0.8 * shapes.length));
    return heldOutOn(RTX4090, forms.table, kernel, splitByShape(samples, train));
  });
  return row(joined(rows), 'random 20 % of the grid points left out');
}

function samplesOf(table: LoadedTable, kernel: Kernel, device: string): readonly Sample[] {
  return samplesByKernel([table], builtinDevice(device)).find((group) => group.kernel.name === kernel.name)!.samples;
}

function heldOutOn(device: string, form: Form, kernel: Kernel, split: Split): HeldOut {
  const peaks = peaksFor(kernel, builtinDevice(device));
  return heldOut(form, kernel, split, peaks === undefined ? {} : {peaks});
}

/** One sample of each shape. */
function distinctShapes(samples: readonly Sample[]): Sample[] {
  return [...new Map(samples.map((sample) => [sample.shape.join(), sample])).values()];
}

function splitByShape(samples: readonly Sample[], train: readonly Sample[]): Split {
  const chosen = new Set(train.map(({shape}) => shape.join()));
  const isChosen = ({shape}: Sample) => chosen.has(shape.join());
  return {train: samples.filter(isChosen), test: samples.filter((sample) => !isChosen(sample))};
}

/** Means over the points of all; median and p90 are the means of theirs, by points. */
function joined(rows: readonly HeldOut[]): HeldOut {
  const n = rows.reduce((sum, one) => sum + one.n, 0);
  const mean = (of: (one: HeldOut) => number) => rows.reduce((sum, one) => sum + (of(one) * one.n) / n, 0);
  const covered = rows.filter(({coverage}) => coverage !== null);
  const error: FitError = {
    mape: mean(({mape}) => mape),
    p50: mean(({p50}) => p50),
    p90: mean(({p90}) => p90),
    bias: mean(({bias}) => bias),
    interval: [mean(({interval}) => interval[0]), mean(({interval}) => interval[1])],
    n,
  };
  return {
    ...rows[0],
    ...error,
    trained: rows.reduce((sum, {trained}) => sum + trained, 0),
    coverage: covered.length < rows.length ? null : mean(({coverage}) => coverage!),
    extrapolated: rows.reduce((sum, {extrapolated}) => sum + extrapolated, 0),
  };
}

function row({trained, n, mape, p50, bias, p90, coverage}: HeldOut, how: string): Omit<CheckRow, 'op' | 'device'> {
  return {how, trained, n, mean: mape, median: p50, bias, p90, coverage};
}
