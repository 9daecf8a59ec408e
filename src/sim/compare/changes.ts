import {parse} from 'yaml';
import {totalPerHour} from '../scenario/cost-figures.js';
import {formatText} from '../scenario/plan-derivation.js';
import type {Scenario} from '../scenario/scenario.js';
import type {Change, DerivedChange, Pair} from './comparison.js';
import type {Side} from './side.js';

/** Keys that say nothing about what is simulated, or that a comparison sets itself. */
const silent = /^(tiercast|name|description|report|sources|measured|expect|run\.(seed|replications))(\.|$)/;

/**
 * Keys of two resolved scenarios that differ, in the order of the file. Values are shown as written, with their units; whether they differ
 * is decided in SI, so `1 s` and `1000 ms` are equal.
 */
export function changedKeys(before: Scenario, after: Scenario): Change[] {
  const [a, b] = [before, after].map((scenario) => ({written: leaves(parse(scenario.yaml)), resolved: leaves(scenario.resolved)}));
  const paths = inOrder([a.written, b.written, a.resolved, b.resolved]);
  const changes: Change[] = [];
  for (const path of paths) {
    if (silent.test(path)) continue;
    const same = a.resolved.has(path) && b.resolved.has(path) ? a.resolved.get(path) === b.resolved.get(path) : undefined;
    if (same ?? a.written.get(path) === b.written.get(path)) continue;
    const shown = (side: typeof a, scenario: Scenario) => meant(path, side.written.get(path) ?? side.resolved.get(path) ?? null, scenario);
    changes.push({path, before: shown(a, before), after: shown(b, after)});
  }
  return changes;
}

/** All paths once, those of one top key together, top keys in the order of the first file. */
function inOrder(trees: readonly ReadonlyMap<string, string>[]): string[] {
  const paths = [...new Set(trees.flatMap((tree) => [...tree.keys()]))];
  const tops = [...new Set(paths.map(topKey))];
  return paths
    .map((path, at) => ({path, at, top: tops.indexOf(topKey(path))}))
    .sort((a, b) => a.top - b.top || a.at - b.at)
    .map(({path}) => path);
}

function topKey(path: string): string {
  return path.split('.')[0];
}

/** What a value that the model decides comes to. */
function meant(path: string, written: string | null, scenario: Scenario): string | null {
  if (path === 'model.quantization.default' && written === null) return formatText(scenario.llm);
  if (path === 'kv.dtype' && (written === null || written === 'auto')) return scenario.kv.format.name;
  return written;
}

/** Every scalar and list of a tree as text, by its dotted path. */
function leaves(tree: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof tree === 'object' && tree !== null && !Array.isArray(tree)) {
    for (const [key, value] of Object.entries(tree)) leaves(value, path === '' ? key : `${path}.${key}`, found);
  } else if (path !== '') found.set(path, typeof tree === 'object' ? JSON.stringify(tree) : String(tree));
  return found;
}

/** What follows from the keys and decides most: by its path in result.json. */
const derivedFigures: readonly (Pick<DerivedChange, 'path' | 'label' | 'unit'> & {value(side: Side): number | null})[] = [
  {path: 'plan.devices', label: 'devices', unit: '', value: ({scenario}) => scenario.count * scenario.cluster.replicas},
  {path: 'plan.weights_bytes', label: 'weights', unit: 'bytes', value: ({scenario, plan}) => plan.weightsBytes * scenario.count},
  {path: 'plan.kv_bytes_per_token', label: 'KV a token', unit: 'bytes', value: ({plan}) => plan.kvBytesPerToken},
  {path: 'plan.kv_tokens', label: 'KV tokens', unit: 'tokens', value: ({plan}) => plan.kvTokens},
  {path: 'plan.max_context_tokens', label: 'largest context', unit: 'tokens', value: ({plan}) => plan.maxContextTokens},
  {path: 'plan.max_batch', label: 'largest contexts at once', unit: '', value: ({plan}) => plan.maxBatch},
  {
    path: 'cost.per_hour_usd',
    label: 'price an hour',
    unit: 'USD/hour',
    value: ({scenario, plan}) => totalPerHour(scenario, plan),
  },
];

/** Derived figures that differ. */
export function changedFigures(before: Side, after: Side): DerivedChange[] {
  return derivedFigures.flatMap(({path, label, unit, value}) => {
    const [a, b] = [value(before), value(after)];
    return a === null || b === null || a === b ? [] : [{path, label, unit, before: a, after: b}];
  });
}

/** Figures that somebody chose and that differ in value or grade, those of the base first. */
export function changedAssumptions({scenario: a}: Side, {scenario: b}: Side): Pair['assumptions'] {
  const paths = new Set([...a.assumptions, ...b.assumptions].map(({path}) => path));
  return [...paths].flatMap((path) => {
    const [before, after] = [a, b].map(({assumptions}) => {
      const found = assumptions.find((one) => one.path === path);
      return found === undefined ? null : {value: found.value, grade: found.grade, source: found.source};
    });
    return before?.value === after?.value && before?.grade === after?.grade ? [] : [{path, before, after}];
  });
}
