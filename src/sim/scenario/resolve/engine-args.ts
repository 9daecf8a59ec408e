import {nearest} from '../../core/registry.js';
import type {Faults} from '../file/fault.js';
import {at, type MapTree, plain, type ScalarTree, withAt} from '../file/tree.js';
import {vllmArgs} from './vllm-args.js';

/** Moves the engine's own flags to the keys that they map to, so that only keys are left. A knob that is set both ways is a fault. */
export function moveEngineArgs(tree: MapTree, faults: Faults): MapTree {
  const args = at(tree, ['engine', 'args'])?.tree;
  if (args?.kind !== 'map') return tree;
  const preset = at(tree, ['engine', 'preset'])?.tree;
  if (preset?.kind === 'scalar' && preset.value === 'ideal') faults.add(args.at, 'engine.args', 'the ideal engine has no flags');
  if (preset?.kind !== 'scalar' || preset.value !== 'vllm') return tree;
  let moved = withAt(tree, ['engine', 'args'], null, tree.at) as MapTree;
  for (const [flag, {key, tree: value}] of args.entries) {
    const path = `engine.args.${flag}`;
    if (!Object.hasOwn(vllmArgs, flag)) {
      const near = nearest(flag, Object.keys(vllmArgs));
      faults.add(key, path, `this vLLM flag maps to no key of this version${near === null ? '' : ` (did you mean "${near}"?)`}`);
      continue;
    }
    const target = vllmArgs[flag];
    const other = at(tree, target.path.split('.'));
    const mapped = target.value === undefined ? plain(value) : target.value(plain(value));
    if (other !== undefined) {
      const {line, column} = other.key;
      faults.add(key, path, `set twice: also as ${target.path} (${line}:${column}); keep one`);
    } else if (mapped === undefined || (typeof mapped === 'object' && mapped !== null)) {
      faults.add(value.at, path, `${JSON.stringify(plain(value))} maps to no value of ${target.path}`);
    } else {
      const scalar: ScalarTree = {kind: 'scalar', at: value.at, value: mapped as ScalarTree['value'], source: String(mapped), cited: path};
      moved = withAt(moved, target.path.split('.'), scalar, key) as MapTree;
    }
  }
  return moved;
}
