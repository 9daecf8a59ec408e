import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {InputError} from '../core/errors.js';
import {readMeasured} from './index.js';
import type {MeasuredRun} from './measured-run.js';

/** Reads measured runs from a file, or from the files of a folder, packed with gzip or not. Throws InputError. */
export function loadMeasured(path: string): MeasuredRun[] {
  if (!existsSync(path)) throw new InputError(`${path} does not exist`);
  const paths = statSync(path).isDirectory() ? filesOf(path) : [path];
  const files = new Map(paths.map((file) => [basename(file).replace(/\.gz$/, ''), readText(file)]));
  return readMeasured(files, path);
}

/** Reads a text file, packed with gzip or not. */
export function readText(path: string): string {
  const bytes = readFileSync(path);
  try {
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  } catch (error) {
    throw new InputError(`${path} is damaged inside its gzip stream: ${(error as Error).message}`);
  }
}

/** The run's own files, and the prompts it names: looked for in `workloads` folders beside it and above. */
function filesOf(folder: string): string[] {
  const own = readdirSync(folder)
    .filter((name) => /\.(json|jsonl)(\.gz)?$/.test(name))
    .sort()
    .map((name) => join(folder, name));
  const meta = own.find((file) => /meta\.json(\.gz)?$/.test(file));
  const dataset = meta === undefined ? undefined : /"dataset_path":\s*"([^"]*)"/.exec(readText(meta))?.[1];
  if (dataset === undefined) return own;
  const stem = basename(dataset).replace(/\.jsonl$/, '');
  let place = folder;
  for (let up = 0; up < 5; up++) {
    const workloads = join(place, dirname(dataset));
    const found = existsSync(workloads) ? readdirSync(workloads).find((name) => name.startsWith(`${stem}.blocks`)) : undefined;
    if (found !== undefined) return [...own, join(workloads, found)];
    place = dirname(place);
  }
  return own;
}
