import {expressions, type Names, type Value} from '../../core/expression.js';
import {childOf, type Node} from '../schema/node.js';
import type {Faults} from './fault.js';
import {at, type Entry, type ScalarTree, type Tree} from './tree.js';

const whole = /^\s*\$\{([\s\S]*)\}\s*$/;

/** Puts the result of every `${…}` in place of it; they may use vars by name, and other keys by path. Text keys are left alone. */
export async function compute(schema: Node, tree: Tree, faults: Faults): Promise<Tree> {
  if (!mentions(tree)) return tree;
  const evaluate = await expressions();
  const known = [...leafPaths(tree, '')].map((path) => path.replace(/^vars\./, ''));
  const busy: string[] = [];
  const valueAt = (name: string): Value | undefined => {
    const entry = at(tree, ['vars', name]) ?? at(tree, name.split('.'));
    if (entry?.tree.kind !== 'scalar' || entry.tree.value === null || typeof entry.tree.value === 'boolean') return undefined;
    return result(entry.tree, name);
  };
  const result = (scalar: ScalarTree, name: string): Value => {
    const source = typeof scalar.value === 'string' ? whole.exec(scalar.value)?.[1] : undefined;
    if (source === undefined) return scalar.value as Value;
    if (busy.includes(name)) throw new Error(`goes in a circle: ${[...busy.slice(busy.indexOf(name)), name].join(' → ')}`);
    busy.push(name);
    try {
      return evaluate(source, names);
    } finally {
      busy.pop();
    }
  };
  const names: Names = {value: valueAt, known};
  const walk = (node: Node | null, inner: Tree, path: string): Tree => {
    if (inner.kind === 'scalar') return computes(node) && isExpression(inner) ? computed(inner, path) : inner;
    if (inner.kind === 'list')
      return {...inner, items: inner.items.map((item) => walk(node?.kind === 'sequence' ? node.of : null, item, path))};
    const entries = new Map<string, Entry>();
    for (const [name, {key, tree: below}] of inner.entries) {
      entries.set(name, {key, tree: walk(node === null ? null : childOf(node, name), below, path === '' ? name : `${path}.${name}`)});
    }
    return {...inner, entries};
  };
  const computed = (scalar: ScalarTree, path: string): ScalarTree => {
    const value = faults.catch(scalar.at, scalar.cited ?? path, () => result(scalar, path.replace(/^vars\./, '')));
    return value === undefined ? {...scalar, value: null} : {...scalar, value, source: String(value)};
  };
  return walk(schema, tree, '');
}

function computes(node: Node | null): boolean {
  return node?.kind === 'key' && node.computed;
}

function isExpression(tree: ScalarTree): boolean {
  return typeof tree.value === 'string' && whole.test(tree.value);
}

function mentions(tree: Tree): boolean {
  if (tree.kind === 'scalar') return isExpression(tree);
  const inner = tree.kind === 'list' ? tree.items : [...tree.entries.values()].map((entry) => entry.tree);
  return inner.some(mentions);
}

function* leafPaths(tree: Tree, path: string): Iterable<string> {
  if (tree.kind === 'scalar') yield path;
  if (tree.kind !== 'map') return;
  for (const [name, {tree: inner}] of tree.entries) yield* leafPaths(inner, path === '' ? name : `${path}.${name}`);
}
