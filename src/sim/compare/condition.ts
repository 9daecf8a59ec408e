import {InputError} from '../core/errors.js';
import {notQuantity, type QuantityParser} from '../core/quantity.js';
import {nearest} from '../core/registry.js';
import type {MetricComparison, Pair} from './comparison.js';
import {type ComparedMetricName, comparedMetric, comparedMetricNames} from './metrics.js';

const fields = ['before', 'after', 'change', 'difference', 'verdict'] as const;
type Field = (typeof fields)[number];

const numeric = {
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '==': (a: number, b: number) => a === b,
  '!=': (a: number, b: number) => a !== b,
} as const;
type Operator = keyof typeof numeric;

/** What must not hold of a comparison: `ttft_s.p95.difference > 0.10`. */
export interface Condition {
  readonly text: string;
  readonly metric: ComparedMetricName;
  readonly field: Field;
  readonly operator: Operator;
  readonly value: number | string;
}

const verdicts = ['better', 'worse', 'no difference shown'];

/**
 * Reads `path op value`. The path is a compared figure and one of before, after, change (own unit), difference (share of before) and verdict;
 * the value is a number, a duration such as `50 ms` where the figure is in seconds, or a verdict. Nothing of it is evaluated.
 *
 * Throws InputError that names what is wrong and what is known.
 */
export function parseCondition(text: string, parse: QuantityParser): Condition {
  const found = /^\s*([\w.]+)\s*(<=|>=|==|!=|<|>)\s*(\S.*?)\s*$/.exec(text);
  if (found === null) throw new InputError(`${JSON.stringify(text)}: write PATH OP VALUE, e.g. "ttft_s.p95.difference > 0.10"`);
  const [, path, operator, value] = found as unknown as [string, string, Operator, string];
  const dot = path.lastIndexOf('.');
  const metric = known('compared figure', path.slice(0, dot), comparedMetricNames, text);
  const field = known('part of a figure', path.slice(dot + 1), fields, text);
  return {text: text.trim(), metric, field, operator, value: readValue({text, metric, field, operator}, value, parse)};
}

function known<T extends string>(kind: string, name: string, names: readonly T[], text: string): T {
  if (names.includes(name as T)) return name as T;
  const near = nearest(name, names);
  const hint = near === null ? '' : ` (did you mean "${near}"?)`;
  throw new InputError(`${JSON.stringify(text)}: unknown ${kind} "${name}"${hint}; known: ${names.join(', ')}`);
}

function readValue({text, metric, field, operator}: Omit<Condition, 'value'>, value: string, parse: QuantityParser): number | string {
  if (field === 'verdict') {
    const name = value.replace(/^(["'])(.*)\1$/, '$2');
    if (operator !== '==' && operator !== '!=') throw new InputError(`${JSON.stringify(text)}: a verdict is compared with == or !=`);
    return known('verdict', name, verdicts, text);
  }
  const number = Number(value);
  if (Number.isFinite(number)) return number;
  const {unit} = comparedMetric(metric);
  if (field === 'difference' || unit !== 's')
    throw new InputError(
      `${JSON.stringify(text)}: "${value}" is no number; ${metric}.${field} is ${field === 'difference' ? 'a share, e.g. 0.10' : `in ${unit}`}`,
    );
  try {
    return parse(value.replace(/^-/, ''), 'duration') * (value.startsWith('-') ? -1 : 1);
  } catch (error) {
    throw new InputError(`${JSON.stringify(text)}: ${error instanceof Error ? error.message : notQuantity(value, 'duration')}`);
  }
}

/** Says why a gate is not passed, or null when it is. What is not known passes no gate. */
export function failure(
  {text, metric, field, operator, value}: Condition,
  {after, metrics}: Pick<Pair, 'after' | 'metrics'>,
): string | null {
  const found = metrics[metric]?.[field satisfies keyof MetricComparison] ?? null;
  if (found === null) return `${after}: ${metric}.${field} is not known, so "${text}" cannot be passed`;
  const holds = typeof found === 'string' ? (found === value) === (operator === '==') : numeric[operator](found, value as number);
  return holds ? `${after}: ${text} (it is ${typeof found === 'string' ? found : Number(found.toPrecision(4))})` : null;
}
