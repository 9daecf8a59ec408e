import {existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {InputError} from '../../src/sim/core/errors.js';
import type {Report} from '../../src/sim/scenario/result.js';
import {pageMark} from '../page/document.js';
import {type NamedText, reportFromFiles} from './files.js';

/** A result read back, the folder it lies in, and the files that it names but that are not there. */
export interface LoadedReport {
  readonly report: Report;
  readonly folder: string;
  readonly missing: readonly string[];
}

/** Reads a result: its folder, or its result.json. Throws InputError, one line, when it is missing or malformed. */
export function loadReport(path: string): LoadedReport {
  const file = isFolder(path) ? join(path, 'result.json') : path;
  const folder = dirname(file);
  const missing: string[] = [];
  const document = readText(file);
  if (document === null) throw new InputError(`${file}: does not exist; \`tiercast run SCENARIO\` writes one`);
  const report = reportFromFiles(document, (name) => {
    const table = readText(join(folder, name));
    if (table === null) missing.push(name);
    return table;
  });
  return {report, folder, missing};
}

function isFolder(path: string): boolean {
  return statSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false;
}

/** The text of a file, or null when there is none. Names in errors are the path as given. */
function readText(path: string): NamedText | null {
  if (!existsSync(path)) return null;
  try {
    return {name: path, text: new TextDecoder('utf-8', {fatal: true}).decode(readFileSync(path))};
  } catch (error) {
    throw new InputError(`${path}: cannot be read: ${(error as Error).message}`);
  }
}

/** Writes a page beside its place and moves it there when it is whole. Refuses to replace a file that is no report page. */
export function writePage(path: string, page: string): void {
  const place = isFolder(path) ? join(path, 'report.html') : path;
  const old = readText(place);
  if (old !== null && !old.text.includes(pageMark)) throw new InputError(`${place}: exists and is no report page; name another file`);
  if (!isFolder(dirname(place))) throw new InputError(`${place}: its folder does not exist`);
  const beside = join(dirname(place), `.${basename(place)}.part`);
  try {
    writeFileSync(beside, page, {flag: 'w'});
    renameSync(beside, place);
  } catch (error) {
    rmSync(beside, {force: true});
    throw new InputError(`${place}: cannot be written: ${(error as Error).message}`);
  }
}
