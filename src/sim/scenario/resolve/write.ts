import {stringify} from 'yaml';
import {relative} from '../file/paths.js';
import type {Tree} from '../file/tree.js';
import {childOf, type Node, namesIn} from '../schema/node.js';

/**
 * Writes a tree as the YAML of a scenario in long form, keys in the order of the schema. Paths are made relative to `folder`.
 *
 * Loading it again gives the same scenario.
 */
export function toYaml(schema: Node, tree: Tree, resolvePath: (tree: Tree, written: string) => string, folder: string): string {
  return stringify(
    fileForm(schema, tree, (inner, written) => shortened(relative(folder, resolvePath(inner, written)))),
    {lineWidth: 0},
  );
}

function shortened(path: string): string {
  return path.startsWith('.') ? path : `./${path}`;
}

/** The plain value with names in the order of the schema; a scalar that is text to the schema but a number to YAML stays text. */
function fileForm(node: Node | null, tree: Tree, path: (tree: Tree, written: string) => string): unknown {
  if (tree.kind === 'list') return tree.items.map((item) => fileForm(node?.kind === 'sequence' ? node.of : null, item, path));
  if (tree.kind === 'map') {
    const known = node === null ? [] : namesIn(node);
    const names = [...known.filter((name) => tree.entries.has(name)), ...[...tree.entries.keys()].filter((name) => !known.includes(name))];
    return Object.fromEntries(names.map((name) => [name, fileForm(node && childOf(node, name), tree.entries.get(name)!.tree, path)]));
  }
  if (node?.kind !== 'key' || node.computed) return tree.value;
  const written =
    typeof tree.value === 'number' && ['text', 'name or path', 'dtype', 'path'].includes(node.type) ? tree.source : tree.value;
  if (typeof written !== 'string') return written;
  return node.type === 'path' || (node.type === 'name or path' && /^\.|\/|\.(json|ya?ml|m?js)$/i.test(written))
    ? path(tree, written)
    : written;
}

/** JSON with sorted keys: what the hash of a scenario is taken of. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
