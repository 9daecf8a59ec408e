import {type Grade, grades} from '../../../models/provenance.js';
import type {Eviction} from '../../../policies/eviction/eviction.js';
import {InputError} from '../../core/errors.js';
import {notQuantity, type QuantityParser} from '../../core/quantity.js';
import {defaultOf, notSimulated} from '../file/check.js';
import type {Faults, Place} from '../file/fault.js';
import type {FileRead, Files} from '../file/files.js';
import {folderOf, joined} from '../file/paths.js';
import {at, type MapTree, plain, type Tree, withAt} from '../file/tree.js';
import type {Assumption, Warning} from '../scenario.js';
import {find} from '../schema/index.js';

/** A scenario on its way from tree to `Scenario`: values in SI by path, what was wrong, assumed or worth a warning so far. */
export class Draft {
  readonly files: Files;
  readonly parse: QuantityParser;
  readonly faults: Faults;
  readonly unsimulated: Faults;
  readonly warnings: Warning[] = [];
  readonly assumptions: Assumption[] = [];
  readonly read: FileRead[];
  /** What is written; what defaults added comes on top. */
  readonly written: MapTree;
  tree: MapTree;
  /** Policies from files, by the path of the key that names them. */
  readonly ownPolicies = new Map<string, Eviction>();
  #values: Record<string, unknown>;

  constructor(parts: {
    files: Files;
    parse: QuantityParser;
    faults: Faults;
    unsimulated: Faults;
    read: FileRead[];
    written: MapTree;
    tree: MapTree;
    values: unknown;
  }) {
    this.files = parts.files;
    this.parse = parts.parse;
    this.faults = parts.faults;
    this.unsimulated = parts.unsimulated;
    this.read = parts.read;
    this.written = parts.written;
    this.tree = parts.tree;
    this.#values = parts.values as Record<string, unknown>;
  }

  /** The value at a path in SI, or undefined when it is neither written nor a default. */
  get<T>(path: string): T | undefined {
    let value: unknown = this.#values;
    for (const part of path.split('.')) {
      if (typeof value !== 'object' || value === null) return undefined;
      value = (value as Record<string, unknown>)[part];
    }
    return value as T | undefined;
  }

  get values(): Readonly<Record<string, unknown>> {
    return this.#values;
  }

  isWritten(path: string): boolean {
    return at(this.written, path.split('.')) !== undefined;
  }

  /** Whether what is written at a path was no value for it: that has been told, and nothing follows from it. */
  isRefused(path: string): boolean {
    return this.isWritten(path) && this.get(path) === undefined;
  }

  /** Where a path was written; where the nearest map around it was, when it is missing. */
  placeOf(path: string): {readonly at: Place; readonly cited: string} {
    const parts = path.split('.');
    for (let length = parts.length; length > 0; length--) {
      const entry = at(this.tree, parts.slice(0, length));
      if (entry === undefined) continue;
      return length === parts.length ? {at: entry.tree.at, cited: entry.tree.cited ?? path} : {at: entry.key, cited: path};
    }
    return {at: this.tree.at, cited: path};
  }

  fault(path: string, message: string): void {
    const place = this.placeOf(path);
    this.faults.add(place.at, place.cited, message);
  }

  /** Says that a written value parses and is not simulated. */
  notSimulated(path: string): void {
    const place = this.placeOf(path);
    this.unsimulated.add(place.at, place.cited, notSimulated());
  }

  /** Calls `work`; what it refuses becomes a fault of the path, and the result is undefined. */
  try<T>(path: string, work: () => T): T | undefined {
    const place = this.placeOf(path);
    return this.faults.catch(place.at, place.cited, work);
  }

