import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import {InputError} from '../../core/errors.js';

/** What a command may write into a folder, so that one with anything else is not its own. */
export interface FolderKind {
  /** The file that says whose folder it is, and what its `schema` begins with. */
  readonly main: string;
  readonly schema: string;
  readonly files: readonly string[];
}

/** The folder of a run. */
const runFolder: FolderKind = {
  main: 'result.json',
  schema: 'tiercast.result/',
  files: ['result.json', 'requests.csv', 'timeline.csv', 'report.html'],
};

/** A file of a result: its name and its text, whole or in pieces. */
export interface ResultFile {
  readonly name: string;
  readonly text: Iterable<string>;
}

/** A scenario's name as a folder's: letters, digits, dot, dash and underscore stay. */
export function folderName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|[.-]+$/g, '');
  return safe === '' ? 'result' : safe.slice(0, 100);
}

/** Throws InputError unless results can be written to `path`: it is free, an empty folder, or an earlier result of ours. */
export function refuseForeign(path: string, kind: FolderKind = runFolder): void {
  if (path === '') throw new InputError('--out "" is no folder; name one');
  // A link that leads nowhere is in the way too, though it does not exist.
  const there = existsSync(dirname(path)) && statSync(dirname(path)).isDirectory() ? lstatSync(path, {throwIfNoEntry: false}) : undefined;
  if (there === undefined) {
    refuseUnwritable(path);
    return;
  }
  if (!there.isDirectory()) throw new InputError(`--out ${path} is no folder; name one`);
  const names = readdirSync(path);
  if (names.length === 0) return;
  const foreign = names.find((name) => !kind.files.includes(name));
  if (foreign !== undefined)
    throw new InputError(`--out ${path} holds "${foreign}", which is no result of ours; name an empty or new folder`);
  if (!isOurs(join(path, kind.main), kind)) throw new InputError(`--out ${path} holds no result of ours; name an empty or new folder`);
}

/** Before the run, not after it: whether the folder that the new one would be in, as far as it exists, can be written to. */
function refuseUnwritable(path: string): void {
  let parent = dirname(resolve(path));
  while (!existsSync(parent)) parent = dirname(parent);
  if (!statSync(parent).isDirectory()) throw new InputError(`--out ${path}: ${parent} is a file`);
  try {
    accessSync(parent, constants.W_OK);
  } catch {
    throw new InputError(`--out ${path}: ${parent} cannot be written to; name another folder`);
  }
}

function isOurs(path: string, {schema}: FolderKind): boolean {
  try {
    return String(JSON.parse(readFileSync(path, 'utf8')).schema).startsWith(schema);
  } catch {
    return false;
  }
}

/**
 * Writes a result beside its place and moves it there when it is whole, so that the folder never holds half of one; an earlier result is
 * replaced. Interrupted (SIGINT), it leaves everything as it was and exits with 130.
 */
export async function writeResult(path: string, files: readonly ResultFile[], kind: FolderKind = runFolder): Promise<void> {
  const place = resolve(path);
  refuseForeign(place, kind);
  const beside = folderBeside(place);
  const remove = () => rmSync(beside, {recursive: true, force: true});
  const interrupted = () => process.exit(130);
  process.on('SIGINT', interrupted);
  process.on('exit', remove); // also when something else, such as a policy from a file, ends the process
  try {
    for (const file of files) await writeFile(join(beside, file.name), file.text);
    chmodSync(beside, 0o777 & ~process.umask());
    replace(place, beside);
  } catch (error) {
    remove();
    throw error;
  } finally {
    process.off('SIGINT', interrupted);
    process.off('exit', remove);
  }
}

/** Throws InputError, naming the option, unless a file can be written to `path`: it is free or a file, and its folder is there. */
export function refuseNoFile(path: string, option: string): void {
  const folder = dirname(resolve(path));
  if (path === '' || statSync(path, {throwIfNoEntry: false})?.isDirectory())
    throw new InputError(`${option} "${path}" is no file; name one`);
  if (!statSync(folder, {throwIfNoEntry: false})?.isDirectory()) throw new InputError(`${option} ${path}: its folder does not exist`);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new InputError(`${option} ${path}: its folder cannot be written to`);
  }
}

/** Writes one file beside its place and moves it there when it is whole; interrupted (SIGINT) or failed, it leaves nothing. */
export async function writeWhole(path: string, text: Iterable<string>, option: string): Promise<void> {
  refuseNoFile(path, option);
  const place = resolve(path);
  const beside = join(mkdtempSync(join(dirname(place), `.${basename(place)}-`)), 'part');
  const remove = () => rmSync(dirname(beside), {recursive: true, force: true});
  const interrupted = () => {
    remove();
    process.exit(130);
  };
  process.on('SIGINT', interrupted);
  try {
    await writeFile(beside, text);
    renameSync(beside, place);
  } finally {
    process.off('SIGINT', interrupted);
    remove();
  }
}

function folderBeside(place: string): string {
  try {
    mkdirSync(dirname(place), {recursive: true});
    return mkdtempSync(join(dirname(place), `.${basename(place)}-`));
  } catch (error) {
    throw new InputError(`--out ${place} cannot be written: ${(error as Error).message}`);
  }
}

async function writeFile(path: string, text: Iterable<string>): Promise<void> {
  const file = openSync(path, 'wx');
  try {
    for (const piece of text) {
      writeSync(file, piece);
      // An interrupt is only seen between turns of the event loop.
      await new Promise(setImmediate);
    }
  } finally {
    closeSync(file);
  }
}

/** Two renames without a turn between them; the old result is only removed when the new one is in place. */
function replace(place: string, whole: string): void {
  if (!existsSync(place)) {
    renameSync(whole, place);
    return;
  }
  const old = mkdtempSync(join(dirname(place), `.${basename(place)}-old-`));
  renameSync(place, join(old, 'was'));
  try {
    renameSync(whole, place);
  } catch (error) {
    renameSync(join(old, 'was'), place);
    throw error;
  } finally {
    rmSync(old, {recursive: true, force: true});
  }
}
