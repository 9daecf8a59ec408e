import {InputError} from './errors.js';
import type {ParsedUnit, Units} from './units.js';

interface Kind {
  /** What the user is asked for. */
  readonly wanted: string;
  /** What such a quantity is called when something else was wanted. */
  readonly is: string;
  /** The SI unit that it is returned in; any of them. */
  readonly units: readonly string[];
  readonly example: string;
  /** Units that people write, for hints about upper and lower case. */
  readonly written: readonly string[];
}

const sizes = ['B', 'kB', 'KB', 'MB', 'GB', 'TB', 'KiB', 'MiB', 'GiB', 'TiB'];
const perSecond = (names: readonly string[]) => names.map((name) => `${name}/s`);

const kinds = {
  bytes: {wanted: 'a capacity', is: 'a size', units: ['B'], example: '80 GiB', written: sizes},
  bandwidth: {
    wanted: 'a bandwidth',
    is: 'a bandwidth',
    units: ['B/s'],
    example: '3.35 TB/s',
    written: [...perSecond(sizes), 'GBps', 'Gbps', 'Gb/s', 'Gbit/s'],
  },
  duration: {
    wanted: 'a duration',
    is: 'a duration',
    units: ['s'],
    example: '500 ms',
    written: ['ns', 'us', 'ms', 's', 'min', 'h', 'hour', 'day'],
  },
  flops: {
    wanted: 'a compute speed',
    is: 'a compute speed',
    units: ['flop/s'],
    example: '989 TFLOP/s',
    written: ['GFLOP/s', 'TFLOP/s', 'PFLOP/s', 'TFLOPS', 'PFLOPS'],
  },
  power: {wanted: 'a power', is: 'a power', units: ['W'], example: '700 W', written: ['W', 'kW']},
  rate: {
    wanted: 'a rate',
    is: 'a rate of arrivals',
    units: ['request/s', 'session/s'],
    example: '2 session/s',
    written: ['req/s', 'req/min', 'session/s', 'session/min'],
  },
  iops: {
    wanted: 'a number of operations per second',
    is: 'a frequency',
    units: ['Hz'],
    example: '1 MIOPS',
    written: ['IOPS', 'kIOPS', 'MIOPS'],
  },
  price: {wanted: 'a price per hour', is: 'a price per time', units: ['USD/s'], example: '2.50 USD/hour', written: ['USD/hour', 'USD/h']},
  'price-per-byte': {
    wanted: 'a price per size and hour',
    is: 'a price per size and time',
    units: ['USD/B/s'],
    example: '0.002 USD/GiB/hour',
    written: ['USD/GiB/hour'],
  },
  'energy-price': {wanted: 'a price of energy', is: 'a price of energy', units: ['USD/J'], example: '0.18 USD/kWh', written: ['USD/kWh']},
} as const satisfies Record<string, Kind>;

/** What a scenario's quantity measures. */
export type QuantityKind = keyof typeof kinds;

/**
 * Reads text such as `3.35 TB/s` as a quantity of one kind, in SI: bytes, B/s, s, flop/s, W, 1/s, USD/s, USD/(B·s), USD/J.
 *
 * Throws InputError, with a message that names neither file nor key, when the text has no unit, one of another dimension, counts bits where bytes are due, or is below 0.
 */
export type QuantityParser = (text: string, kind: QuantityKind) => number;

/** Loads the units and returns the parser. */
export async function quantities(): Promise<QuantityParser> {
  const {units} = await import('./units.js');
  return (text, kind) => readQuantity(units, text, kind);
}

/** Returns what is asked for, for example `a duration is wanted, e.g. "500 ms"`. */
export function wanted(kind: QuantityKind): string {
  return `${kinds[kind].wanted} is wanted, e.g. "${kinds[kind].example}"`;
}

/** Says why something that is not text is no quantity: a number has no unit, NaN is nothing. */
export function notQuantity(value: unknown, kind: QuantityKind): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return `${value} is not ${kinds[kind].wanted}`;
  if (typeof value === 'number') return `${value} has no unit; ${wanted(kind)}`;
  return `${typeof value === 'object' ? 'this' : String(value)} is not ${kinds[kind].wanted}; ${wanted(kind)}`;
}

/** Reads a rate together with what arrives: `2 session/s` is {value: 2, of: 'session'}. Throws as `parse` does. */
export function readRate(text: string, parse: QuantityParser): {value: number; of: 'request' | 'session'} {
  return {value: parse(text, 'rate'), of: /session/.test(text) ? 'session' : 'request'};
}

const numberThenUnit = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(.*)$/i;
const longest = 64;

function readQuantity(units: Units, text: string, kind: QuantityKind): number {
  const clean = text.trim().replace(/[µμ]/g, 'u');
  refuseNotations(text, clean, kind);
  const [, number, unitText] = numberThenUnit.exec(clean) ?? refuse(`"${text}" does not start with a number; ${wanted(kind)}`);
  if (unitText === '') refuse(`"${text}" has no unit; ${wanted(kind)}`);
  if (kind === 'rate' && /^(1\s*)?\/|^Hz$/.test(unitText)) refuse(`"${text}" does not say what arrives: "req/s" or "session/s"?`);
  const parsed = parseUnit(units, text, unitText, kind);
  const target = kinds[kind].units.find((unit) => parsed.equalBase(units.unit(`1 ${unit}`)));
  if (target === undefined) refuse(`"${text}" ${whatItIs(units, parsed, unitText)}; ${wanted(kind)}`);
  if (kind === 'bytes' && countsBits(parsed)) refuse(bitsForBytes(text, number, unitText));
  const value = clearNoise(Number(number) * parsed.toNumber(target!));
  if (value < 0) refuse(`"${text}" is below 0`);
  if (!Number.isFinite(value)) refuse(`"${text}" is not finite`);
  return kind === 'bytes' ? Math.round(value) : value;
}

