import type {Tree} from '../file/tree.js';
import {find} from '../schema/index.js';

/** Paths of the keys that a scenario writes and whose value is not the default anyway, in the order of the file. */
export function chosenPaths(tree: Tree, path = ''): string[] {
  if (tree.kind === 'map')
    return [...tree.entries].flatMap(([name, {tree: child}]) => chosenPaths(child, path === '' ? name : `${path}.${name}`));
  return tree.kind === 'scalar' && tree.value === defaultAt(path) ? [] : [path];
}

function defaultAt(path: string): string | number | boolean | undefined {
  const node = find(path)?.node;
  return node?.kind === 'key' ? node.value : undefined;
}
