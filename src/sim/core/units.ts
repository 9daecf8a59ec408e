// The only file that loads mathjs. Imported lazily, because that takes a tenth of a second even when bundled;
// the factories are named one by one, so that the bundle holds no more than units, a parser and four operators.
import {
  addDependencies,
  create,
  createUnitDependencies,
  divideDependencies,
  type MathNode,
  multiplyDependencies,
  parseDependencies,
  subtractDependencies,
  unitDependencies,
} from 'mathjs';

/** What is used of a unit of mathjs, whose own types leave out `units`. */
export interface ParsedUnit {
  readonly units: readonly {readonly unit: {readonly name: string}; readonly prefix: {readonly name: string}; readonly power: number}[];
  equalBase(other: ParsedUnit): boolean;
  toNumber(unit: string): number;
}

/** A number without a dimension, or one with. */
export type Amount = number | ParsedUnit;

/** What quantities and expressions use of mathjs. */
export interface Units {
  /** Parses text such as `80 GB`; throws when it names a unit that mathjs does not know. */
  unit(text: string): ParsedUnit;
  /** Parses an expression into a tree; throws on a syntax error. */
  parse(text: string): MathNode;
  add(a: Amount, b: Amount): Amount;
  subtract(a: Amount, b: Amount): Amount;
  multiply(a: Amount, b: Amount): Amount;
  divide(a: Amount, b: Amount): Amount;
}

const decimal = {K: 1e3, k: 1e3, M: 1e6, G: 1e9, T: 1e12};
const binary = {Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3, Ti: 1024 ** 4};

function withOurUnits(): Units {
  const math = create(
    {
      addDependencies,
      createUnitDependencies,
      divideDependencies,
      multiplyDependencies,
      parseDependencies,
      subtractDependencies,
      unitDependencies,
    },
    {},
  ) as unknown as Units & {createUnit(name: string, definition: object | string): void};
  math.createUnit('flop', {prefixes: 'short', aliases: ['FLOP', 'flops']});
  math.createUnit('FLOPS', {definition: '1 flop/s', prefixes: 'short'});
  math.createUnit('request', {aliases: ['requests', 'req', 'reqs']});
  math.createUnit('session', {aliases: ['sessions']});
  math.createUnit('USD', {aliases: ['usd']});
  math.createUnit('IOPS', {definition: '1 Hz', prefixes: 'short'});
  math.createUnit('KB', '1000 B');
  for (const [prefix, factor] of Object.entries(decimal)) {
    math.createUnit(`${prefix}bit`, `${factor} bit`);
    math.createUnit(`${prefix}bps`, `${factor} bit/s`);
    math.createUnit(`${prefix}Bps`, `${factor} B/s`);
  }
  for (const [prefix, factor] of Object.entries(binary)) math.createUnit(`${prefix}bit`, `${factor} bit`);
  return math;
}

/** mathjs with the units of inference: bytes, bits, flop, requests, sessions, USD. One instance, so that its units compare. */
export const units = withOurUnits();
