import {InputError} from '../core/errors.js';
import {type MapTree, plain, type ScalarTree} from '../scenario/file/tree.js';
import {find} from '../scenario/schema/index.js';

const mostPoints = 1000;
const known = ['from', 'to', 'points', 'scale'];

/** The values of `{range: {from, to, points, scale}}`, both ends included; whole where the key counts things. Throws InputError. */
export function rangeValues(path: string, tree: MapTree): ScalarTree[] {
  const other = [...tree.entries.keys()].find((name) => name !== 'range');
  if (other !== undefined) throw new InputError(`"${other}" stands beside range; known: range`);
  const {tree: range} = tree.entries.get('range')!;
  if (range.kind !== 'map') throw new InputError('is not {from, to, points, scale}');
  const {from, to, points, scale = 'linear', ...rest} = plain(range) as Record<string, unknown>;
  for (const name of Object.keys(rest)) throw new InputError(`"${name}" is unknown; known: ${known.join(', ')}`);
  const [low, high] = [amount(from, 'from'), amount(to, 'to')];
  if (low.unit !== high.unit) throw new InputError(`goes from ${JSON.stringify(from)} to ${JSON.stringify(to)}; write both in one unit`);
  if (!Number.isInteger(points) || (points as number) < 2 || (points as number) > mostPoints) {
    throw new InputError(`points: ${JSON.stringify(points)} is not a whole number from 2 to ${mostPoints}`);
  }
  if (scale !== 'linear' && scale !== 'log') throw new InputError(`scale: ${JSON.stringify(scale)} is neither linear nor log`);
  if (scale === 'log' && !(low.value > 0 && high.value > 0)) throw new InputError('a log scale needs from and to above 0');
  if (low.value >= high.value) throw new InputError(`from ${JSON.stringify(from)} is not below to ${JSON.stringify(to)}`);
  const whole = countsThings(path);
  const values = Array.from({length: points as number}, (_, i) =>
    between(low.value, high.value, i / ((points as number) - 1), scale, whole),
  );
  return [...new Set(values)].map((value) => scalar(value, low.unit, range.at));
}

function amount(value: unknown, name: string): {readonly value: number; readonly unit: string} {
  if (typeof value === 'number' && Number.isFinite(value)) return {value, unit: ''};
  const match = typeof value === 'string' ? /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(\S.*?)?\s*$/i.exec(value) : null;
  if (match === null)
    throw new InputError(`${name}: ${value === undefined ? 'nothing' : JSON.stringify(value)} is not a number or a quantity`);
  return {value: Number(match[1]), unit: match[2] ?? ''};
}

function countsThings(path: string): boolean {
  const node = find(path)?.node;
  return node?.kind === 'key' && ['count', 'tokens', 'integer', 'requests', 'steps'].includes(node.type);
}

/** The ends are exact; between them 4 significant digits are enough to try, and can be read. */
function between(from: number, to: number, part: number, scale: 'linear' | 'log', whole: boolean): number {
  if (part === 0) return from;
  if (part === 1) return to;
  const value = scale === 'log' ? from * (to / from) ** part : from + (to - from) * part;
  return whole ? Math.round(value) : Number(value.toPrecision(4));
}

function scalar(value: number, unit: string, at: ScalarTree['at']): ScalarTree {
  const written = unit === '' ? value : `${value} ${unit}`;
  return {kind: 'scalar', at, value: written, source: String(written)};
}
