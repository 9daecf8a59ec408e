import {InputError} from '../../core/errors.js';
import {schema} from '../schema/index.js';
import {Faults, type Place} from './fault.js';
import type {FileRead, Files} from './files.js';
import {expand, merge} from './merge.js';
import {folderOf, joined, liesIn} from './paths.js';
import {parseTree, type Tree} from './tree.js';

/** A scenario file is small; these keep a wrong file from taking minutes or memory. */
const mostBytes = 4 * 1024 ** 2;
const longestLine = 1024 ** 2;
const mostParents = 16;

/** A scenario in long form, its parents merged, and the files it came from. */
export interface Loaded {
  readonly tree: Tree;
  readonly files: readonly FileRead[];
}

/** Reads a scenario file and all that it extends. Throws InputError with every fault. */
export async function readScenarioFile(path: string, files: Files): Promise<Loaded> {
  const family = folderOf(folderOf(await files.real(path)));
  const read: FileRead[] = [];
  const tree = await new FamilyReader(files, family === '' ? '/' : family, read).read(path, []);
  return {tree, files: read};
}

/** Parses a scenario from text, without parents. */
export function parseScenario(text: string, file: string): Tree {
  const faults = new Faults();
  const tree = parseTree(text, file, faults);
  faults.throwAny();
  return checkedRoot(expand(schema, tree!), file);
}

function checkedRoot(tree: Tree, file: string): Tree {
  if (tree.kind === 'map') return tree;
  const what = tree.kind === 'scalar' && tree.value === null ? 'is empty' : 'is not a map of keys';
  throw new InputError(`${file}:${tree.at.line}:${tree.at.column} ${what}; a scenario has at least model, hardware, engine and workload`);
}

/** Follows `extends`, parents first. All files lie in `folder`: the one that holds the folder of the first file. */
class FamilyReader {
  readonly #files: Files;
  readonly #folder: string;
  readonly #read: FileRead[];

  constructor(files: Files, folder: string, read: FileRead[]) {
    this.#files = files;
    this.#folder = folder;
    this.#read = read;
  }

  async read(path: string, children: readonly string[]): Promise<Tree> {
    const bytes = await this.#files.read(path, mostBytes);
    if (!this.#read.some((one) => one.path === path)) this.#read.push({path, sha256: this.#files.sha256(bytes)});
    const own = parseScenario(textOf(bytes, path), path);
    let merged: Tree | null = null;
    for (const {parent, at} of parentsOf(own)) {
      const tree = await this.#parent(path, parent, at, [...children, path]);
      merged = merged === null ? tree : merge(schema, merged, tree);
    }
    return merged === null ? own : merge(schema, merged, own);
  }

  async #parent(path: string, parent: string, at: Place, chain: readonly string[]): Promise<Tree> {
    const refuse = (message: string): never => {
      const faults = new Faults();
      faults.add(at, 'extends', message);
      faults.throwAny();
      throw new Error('unreachable');
    };
    const target = joined(folderOf(path), parent);
    if (chain.includes(target)) refuse(`${[...chain.slice(chain.indexOf(target)), target].join(' → ')} goes in a circle`);
    if (chain.length >= mostParents) refuse(`${chain.length} files extend one another; ${mostParents} are allowed`);
    if (!liesIn(this.#folder, await this.#files.real(target))) {
      refuse(`${parent} lies outside; a parent lies in the scenario's folder, beside that folder, or below either`);
    }
    try {
      return await this.read(target, chain);
    } catch (error) {
      if (error instanceof InputError && error.message === `${target} does not exist`) return refuse(error.message);
      throw error;
    }
  }
}

function textOf(bytes: Uint8Array, path: string): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    throw new InputError(`${path}:1:1 is not UTF-8 text`);
  }
  let start = 0;
  for (let line = 1; start < text.length; line++) {
    const end = text.indexOf('\n', start);
    const length = (end < 0 ? text.length : end) - start;
    if (length > longestLine)
      throw new InputError(`${path}:${line}:1 is a line of ${(length / 1024 ** 2).toFixed(1)} MiB; 1 MiB is allowed`);
    start += length + 1;
  }
  return text;
}

function parentsOf(tree: Tree): {parent: string; at: Place}[] {
  const written = tree.kind === 'map' ? tree.entries.get('extends')?.tree : undefined;
  if (written === undefined || (written.kind === 'scalar' && written.value === null)) return [];
  return (written.kind === 'list' ? written.items : [written]).map((item) => {
    if (item.kind === 'scalar' && typeof item.value === 'string' && item.value !== '') return {parent: item.value, at: item.at};
    throw new InputError(`${item.at.file}:${item.at.line}:${item.at.column} extends: a path or a list of paths is wanted`);
  });
}
