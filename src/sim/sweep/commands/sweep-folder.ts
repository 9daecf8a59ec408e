import {existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {InputError} from '../../core/errors.js';
import type {ResultFile} from '../../scenario/commands/result-folder.js';

/** The file that a sweep resumes from: results by address, in the order in which they were finished. */
export const storeFile = 'results.jsonl';

const ours = [storeFile, 'rows.jsonl', 'table.csv', 'pareto.json', 'recommendations', 'sweep.html'];
/** What an interrupted write may leave; taken away by the next sweep. */
const halfWritten = /^\.new-/;

/** Makes the folder of a sweep, or takes one of an earlier sweep. Throws InputError when it holds anything else. */
export function openSweepFolder(path: string): void {
  if (existsSync(path) && !lstatSync(path).isDirectory()) throw new InputError(`--out ${path} is no folder; name one`);
  try {
    mkdirSync(path, {recursive: true});
  } catch (error) {
    throw new InputError(`--out ${path} cannot be written: ${(error as Error).message}`);
  }
  const names = readdirSync(path);
  const foreign = names.find((name) => !ours.includes(name) && !halfWritten.test(name));
  if (foreign !== undefined)
    throw new InputError(`--out ${path} holds "${foreign}", which is no result of a sweep; name an empty or new folder`);
  for (const name of names) if (halfWritten.test(name)) rmSync(join(path, name), {recursive: true, force: true});
}

/** Writes all files beside their places and then moves them there, so that none is ever half. Recommendations of an earlier sweep go. */
export function writeSweep(path: string, files: readonly ResultFile[]): void {
  const fresh = mkdtempSync(join(path, '.new-'));
  for (const {name, text} of files) {
    mkdirSync(dirname(join(fresh, name)), {recursive: true});
    writeFileSync(join(fresh, name), [...text].join(''));
  }
  for (const name of ours) {
    if (name === storeFile) continue;
    rmSync(join(path, name), {recursive: true, force: true});
    if (existsSync(join(fresh, name))) renameSync(join(fresh, name), join(path, name));
  }
  rmSync(fresh, {recursive: true});
}

/** A path as a file may show it: as it was typed, but for the last part alone when it would name a machine's folders. */
export function shownPath(path: string): string {
  return path.startsWith('/') || /^[A-Za-z]:/.test(path) ? basename(path) : path;
}
