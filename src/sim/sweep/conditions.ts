import {InputError} from '../core/errors.js';
import type {QuantityKind, QuantityParser} from '../core/quantity.js';
import {type FigureUnit, unitOf} from '../scenario/figure-unit.js';
import type {Figures} from './figures.js';

const operators = {
  '<=': (a: number, b: number) => a <= b,
  '>=': (a: number, b: number) => a >= b,
  '==': (a: number, b: number) => a === b,
  '!=': (a: number, b: number) => a !== b,
  '<': (a: number, b: number) => a < b,
  '>': (a: number, b: number) => a > b,
} as const;
export type Operator = keyof typeof operators;

/** `path op value`: what a result must meet. */
export interface Condition {
  readonly text: string;
  readonly path: string;
  readonly operator: Operator;
  /** In the unit of the path. */
  readonly value: number;
}

/** Compares two numbers as an operator says. */
export function compare(a: number, operator: Operator, b: number): boolean {
  return operators[operator](a, b);
}

/** Splits `> 4 session/s` into operator and rest; null when it does not start with an operator. */
export function splitOperator(text: string): {readonly operator: Operator; readonly rest: string} | null {
  const match = /^\s*(<=|>=|==|!=|<|>)\s*(.+?)\s*$/.exec(text);
  return match === null ? null : {operator: match[1] as Operator, rest: match[2]};
}

/** Reads a condition. Throws InputError when it is none, or when its value does not fit the figure. */
export function readCondition(text: unknown, parse: QuantityParser): Condition {
  const match = typeof text === 'string' ? /^\s*([A-Za-z_][\w.-]*)\s*((?:<|>|=|!).*)$/.exec(text) : null;
  const comparison = match === null ? null : splitOperator(match[2]);
  if (match === null || comparison === null) {
    throw new InputError(`${JSON.stringify(text)} is no condition; write "path op value", e.g. "ttft_s.p95 <= 500 ms"`);
  }
  const {operator, rest} = comparison;
  return {text: `${match[1]} ${operator} ${rest}`, path: match[1], operator, value: amountOf(rest, unitOf(match[1]), parse)};
}

const kinds: Partial<Record<FigureUnit, QuantityKind>> = {seconds: 'duration', bytes: 'bytes', rate: 'rate'};

function amountOf(text: string, unit: FigureUnit, parse: QuantityParser): number {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  const kind = kinds[unit];
  if (kind !== undefined) return parse(text, kind);
  const dollars = unit === 'usd' ? /^\$?\s*(\d+\.?\d*)\s*(USD)?$/.exec(text) : null;
  if (dollars === null) throw new InputError(`${JSON.stringify(text)} is not a number${unit === 'usd' ? ' of USD' : ''}`);
  return Number(dollars[1]);
}

/** Whether figures meet a condition; an unknown figure meets none. */
export function meets(figures: Figures, {path, operator, value}: Condition): boolean {
  const figure = figures[path] ?? null;
  return figure !== null && compare(figure, operator, value);
}
