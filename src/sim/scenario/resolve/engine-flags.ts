import {nearest} from '../../core/registry.js';
import {type Faults, placeFrom} from '../file/fault.js';
import {at, type Entry, type MapTree, plain, type ScalarTree, withAt} from '../file/tree.js';
import {engineName} from '../headline.js';
import type {Flag, Flags} from './flags/flag.js';
import {engineFlags} from './flags/index.js';

/** Moves the engine's own flags to the keys that they map to, so that only keys are left. A knob that is set both ways is a fault. */
export function moveEngineFlags(tree: MapTree, faults: Faults): MapTree {
  const args = at(tree, ['engine', 'args'])?.tree;
  if (args?.kind !== 'map') return tree;
  const preset = at(tree, ['engine', 'preset'])?.tree;
  const name = preset?.kind === 'scalar' ? String(preset.value) : '';
  if (name === 'ideal') faults.add(args.at, 'engine.args', 'the ideal engine has no flags');
  if (!Object.hasOwn(engineFlags, name)) return tree;
  const known = engineFlags[name];
  const written = plain(args) as Flags;
  let moved = withAt(tree, ['engine', 'args'], null, tree.at) as MapTree;
  for (const [flag, entry] of args.entries) {
    if (Object.hasOwn(known, flag)) {
      moved = moveFlag(moved, {name: flag, entry, flag: known[flag], written, faults});
      continue;
    }
    const near = nearest(flag, Object.keys(known));
    const hint = near === null ? '' : ` (did you mean "${near}"?)`;
    faults.add(entry.key, `engine.args.${flag}`, `this ${engineName(name)} flag maps to no key of this version${hint}`);
  }
  return moved;
}

interface Move {
  readonly name: string;
  readonly entry: Entry;
  readonly flag: Flag;
  readonly written: Flags;
  readonly faults: Faults;
}

function moveFlag(tree: MapTree, {name, entry: {key, tree: value}, flag, written, faults}: Move): MapTree {
  const path = `engine.args.${name}`;
  const mapped = 'refused' in flag ? flag : flag.values(plain(value), written);
  if (mapped !== undefined && 'refused' in mapped) {
    faults.add(key, path, mapped.refused);
    return tree;
  }
  const {paths} = flag as Exclude<Flag, {readonly refused: string}>;
  if (mapped === undefined || mapped.some((one) => typeof one === 'object' && one !== null)) {
    faults.add(value.at, path, `${JSON.stringify(plain(value))} maps to no value of ${paths[0]}`);
    return tree;
  }
  let moved = tree;
  for (const [i, target] of paths.entries()) {
    const set = mapped[i];
    if (set === null) continue;
    const other = at(tree, target.split('.'));
    if (other !== undefined) {
      faults.add(key, path, `set twice: also as ${target} (${placeFrom(key, other.key)}); keep one`);
      continue;
    }
    const scalar: ScalarTree = {kind: 'scalar', at: value.at, value: set, source: String(set), cited: path};
    moved = withAt(moved, target.split('.'), scalar, key) as MapTree;
  }
  return moved;
}
