import type {ConstantNode, FunctionNode, MathNode, OperatorNode, ParenthesisNode, SymbolNode} from 'mathjs';
import {InputError} from './errors.js';
import {clearNoise} from './quantity.js';
import {nearest} from './registry.js';
import type {Amount, ParsedUnit, Units} from './units.js';

/** A number, or a quantity as text: `80 GiB`. */
export type Value = number | string;

/** The names that an expression may use; `value` returns undefined for one that does not exist. */
export interface Names {
  value(name: string): Value | undefined;
  readonly known: readonly string[];
}

/**
 * Evaluates the arithmetic between `${` and `}` to a number or a quantity, units kept: `8 * hbm_kv` is `640 GiB`.
 *
 * Allowed are numbers, names, quantities such as `2 GiB`, + - * /, parentheses, min max ceil floor round abs. Throws InputError on anything else, on an unknown name, and when the result is not finite.
 */
export type Evaluate = (source: string, names: Names) => Value;

/** Loads the parser and returns the evaluator. */
export async function expressions(): Promise<Evaluate> {
  const {units} = await import('./units.js');
  return (source, names) => {
    try {
      return toValue(units, finite(new Evaluation(units, names).of(parse(units, source), 0)));
    } catch (error) {
      throw new InputError(`"\${${source.slice(0, longest)}}" ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

const longest = 200;
const deepest = 20;

function parse(units: Units, source: string): MathNode {
  if (source.length > longest) refuse(`is ${source.length} characters long; ${longest} are allowed`);
  if (source.trim() === '') refuse('is empty');
  if (source.includes('%')) refuse('uses "%"; write a share as a number from 0 to 1');
  try {
    return units.parse(source);
  } catch (error) {
    refuse(`is not arithmetic: ${(error as Error).message}`);
  }
}

type Operator = (units: Units, a: Amount, b: Amount) => Amount;

const operators = new Map<string, Operator>([
  ['+', (units, a, b) => units.add(a, b)],
  ['-', (units, a, b) => units.subtract(a, b)],
  ['*', (units, a, b) => units.multiply(a, b)],
  ['/', (units, a, b) => units.divide(a, b)],
]);

const functions = new Map<string, (values: readonly number[]) => number>([
  ['min', (values) => Math.min(...values)],
  ['max', (values) => Math.max(...values)],
  ['ceil', ([value]) => Math.ceil(value)],
  ['floor', ([value]) => Math.floor(value)],
  ['round', ([value]) => Math.round(value)],
  ['abs', ([value]) => Math.abs(value)],
]);

/** Walks the syntax tree itself, so that only the nodes below can run, whatever the parser knows. */
class Evaluation {
  readonly #units: Units;
  readonly #names: Names;

  constructor(units: Units, names: Names) {
    this.#units = units;
    this.#names = names;
  }

  of(node: MathNode, depth: number): Amount {
    if (depth > deepest) refuse(`is nested deeper than ${deepest}`);
    switch (node.type) {
      case 'ConstantNode':
        return constant((node as ConstantNode).value);
      case 'ParenthesisNode':
        return this.of((node as ParenthesisNode).content, depth + 1);
      case 'SymbolNode':
      case 'AccessorNode':
        return this.#name(pathOf(node));
      case 'FunctionNode':
        return this.#call(node as FunctionNode, depth);
      case 'OperatorNode':
        return this.#operate(node as OperatorNode, depth);
      default:
        refuse(`uses ${JSON.stringify(node.toString())}, which is not arithmetic; allowed: + - * / ( ) and ${functionNames()}`);
    }
  }

  #name(name: string): Amount {
    const value = this.#names.value(name);
    if (value === undefined) refuse(this.#unknown(name));
    if (typeof value === 'number') return value;
    try {
      return this.#units.unit(value);
    } catch {
      refuse(`uses ${name}, which is "${value}": neither a number nor a quantity`);
    }
  }

  #unknown(name: string): string {
    const near = nearest(name, this.#names.known);
    const hint = near === null ? '' : ` (did you mean "${near}"?)`;
    return `has an unknown name "${name}"${hint}; known are vars and the keys that the file writes`;
  }

  #call(node: FunctionNode, depth: number): Amount {
    const name = node.fn.toString();
    const call = functions.get(name);
    if (call === undefined) refuse(`uses ${name}(), which is not allowed; allowed: ${functionNames()}`);
    if (node.args.length === 0) refuse(`gives ${name}() nothing`);
    const amounts = node.args.map((arg) => this.of(arg, depth + 1));
    if (amounts.every((amount) => typeof amount === 'number')) return call(amounts);
    if (name !== 'min' && name !== 'max') refuse(`gives ${name}() a quantity; it takes a number, so divide by one unit first`);
    return amounts.reduce((best, amount) => (this.#minus(amount, best) < 0 === (name === 'min') ? amount : best));
  }

  /** The sign of a − b, which must have one dimension. */
  #minus(a: Amount, b: Amount): number {
    const difference = this.#combine('-', a, b);
    return typeof difference === 'number' ? difference : difference.toNumber(unitText(this.#units, difference));
  }

  #operate(node: OperatorNode, depth: number): Amount {
    const [left, right] = node.args as MathNode[];
    if (node.implicit) return this.#literal(node);
    if (right === undefined && (node.op === '-' || node.op === '+')) {
      return this.#units.multiply(node.op === '-' ? -1 : 1, this.of(left, depth + 1));
    }
    if (right === undefined || !operators.has(node.op)) refuse(`uses "${node.op}", which is not allowed; allowed: + - * /`);
    return this.#combine(node.op, this.of(left, depth + 1), this.of(right, depth + 1));
  }

  #combine(op: string, a: Amount, b: Amount): Amount {
    if (op === '/' && b === 0) refuse('divides by 0');
    try {
      return operators.get(op)!(this.#units, a, b);
    } catch {
      refuse(`adds or compares things of different kinds (${a} ${op} ${b})`);
    }
  }

  /** `2 GiB`: the parser reads it as a product without a sign. Anything else without a sign is a slip. */
  #literal(node: OperatorNode): Amount {
    const [number, unit] = node.args as MathNode[];
    if (number.type === 'ConstantNode' && unit.type === 'SymbolNode' && this.#names.value((unit as SymbolNode).name) === undefined) {
      const text = `${constant((number as ConstantNode).value)} ${(unit as SymbolNode).name}`;
      try {
        return this.#units.unit(text);
      } catch {
        refuse(`has an unknown unit "${(unit as SymbolNode).name}"`);
      }
    }
    refuse(`needs a sign in ${JSON.stringify(node.toString())}`);
  }
}

function refuse(message: string): never {
  throw new InputError(message);
}

function functionNames(): string {
  return [...functions.keys()].join(' ');
}

function constant(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    refuse(`uses ${typeof value === 'string' ? JSON.stringify(value) : value}, which is not a finite number`);
  return value;
}

/** The dotted path of `a.b.c`, which the parser reads as property access. */
function pathOf(node: MathNode): string {
  const path = node.toString().replace(/\["?([\w-]+)"?\]/g, '.$1');
  if (!/^[A-Za-z_]\w*(\.[\w-]+)*$/.test(path)) refuse(`uses ${JSON.stringify(path)}, which is no name`);
  return path;
}

function finite(amount: Amount): Amount {
  const value = typeof amount === 'number' ? amount : Number.parseFloat(String(amount));
  if (!Number.isFinite(value)) refuse('is not finite');
  return amount;
}

/** The unit as it was written if it is one unit, else the SI unit of its kind. */
function unitText(units: Units, amount: ParsedUnit): string {
  const [only, ...more] = amount.units;
  if (more.length === 0 && only.power === 1) return `${only.prefix.name}${only.unit.name}`;
  const unit = canonical.find((name) => amount.equalBase(units.unit(`1 ${name}`)));
  return unit ?? refuse(`is in ${String(amount).replace(/^\S+ /, '')}, which no key takes`);
}

/** Units that a result of several is turned into, by dimension: those that keys take. */
const canonical = ['B', 'B/s', 's', 'flop/s', 'W', 'request/s', 'session/s', 'Hz', 'USD/hour', 'USD/GiB/hour', 'USD/kWh'];

function toValue(units: Units, amount: Amount): Value {
  if (typeof amount === 'number') return clearNoise(amount);
  const unit = unitText(units, amount);
  return `${clearNoise(amount.toNumber(unit))} ${unit}`;
}
