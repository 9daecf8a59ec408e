import {stringify} from 'yaml';
import {InputError} from '../core/errors.js';
import {nearest} from '../core/registry.js';
import type {Faults, Place} from '../scenario/file/fault.js';
import {type Entry, type ListTree, type MapTree, plain, type Tree} from '../scenario/file/tree.js';
import type {Change} from '../scenario/resolve/index.js';
import {find, paths} from '../scenario/schema/index.js';
import {rangeValues} from './range.js';

/** One value of an axis: what it is called and which keys it changes. */
export interface AxisValue {
  readonly label: string;
  readonly changes: readonly Change[];
}

/** What a sweep varies: one key, or several that move together. */
export interface Axis {
  readonly name: string;
  /** The key that it varies, or null when it moves several under one name. */
  readonly path: string | null;
  readonly values: readonly AxisValue[];
}

/** Reads one axis; what is wrong goes to `faults`, at its place, and the result is null. */
export function readAxis(name: string, {key, tree}: Entry, faults: Faults): Axis | null {
  const cited = `study.axes.${name}`;
  const before = faults.size;
  const values = valuesOf(name, key, tree, faults);
  if (values.length === 0 && faults.size === before) faults.add(tree.at, cited, 'has no value; write a list, {range: …} or {set: […]}');
  const labels = values.map(({label}) => label);
  const twice = labels.find((label, i) => labels.indexOf(label) < i);
  if (twice !== undefined) faults.add(tree.at, cited, `has the value "${twice}" twice`);
  const isSet = tree.kind === 'map' && tree.entries.has('set');
  return faults.size > before ? null : {name, path: isSet ? null : name, values};
}

function valuesOf(name: string, key: Place, tree: Tree, faults: Faults): AxisValue[] {
  const cited = `study.axes.${name}`;
  if (tree.kind === 'map' && tree.entries.has('set')) return setValues(cited, tree, faults);
  const known = knownPath(name, key, cited, faults);
  if (tree.kind === 'list') return known ? tree.items.map((item) => valueAt(name, item)) : [];
  if (tree.kind === 'map' && tree.entries.has('range')) {
    if (!known) return [];
    const items = faults.catch(tree.at, `${cited}.range`, () => rangeValues(name, tree));
    return (items ?? []).map((item) => valueAt(name, item));
  }
  faults.add(
    tree.at,
    cited,
    `${tree.kind === 'map' ? 'the map' : JSON.stringify(plain(tree))} is no axis; write a list, {range: {from, to, points, scale}} or {set: [{path: value}], labels: […]}`,
  );
  return [];
}

/** Whether a name is a key of a scenario; a fault when not. */
function knownPath(path: string, at: Place, cited: string, faults: Faults): boolean {
  if (find(path) !== null && !path.startsWith('study') && path !== 'extends') return true;
  const near = nearest(path, paths());
  const hint = near === null ? '' : ` (did you mean "${near}"?)`;
  faults.add(at, cited, `${JSON.stringify(path)} is no key of a scenario${hint}; a name of your own needs {set: [{path: value}], labels}`);
  return false;
}

function setValues(cited: string, tree: MapTree, faults: Faults): AxisValue[] {
  const set = tree.entries.get('set')!.tree;
  const labels = tree.entries.get('labels')?.tree;
  const other = [...tree.entries.keys()].find((name) => name !== 'set' && name !== 'labels');
  if (other !== undefined) faults.add(tree.entries.get(other)!.key, `${cited}.${other}`, 'unknown key; known: set, labels');
  if (set.kind !== 'list') {
    faults.add(set.at, `${cited}.set`, 'is not a list of maps {path: value}');
    return [];
  }
  const names = labels === undefined ? null : labelsOf(labels, set, `${cited}.labels`, faults);
  return set.items.map((item, i) => {
    const changes = changesOf(item, `${cited}.set[${i}]`, faults);
    return {label: names?.[i] ?? (changes.map(changeText).join(', ') || 'as it is'), changes};
  });
}

function labelsOf(labels: Tree, set: ListTree, cited: string, faults: Faults): string[] | null {
  if (labels.kind !== 'list' || labels.items.some(({kind}) => kind !== 'scalar')) {
    faults.add(labels.at, cited, 'is not a list of texts');
    return null;
  }
  if (labels.items.length !== set.items.length) {
    faults.add(labels.at, cited, `has ${labels.items.length} labels for ${set.items.length} values`);
    return null;
  }
  return labels.items.map(labelOf);
}

function changesOf(item: Tree, cited: string, faults: Faults): Change[] {
  if (item.kind !== 'map') {
    faults.add(item.at, cited, 'is not a map {path: value}');
    return [];
  }
  return [...item.entries].filter(([path, {key}]) => knownPath(path, key, cited, faults)).map(([path, {tree}]) => changeOf(path, tree));
}

function valueAt(path: string, tree: Tree): AxisValue {
  return {label: labelOf(tree), changes: [changeOf(path, tree)]};
}

/** The change that `--set` would make, cited by the place in the study. */
function changeOf(path: string, tree: Tree): Change {
  const at = asFlag(tree.at);
  return {path, value: relocated(tree), at};
}

function relocated(tree: Tree): Tree {
  const at = asFlag(tree.at);
  if (tree.kind === 'scalar') return {...tree, at};
  if (tree.kind === 'list') return {...tree, at, items: tree.items.map(relocated)};
  return {
    ...tree,
    at,
    entries: new Map([...tree.entries].map(([name, {key, tree: inner}]) => [name, {key: asFlag(key), tree: relocated(inner)}])),
  };
}

/** A value of an axis acts as a flag does, so that one key alone does not take the others of its map away. */
function asFlag(at: Place): Place {
  return {...at, flag: `${at.file}:${at.line}:${at.column}`};
}

/** What a value is called: a scalar as it is written, anything else on one line. */
export function labelOf(tree: Tree): string {
  return tree.kind === 'scalar' ? tree.source : flowText(tree);
}

function flowText(tree: Tree): string {
  return stringify(plain(tree), {collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false}).trim();
}

/** A change as `--set` takes it: `hardware.device=h200-sxm`. */
export function changeText({path, value}: Change): string {
  return `${path}=${value.kind === 'scalar' && typeof value.value !== 'string' ? (value.source === '' ? 'null' : value.source) : flowText(value)}`;
}

/** The axis with a name; throws InputError that names the nearest. */
export function axisNamed(axes: readonly Axis[], name: string): Axis {
  const found = axes.find((axis) => axis.name === name);
  if (found !== undefined) return found;
  const names = axes.map((axis) => axis.name);
  const near = nearest(name, names);
  throw new InputError(`"${name}" is no axis${near === null ? '' : ` (did you mean "${near}"?)`}; axes: ${names.join(', ')}`);
}
