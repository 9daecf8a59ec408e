import {InputError} from '../core/errors.js';
import type {QuantityParser} from '../core/quantity.js';
import type {Tree} from '../scenario/file/tree.js';
import {find} from '../scenario/schema/index.js';
import {type Axis, axisNamed, labelOf} from './axes.js';
import {compare, splitOperator} from './conditions.js';
import {coordinatesOf} from './space.js';

/** A partial point that is left out: on these axes, any of these values. Axes that it does not name may have any value. */
export interface Skip {
  readonly text: string;
  readonly of: ReadonlyMap<string, ReadonlySet<number>>;
}

/** Reads `{axis: value, other: "> 4 session/s"}`. Throws InputError. */
export function readSkip(tree: Tree, axes: readonly Axis[], parse: QuantityParser): Skip {
  if (tree.kind !== 'map' || tree.entries.size === 0) throw new InputError('is not a partial point {axis: value}');
  const of = new Map<string, ReadonlySet<number>>();
  const texts: string[] = [];
  for (const [name, {tree: wanted}] of tree.entries) {
    const axis = axisNamed(axes, name);
    const text = labelOf(wanted);
    of.set(name, matching(axis, text, parse));
    texts.push(splitOperator(text) === null ? `${name}: ${text}` : `${name} ${text}`);
  }
  return {text: texts.join(', '), of};
}

/** The first rule that leaves a point out, or null. */
export function skipOf(skips: readonly Skip[], axes: readonly Axis[], point: number): Skip | null {
  const at = coordinatesOf(axes, point);
  return skips.find(({of}) => axes.every(({name}, i) => of.get(name)?.has(at[i]) ?? true)) ?? null;
}

/** Values of an axis with this label, or that compare as `> 4 session/s` says. */
function matching(axis: Axis, text: string, parse: QuantityParser): ReadonlySet<number> {
  const comparison = splitOperator(text);
  const labels = axis.values.map(({label}) => label);
  if (comparison === null) {
    const index = labels.indexOf(text);
    if (index < 0) throw new InputError(`${axis.name}: "${text}" is none of its values: ${labels.join(', ')}`);
    return new Set([index]);
  }
  const wanted = numberOf(axis, comparison.rest, parse);
  return new Set(labels.flatMap((label, i) => (compare(numberOf(axis, label, parse), comparison.operator, wanted) ? [i] : [])));
}

function numberOf(axis: Axis, text: string, parse: QuantityParser): number {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  const node = axis.path === null ? undefined : find(axis.path)?.node;
  if (node?.kind === 'key' && node.quantity !== undefined) return parse(text, node.quantity);
  throw new InputError(`${axis.name}: "${text}" is not a number, so nothing compares with it; write one of its values`);
}
