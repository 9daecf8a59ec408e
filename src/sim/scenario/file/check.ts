import type {QuantityParser} from '../../core/quantity.js';
import {nearest} from '../../core/registry.js';
import {placeOf, synonyms} from '../schema/index.js';
import {childOf, type Group, type Key, type Node, namesIn, shortVersion} from '../schema/node.js';
import {shown} from '../schema/values.js';
import type {Faults, Place} from './fault.js';
import {type MapTree, plain, type Tree} from './tree.js';

/** Values in SI, as maps without a prototype, lists and scalars. */
export type Values = unknown;

/** Reads every value of a tree into SI. What is wrong goes to `faults`, what is known but not simulated to `unsimulated`. */
export function check(schema: Node, tree: Tree, parse: QuantityParser, faults: Faults, unsimulated: Faults): Values {
  return new Checker(parse, faults, unsimulated).read(schema, tree, '');
}

/** The message for what parses and is not simulated. */
export function notSimulated(what = 'known'): string {
  return `${what}, not simulated by this version (${shortVersion})`;
}

class Checker {
  readonly #parse: QuantityParser;
  readonly #faults: Faults;
  readonly #unsimulated: Faults;
  #later = 0;

  constructor(parse: QuantityParser, faults: Faults, unsimulated: Faults) {
    this.#parse = parse;
    this.#faults = faults;
    this.#unsimulated = unsimulated;
  }

  read(node: Node, tree: Tree, path: string): Values {
    if (node.kind === 'key') return this.#key(node, tree, tree.cited ?? path);
    if (node.kind === 'sequence') return this.#list(node.of, tree, path);
    if (tree.kind !== 'map') {
      this.#faults.add(tree.at, path, `${shown(plain(tree))} is not a map of keys${example(node, path)}`);
      return undefined;
    }
    return this.#map(node, tree, path);
  }

  #map(node: Node, tree: MapTree, path: string): Values {
    const values = Object.create(null) as Record<string, Values>;
    for (const [name, {key, tree: inner}] of tree.entries) {
      const innerPath = path === '' ? name : `${path}.${name}`;
      const child = childOf(node, name);
      if (child === null) this.#faults.add(key, innerPath, unknownKey(node, path, name));
      else values[name] = this.#below(child, inner, innerPath, tree.cited === undefined ? key : tree.at, tree.cited);
    }
    return values;
  }

  #below(node: Node, tree: Tree, path: string, key: Place, cited: string | undefined): Values {
    if (node.since === '0.1') return this.read(node, tree, path);
    if (this.#later === 0) this.#unsimulated.add(key, cited ?? path, notSimulated());
    this.#later++;
    const values = this.read(node, tree, path);
    this.#later--;
    return values;
  }

  #list(node: Node, tree: Tree, path: string): Values {
    if (tree.kind === 'list') return tree.items.map((item, i) => this.read(node, item, `${path}[${i}]`));
    this.#faults.add(tree.at, path, `${shown(plain(tree))} is not a list`);
    return undefined;
  }

  #key(node: Key, tree: Tree, path: string): Values {
    const value = plain(tree);
    if (value === null) return undefined; // an expression that failed; told already
    const result = this.#faults.catch(tree.at, path, () => node.read(value, tree.kind === 'scalar' ? tree.source : '', this.#parse));
    if (this.#later === 0 && typeof result === 'string' && node.later?.includes(result)) {
      this.#unsimulated.add(tree.at, path, `"${result}" is ${notSimulated()}${simulated(node)}`);
    }
    return result;
  }
}

function simulated(node: Key): string {
  return node.names === undefined || node.names.length === 0 ? '' : `; simulated: ${node.names.join(', ')}`;
}

function example(node: Node, path: string): string {
  const [first] = namesIn(node);
  return first === undefined || path === '' ? '' : `, e.g. "${path}: {${first}: …}"`;
}

function unknownKey(node: Node, path: string, name: string): string {
  const meant = meantKey(node, path, name);
  if (meant !== null) return `unknown key (did you mean "${meant}"?)`;
  const known = namesIn(node);
  return known.length === 0 || known.length > 14 ? 'unknown key' : `unknown key; known: ${known.join(', ')}`;
}

/** A synonym of the field, then the nearest key here, then the same key elsewhere; below `path` the rest of the path is enough. */
function meantKey(node: Node, path: string, name: string): string | null {
  const synonym = synonyms[name.toLowerCase()];
  const near = synonym === undefined ? nearest(name, namesIn(node)) : null;
  if (near !== null) return near;
  const place = placeOf(synonym ?? name, path);
  return place?.startsWith(`${path}.`) ? place.slice(path.length + 1) : place;
}

/** Puts the defaults that depend on nothing into the groups that are there, or that hold such defaults. */
export function withDefaults(node: Group, tree: MapTree, skip: ReadonlySet<string>, path = ''): MapTree {
  const entries = new Map(tree.entries);
  for (const [name, child] of Object.entries(node.keys)) {
    const inner = path === '' ? name : `${path}.${name}`;
    if (child.since === 'later' || skip.has(inner)) continue;
    const below = entries.get(name);
    if (child.kind === 'key') {
      if (below === undefined && child.value !== undefined) entries.set(name, {key: tree.at, tree: defaultOf(child.value, tree.at)});
    } else if (child.kind === 'group' && (below === undefined || below.tree.kind === 'map')) {
      const filled = withDefaults(child, (below?.tree as MapTree) ?? {kind: 'map', at: tree.at, entries: new Map()}, skip, inner);
      if (below !== undefined || filled.entries.size > 0) entries.set(name, {key: below?.key ?? tree.at, tree: filled});
    }
  }
  return {...tree, entries};
}

/** A value that nobody wrote. */
export function defaultOf(value: string | number | boolean, at: Place): Tree {
  return {kind: 'scalar', at, value, source: String(value)};
}
