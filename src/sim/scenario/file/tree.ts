import {type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument} from 'yaml';
import type {Faults, Place} from './fault.js';

interface Written {
  readonly at: Place;
  /** The path that faults cite when the value was written in a short form. */
  readonly cited?: string;
}

export interface ScalarTree extends Written {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** The scalar as it stands in the file. */
  readonly source: string;
}

export interface MapTree extends Written {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, Entry>;
}

export interface ListTree extends Written {
  readonly kind: 'list';
  readonly items: readonly Tree[];
}

/** A value of a scenario with the place that wrote it. Maps are `Map`s, so no name can reach a prototype. */
export type Tree = ScalarTree | MapTree | ListTree;

/** A key of a map and its value. */
export interface Entry {
  readonly key: Place;
  readonly tree: Tree;
}

/** Names that would reach an object's prototype; refused wherever a name is free. */
export const forbiddenNames: readonly string[] = ['__proto__', 'constructor', 'prototype'];

const deepest = 40;
const mostValues = 100_000;

/** Parses YAML (or JSON) into a tree; adds what is wrong to `faults` and returns null when nothing can be read. */
export function parseTree(text: string, file: string, faults: Faults): Tree | null {
  const lines = new LineCounter();
  const place = (offset: number): Place => {
    const {line, col} = lines.linePos(offset);
    return {file, line, column: col};
  };
  let document: Document.Parsed;
  try {
    // Not `silent`: that hides a second document.
    document = parseDocument(text, {lineCounter: lines, uniqueKeys: false, prettyErrors: false, logLevel: 'error'});
  } catch {
    faults.add({file, line: 1, column: 1}, '', 'is nested too deeply');
    return null;
  }
  for (const {pos, code, message} of [...document.errors, ...document.warnings]) {
    const what = code === 'MULTIPLE_DOCS' ? 'a second document begins here; a scenario file holds one' : message.split('\n')[0];
    faults.add(place(pos[0]), '', `is not valid YAML: ${what}`);
  }
  if (faults.size > 0) return null;
  const reader = new Reader(document, place, faults);
  return document.contents === null ? reader.empty() : reader.read(document.contents, '', 0);
}

/** Parses the value of `--set`: one YAML scalar, list or map. */
export function parseValue(text: string, flag: string, faults: Faults): Tree | null {
  const at: Place = {file: '', line: 1, column: 1, flag};
  const document = parseDocument(text, {uniqueKeys: false, prettyErrors: false, logLevel: 'error'});
  if (document.errors.length > 0) {
    faults.add(at, '', `is not a YAML value: ${document.errors[0].message.split('\n')[0]}`);
    return null;
  }
  const reader = new Reader(document, () => at, faults);
  return document.contents === null ? reader.empty() : reader.read(document.contents, '', 0);
}

class Reader {
  readonly #document: Document.Parsed;
  readonly #place: (offset: number) => Place;
  readonly #faults: Faults;
  #values = 0;

  constructor(document: Document.Parsed, place: (offset: number) => Place, faults: Faults) {
    this.#document = document;
    this.#place = place;
    this.#faults = faults;
  }

  empty(): ScalarTree {
    return {kind: 'scalar', at: this.#place(0), value: null, source: ''};
  }

  read(node: unknown, path: string, depth: number): Tree {
    const at = this.#at(node);
    if (depth > deepest || ++this.#values > mostValues) {
      if (this.#values <= mostValues + 1 || depth === deepest + 1)
        this.#faults.add(at, path, 'is nested too deeply, or repeated too often');
      return {kind: 'scalar', at, value: null, source: ''};
    }
    if (isAlias(node)) return this.read(node.resolve(this.#document), path, depth + 1);
    if (isMap(node)) return this.#map(node.items as Pair[], at, path, depth);
    if (isSeq(node)) return {kind: 'list', at, items: node.items.map((item, i) => this.read(item, `${path}[${i}]`, depth + 1))};
    if (isScalar(node)) return this.#scalar(node.value, node.source ?? String(node.value), at, path);
    return {kind: 'scalar', at, value: null, source: ''};
  }

  #scalar(value: unknown, source: string, at: Place, path: string): ScalarTree {
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) {
      return {kind: 'scalar', at, value: value as string | number | boolean | null, source};
    }
    this.#faults.add(at, path, `${source} is neither text, number, true, false nor null`);
    return {kind: 'scalar', at, value: null, source};
  }

  #map(pairs: readonly Pair[], at: Place, path: string, depth: number): MapTree {
    const entries = new Map<string, Entry>();
    for (const {key, value} of pairs) {
      const name = isScalar(key) ? (typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))) : null;
      const place = this.#at(key);
      const inner = path === '' ? String(name) : `${path}.${name}`;
      const first = name === null ? undefined : entries.get(name);
      if (name === null) this.#faults.add(place, path, 'a key is a name, not a list or a map');
      else if (forbiddenNames.includes(name)) this.#faults.add(place, inner, `"${name}" cannot be a key`);
      else if (first !== undefined) this.#faults.add(place, inner, `written twice (first at ${first.key.line}:${first.key.column})`);
      else entries.set(name, {key: place, tree: this.read(value, inner, depth + 1)});
    }
    return {kind: 'map', at, entries};
  }

  #at(node: unknown): Place {
    const range = (node as {range?: readonly number[] | null} | null)?.range;
    return this.#place(range?.[0] ?? 0);
  }
}

/** The value at a path of a tree, or undefined. Keys of `sources` hold dots: pass the parts. */
export function at(tree: Tree, parts: readonly string[]): Entry | undefined {
  let entry: Entry | undefined;
  let here: Tree = tree;
  for (const part of parts) {
    if (here.kind !== 'map') return undefined;
    entry = here.entries.get(part);
    if (entry === undefined) return undefined;
    here = entry.tree;
  }
  return entry;
}

/** A tree with the value at a path put in, replaced, or (null) taken out; maps on the way are made. */
export function withAt(tree: Tree, parts: readonly string[], value: Tree | null, key: Place): Tree {
  if (parts.length === 0) return value ?? tree;
  const entries = new Map(tree.kind === 'map' ? tree.entries : []);
  const [name, ...rest] = parts;
  const below = entries.get(name);
  if (rest.length === 0 && value === null) entries.delete(name);
  else {
    const inner = below?.tree ?? {kind: 'map', at: key, entries: new Map()};
    entries.set(name, {key: below?.key ?? key, tree: rest.length === 0 ? value! : withAt(inner, rest, value, key)});
  }
  return {kind: 'map', at: tree.at, entries};
}

/** The plain value of a tree, as a file would hold it. */
export function plain(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'list') return tree.items.map(plain);
  return Object.fromEntries([...tree.entries].map(([name, {tree: inner}]) => [name, plain(inner)]));
}