  /** The same for work that reads `file`; what is wrong with a line of it is told at that line. */
  async tryAsync<T>(path: string, work: () => Promise<T>, file?: string): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const place = this.placeOf(path);
      this.faults.addError(place.at, place.cited, error, file);
      return undefined;
    }
  }

  /** Puts a default in, as a file would write it and as the value it means. */
  default(path: string, written: string | number | boolean, value: unknown = written): void {
    const parts = path.split('.');
    this.tree = withAt(this.tree, parts, defaultOf(written, this.tree.at), this.tree.at) as MapTree;
    this.setValue(path, value);
  }

  /** Puts a value in SI in, without changing what a file would write. */
  setValue(path: string, value: unknown): void {
    const parts = path.split('.');
    let holder = this.#values;
    for (const part of parts.slice(0, -1)) holder = (holder[part] ??= Object.create(null)) as Record<string, unknown>;
    holder[parts[parts.length - 1]] = value;
  }

  /** Writes where the value at a path comes from. */
  setSource(path: string, said: string): void {
    this.tree = withAt(this.tree, ['sources', path], defaultOf(said, this.tree.at), this.tree.at) as MapTree;
    const sources = (this.#values.sources ??= Object.create(null)) as Record<string, string>;
    sources[path] = said;
  }

  /** Takes a key out of the resolved scenario, because another key says the same. */
  drop(path: string): void {
    const parts = path.split('.');
    this.tree = withAt(this.tree, parts, null, this.tree.at) as MapTree;
  }

  warn(code: string, path: string, text: string): void {
    this.warnings.push({code, path, text});
  }

  /** Warns that a written key changes nothing here. */
  noEffect(path: string, because: string): void {
    if (this.isWritten(path)) this.warn('no_effect', path, `has no effect here: ${because}`);
  }

  /** Grade and source of a value that the scenario sets itself: what `sources` says, else assumed. */
  provenance(path: string): {readonly grade: Grade; readonly source: string} {
    const said = this.get<Record<string, string>>('sources')?.[path];
    return said === undefined ? {grade: 'assumed', source: 'the scenario'} : gradeOf(said);
  }

  /** A path that the scenario wrote, from the current folder: paths belong to the file that wrote them. */
  resolvePath(path: string, written: string): string {
    return joined(folderOf(this.placeOf(path).at.file), written);
  }

  async readFile(path: string): Promise<Uint8Array> {
    const bytes = await this.files.read(path);
    if (!this.read.some((one) => one.path === path)) this.read.push({path, sha256: this.files.sha256(bytes)});
    return bytes;
  }

  /** A policy's parameter as a number of seconds, where it is a duration; else as it is written. Throws InputError for a duration without a unit. */
  inSeconds(params: Readonly<Record<string, {readonly kind: string}>>, name: string, value: unknown): unknown {
    const isDuration = Object.hasOwn(params, name) && params[name].kind === 'duration';
    if (!isDuration) return value;
    if (typeof value !== 'string') throw new InputError(notQuantity(value, 'duration'));
    return this.parse(value, 'duration');
  }

  /** The value at a path as the file would write it. */
  textAt(path: string): string {
    const entry = at(this.tree, path.split('.'));
    return entry === undefined ? '' : inLine(entry.tree);
  }
}

/** A value on one line: `5`, `80 GiB`, `{dist: lognormal, mean: 200}`; a constant distribution is its value. */
function inLine(tree: Tree): string {
  if (tree.kind === 'scalar') return tree.source;
  if (tree.kind === 'list') return `[${tree.items.map(inLine).join(', ')}]`;
  const {entries} = tree;
  const value = plain(tree) as Record<string, unknown>;
  if (value.dist === 'constant' && entries.size === 2) return inLine(entries.get('value')!.tree);
  return `{${[...entries].map(([name, {tree: inner}]) => `${name}: ${inLine(inner)}`).join(', ')}}`;
}

/** Reads what `sources` says of a value: a grade, a text, or `grade: text`. A text alone is as good as a datasheet. */
export function gradeOf(said: string): {readonly grade: Grade; readonly source: string} {
  const [, first, rest] = /^\s*(\w+)\s*(?::\s*(.*))?$/.exec(said) ?? [];
  if (grades.includes(first as Grade)) return {grade: first as Grade, source: rest ?? 'the scenario'};
  return {grade: 'datasheet', source: said};
}

/** Refuses sources of paths that are no keys, and lists what they say of values that the scenario sets. */
export function resolveSources(draft: Draft): void {
  for (const [path, said] of Object.entries(draft.get<Record<string, string>>('sources') ?? {})) {
    if (said === undefined) continue;
    const entry = at(draft.tree, ['sources', path])!;
    if (find(path) === null) draft.faults.add(entry.key, `sources.${path}`, `"${path}" is no key of a scenario`);
    else if (!draft.assumptions.some((one) => one.path === path)) {
      draft.assumptions.push({path, value: draft.textAt(path), ...gradeOf(said)});
    }
  }
}
