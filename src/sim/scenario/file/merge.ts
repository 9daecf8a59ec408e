import {childOf, type Group, type Node} from '../schema/node.js';
import type {Entry, MapTree, ScalarTree, Tree} from './tree.js';

/** Writes every short form in full, so that merging always meets maps: `model: X` becomes `model: {name: X}`. Null stays null. */
export function expand(node: Node, tree: Tree, path = ''): Tree {
  if (node.kind === 'sequence') {
    return tree.kind === 'list' ? {...tree, items: tree.items.map((item, i) => expand(node.of, item, `${path}[${i}]`))} : tree;
  }
  if (node.kind === 'key') return tree;
  if (node.kind === 'group' && node.short !== undefined && tree.kind === 'scalar' && tree.value !== null)
    return expandShort(node, tree, path);
  if (tree.kind !== 'map') return tree;
  const entries = new Map<string, Entry>();
  for (const [name, {key, tree: inner}] of withImplied(node, tree)) {
    const child = childOf(node, name);
    entries.set(name, {key, tree: child === null ? inner : expand(child, inner, path === '' ? name : `${path}.${name}`)});
  }
  return {...tree, entries};
}

function expandShort(node: Group, tree: ScalarTree, path: string): MapTree {
  const {key, with: others = {}, cited} = node.short!;
  const entries = new Map<string, Entry>();
  for (const [name, value] of Object.entries(others)) entries.set(name, {key: tree.at, tree: scalar(value, tree)});
  const written = cited === 'as-written' ? {...tree, cited: path} : tree;
  entries.set(key(tree.source), {key: tree.at, tree: written});
  return {kind: 'map', at: tree.at, entries, ...(cited === 'as-written' ? {cited: path} : {})};
}

function withImplied(node: Node, tree: MapTree): ReadonlyMap<string, Entry> {
  if (node.kind !== 'group' || node.implies === undefined || tree.entries.has(node.kindKey!)) return tree.entries;
  const implying = Object.keys(node.implies).find((name) => tree.entries.has(name));
  if (implying === undefined) return tree.entries;
  return new Map([[node.kindKey!, {key: tree.at, tree: scalar(node.implies[implying], tree)}], ...tree.entries]);
}

function scalar(value: string, like: Tree): ScalarTree {
  return {kind: 'scalar', at: like.at, value, source: value};
}

/**
 * Merges `over` onto `under`, both in long form: maps merge, lists and scalars replace, null takes away.
 *
 * A map that states another kind (another policy, distribution or arrival process) replaces the whole map, because the old parameters belong to the old kind.
 */
export function merge(node: Node | null, under: Tree, over: Tree): Tree {
  if (under.kind !== 'map' || over.kind !== 'map' || otherKind(node, under, over)) return over;
  const entries = new Map(under.entries);
  for (const [name, entry] of over.entries) {
    const below = entries.get(name);
    if (entry.tree.kind === 'scalar' && entry.tree.value === null) entries.delete(name);
    else if (below === undefined) entries.set(name, entry);
    else entries.set(name, {key: entry.key, tree: merge(node === null ? null : childOf(node, name), below.tree, entry.tree)});
  }
  return {...over, at: over.at, entries};
}

function otherKind(node: Node | null, under: MapTree, over: MapTree): boolean {
  const key = node?.kind === 'group' ? node.kindKey : undefined;
  if (key === undefined) return false;
  const [before, after] = [under.entries.get(key)?.tree, over.entries.get(key)?.tree];
  if (after === undefined || after.kind !== 'scalar' || before?.kind !== 'scalar' || before.value === after.value) return false;
  const onlyFlag = over.entries.size === 1 && after.at.flag !== undefined && after.cited === undefined;
  return !onlyFlag;
}

/** Takes out every null: a key that was taken away, or written without a value. */
export function withoutNulls(tree: Tree): Tree {
  if (tree.kind !== 'map') return tree;
  const kept = [...tree.entries].filter(([, {tree: inner}]) => inner.kind !== 'scalar' || inner.value !== null);
  return {...tree, entries: new Map(kept.map(([name, {key, tree: inner}]) => [name, {key, tree: withoutNulls(inner)}]))};
}
