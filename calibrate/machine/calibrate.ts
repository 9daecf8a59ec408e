import {spawnSync} from 'node:child_process';
import {type Measurements, readMeasurements} from './lines.js';
import {tokenMatrices} from './model.js';
import {modelPoints, type PlannedPoint, readPoints, shortTwice, withinBudget} from './plan.js';
import {measure, PATIENCE, type Progress, type Request} from './runner.js';

/** What the command line asks for. */
export interface Wanted {
  readonly device: string;
  readonly plan: 'tiny' | 'quick' | 'full';
  /** Seconds for everything. */
  readonly budget: number;
  readonly seed: number;
  /** Built-in model or config.json whose own matrices are measured too. */
  readonly model: string | undefined;
  readonly storage: boolean;
  readonly folder: string | undefined;
  readonly buffered: boolean;
}

/** Lines that were written, and what they say. */
export interface Measured {
  readonly text: string;
  readonly runs: readonly Measurements[];
  /** Points that the budget did not allow. */
  readonly dropped: readonly PlannedPoint[];
}

const FORMATS = ['bf16', 'int8', 'int4_g32'];

/** Seconds that starting, checking the kernels and the anchors take beside the points. */
const START = 3;

/** Measures the device, and the storage behind it, one after the other in child processes. Stops between them when `signal` is aborted. */
export async function calibrate(
  bench: string,
  wanted: Wanted,
  signal: AbortSignal,
  onProgress: (what: string, progress: Progress) => void,
): Promise<Measured> {
  const began = performance.now();
  const own = wanted.model === undefined ? [] : tokenMatrices(wanted.model);
  const devices = wanted.storage && wanted.device === 'cpu' ? [wanted.device, 'storage'] : [wanted.device];
  const listed = devices.map((device) => pointsOf(bench, device, wanted));
  const points = listed[0].concat(FORMATS.flatMap((format) => modelPoints(own, format)));
  const storage = listed[1] ?? [];
  // What storage needs is set aside first: it is little, and nothing else measures it.
  const storageSeconds = storage.reduce((sum, {estimate}) => sum + estimate, 0);
  const {kept, dropped} = withinBudget(
    wanted.device === 'cpu' ? shortTwice(points) : points,
    wanted.budget - START * devices.length - storageSeconds,
  );
  let text = '';
  for (const [i, device] of devices.entries()) {
    if (signal.aborted) break;
    const chosen = i === 0 ? kept : storage;
    if (chosen.length === 0) continue;
    const left = wanted.budget - (performance.now() - began) / 1000 - (i === 0 ? storageSeconds : 0);
    const request: Request = {
      device,
      plan: wanted.plan,
      points: chosen.map((point) => point.text),
      budget: Math.max(1, left),
      seed: wanted.seed,
      folder: wanted.folder,
      buffered: wanted.buffered,
    };
    text += await measure(bench, request, {signal, patience: PATIENCE, onProgress: (progress) => onProgress(device, progress)});
  }
  const once = new Set(kept.map((point) => point.text));
  return {text, runs: text === '' ? [] : readMeasurements(text, 'calib-bench'), dropped: dropped.filter((point) => !once.has(point.text))};
}

function pointsOf(bench: string, device: string, {plan, folder}: Wanted): PlannedPoint[] {
  const {stdout} = spawnSync(bench, ['--device', device, '--plan', plan, '--list', ...(folder === undefined ? [] : ['--folder', folder])], {
    encoding: 'utf8',
  });
  return readPoints(stdout ?? '');
}