function refuse(message: string): never {
  throw new InputError(message);
}

function refuseNotations(text: string, clean: string, kind: QuantityKind): void {
  if (clean.length > longest) refuse(`"${text.slice(0, 20)}…" is ${clean.length} characters long; ${wanted(kind)}`);
  if (/^[+-]?(\.?nan|\.?inf(inity)?)\b/i.test(clean)) refuse(`${clean} is not ${kinds[kind].wanted}`);
  if (/\d[,_']\d|\d \d{3}\b/.test(clean)) refuse(`"${text}": digits are written without separators, e.g. "1000 GB"`);
  if (/%/.test(clean)) refuse(`"${text}" is a share; ${wanted(kind)}`);
  if (/[$€£¥]/.test(clean)) refuse(`"${text}": prices are in USD, e.g. "2.50 USD/hour"`);
  if (/\bGT\/s|\bMT\/s/i.test(clean)) refuse(`"${text}" counts transfers of a link, not bytes; ${wanted(kind)}`);
  if (/[^\w\s./*^()+-]/.test(clean)) refuse(`"${text}" is not a number with a unit; ${wanted(kind)}`);
}

/** Parses the unit alone, so that mathjs sees no number but 1 and the number is ours to read. */
function parseUnit(units: Units, text: string, unitText: string, kind: QuantityKind): ParsedUnit {
  let parsed: ParsedUnit;
  try {
    parsed = units.unit(`1 ${unitText}`);
  } catch {
    return refuse(unknownUnit(text, unitText, kind));
  }
  for (const {unit} of parsed.units) if (!known.has(unit.name) && unit.name !== 'm') refuse(unknownUnit(text, unitText, kind));
  return parsed;
}

function unknownUnit(text: string, unitText: string, kind: QuantityKind): string {
  const near = kinds[kind].written.find((unit) => unit.toLowerCase() === unitText.toLowerCase());
  return near === undefined
    ? `"${text}" has an unknown unit "${unitText}"; ${wanted(kind)}`
    : `"${text}" has an unknown unit "${unitText}" (did you mean "${near}"?)`;
}

const known = new Set(
  [
    'B byte bytes b bit bits KB Kbit kbit Mbit Gbit Tbit Kibit Mibit Gibit Tibit Kbps kbps Mbps Gbps Tbps KBps kBps MBps GBps TBps',
    's sec secs second seconds min mins minute minutes h hr hrs hour hours day days week weeks',
    'flop FLOP flops FLOPS Hz hertz IOPS W watt watts J joule joules Wh USD usd request requests req reqs session sessions',
  ].flatMap((line) => line.split(' ')),
);

function countsBits(parsed: ParsedUnit): boolean {
  return parsed.units.some(({unit}) => unit.name === 'b' || /bits?$/.test(unit.name));
}

function bitsForBytes(text: string, number: string, unitText: string): string {
  const prefix = unitText.replace(/(b|bits?)$/, '').replace(/i$/, '');
  return `"${text}" counts bits; a capacity is in bytes: "${number} ${prefix}B" or "${number} ${prefix.toUpperCase()}${prefix === '' ? '' : 'i'}B"?`;
}

function whatItIs(units: Units, parsed: ParsedUnit, unitText: string): string {
  const found = Object.values(kinds).find((kind) => kind.units.some((unit) => parsed.equalBase(units.unit(`1 ${unit}`))));
  if (found !== undefined) return `is ${found.is}`;
  if (parsed.equalBase(units.unit('1 m'))) return unitText === 'm' ? 'is a length (minutes are "min")' : 'is a length';
  if (parsed.equalBase(units.unit('1 J'))) return 'is an energy';
  if (parsed.equalBase(units.unit('1 USD'))) return 'is an amount of money';
  if (parsed.equalBase(units.unit('1 flop'))) return 'is a number of operations';
  return `is in ${unitText}`;
}

/** Takes away the binary noise of a conversion: `2 us` is 2e-6, not 1.9999999999999998e-6. Whole numbers below 2^53 are exact and stay. */
export function clearNoise(value: number): number {
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
}

const scales: Partial<Record<QuantityKind, readonly (readonly [number, string])[]>> = {
  bytes: [
    [1024 ** 4, 'TiB'],
    [1024 ** 3, 'GiB'],
    [1024 ** 2, 'MiB'],
    [1024, 'KiB'],
    [1, 'B'],
  ],
  bandwidth: [
    [1e12, 'TB/s'],
    [1e9, 'GB/s'],
    [1e6, 'MB/s'],
    [1, 'B/s'],
  ],
  duration: [
    [1, 's'],
    [1e-3, 'ms'],
    [1e-6, 'us'],
    [1e-9, 'ns'],
  ],
  flops: [
    [1e15, 'PFLOP/s'],
    [1e12, 'TFLOP/s'],
    [1, 'FLOP/s'],
  ],
  power: [[1, 'W']],
  rate: [[1, '1/s']],
  price: [[1 / 3600, 'USD/hour']],
};

/** Writes a quantity in SI for people, with 4 significant digits: 3.35e12 B/s is `3.35 TB/s`. */
export function quantityText(value: number, kind: QuantityKind): string {
  const scale = scales[kind] ?? [[1, kinds[kind].units[0]]];
  const [factor, unit] = scale.find(([least]) => value >= least) ?? scale[scale.length - 1];
  return `${Number((value / factor).toPrecision(4))} ${unit}`;
}
