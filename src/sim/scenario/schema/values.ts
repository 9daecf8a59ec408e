import * as z from 'zod';
import {InputError} from '../../core/errors.js';
import {notQuantity, type QuantityKind, wanted} from '../../core/quantity.js';
import {unknownName} from '../../core/registry.js';
import type {Key, Since} from './node.js';

/** What the constructors below take beside the reason for a key. */
export interface Options {
  /** Default that a file could write. */
  readonly default?: string | number | boolean;
  /** Default in words, when it depends on something: `preset's`. */
  readonly says?: string;
  readonly since?: Since;
  readonly later?: readonly string[];
  readonly listing?: string;
}

type Made = Pick<Key, 'type' | 'wanted' | 'computed' | 'zod' | 'read'> & Partial<Key>;

function key(why: string, options: Options, made: Made): Key {
  const {default: value, says, since = '0.1', later, listing} = options;
  return {
    kind: 'key',
    why,
    since,
    ...(value === undefined ? {} : {value, says: String(value)}),
    ...(says === undefined ? {} : {says}),
    ...(later === undefined ? {} : {later}),
    ...(listing === undefined ? {} : {listing}),
    ...made,
  };
}

/** Text as a message shows it: quoted when it is text, cut when it is long. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}…` : value);
}

function mustBe(schema: z.ZodType, value: unknown, what: string): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new InputError(typeof value === 'number' && Number.isNaN(value) ? `NaN is not ${what}` : `${shown(value)} is not ${what}`);
}

function checked(zod: z.ZodType, what: string): Pick<Key, 'wanted' | 'zod' | 'read'> {
  return {wanted: what, zod, read: (value) => mustBe(zod, value, what)};
}

/** A number of things, at least `least`. */
export function count(why: string, options: Options & {readonly least?: number; readonly most?: number; readonly unit?: string} = {}): Key {
  const least = options.least ?? 1;
  const zod = z
    .number()
    .int()
    .min(least)
    .max(options.most ?? Number.MAX_SAFE_INTEGER);
  return key(why, options, {
    type: options.unit ?? 'count',
    computed: true,
    ...checked(zod, `a whole number ${options.most === undefined ? `of at least ${least}` : `from ${least} to ${options.most}`}`),
  });
}

/** A number of tokens, at least `least`. */
export function tokens(why: string, options: Options & {readonly least?: number} = {}): Key {
  return count(why, {...options, unit: 'tokens'});
}

/** A share from 0 to 1; `90 %` is refused. */
export function share(why: string, options: Options = {}): Key {
  const zod = z.number().min(0).max(1);
  return key(why, options, {type: 'share', computed: true, ...checked(zod, 'a share: a number from 0 to 1, e.g. 0.9')});
}

/** A plain number above 0, or from 0 on. */
export function ratio(why: string, options: Options & {readonly zero?: boolean} = {}): Key {
  const zod = options.zero ? z.number().min(0) : z.number().positive();
  return key(why, options, {type: 'ratio', computed: true, ...checked(zod, options.zero ? 'a number from 0 on' : 'a number above 0')});
}

/** true or false. */
export function flag(why: string, options: Options = {}): Key {
  return key(why, options, {type: 'bool', computed: false, ...checked(z.boolean(), 'true or false')});
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is what it is for
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Text on one line, kept as it is: only control characters are refused. A number is read as it is written. */
export function text(why: string, options: Options & {readonly type?: string} = {}): Key {
  const zod = z.string().min(1).max(4096);
  const read = (value: unknown, source: string): string => {
    const written = typeof value === 'number' ? source : value;
    const result = mustBe(zod, written, 'text') as string;
    if (control.test(result)) throw new InputError(`${shown(result)} holds a control character`);
    return result;
  };
  return key(why, options, {type: options.type ?? 'text', computed: false, wanted: 'text', zod, read});
}

/** Text of several lines. */
export function paragraph(why: string): Key {
  const zod = z.string().max(16384);
  const read = (value: unknown): string => {
    const result = mustBe(zod, value, 'text') as string;
    if (control.test(result.replace(/[\n\t]/g, ' '))) throw new InputError('holds a control character');
    return result;
  };
  return key(why, {}, {type: 'text', computed: false, wanted: 'text', zod, read});
}

/** A path, resolved against the file that wrote it. */
export function path(why: string, options: Options = {}): Key {
  return text(why, {...options, type: 'path'});
}

/** A kind of thing with its article: a scope, an exchange. */
function oneOf(kind: string): string {
  return `${/^[aeio]/i.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** One of the names; those of `options.later` are known, not simulated yet. */
export function name(kind: string, names: readonly string[], why: string, options: Options = {}): Key {
  const all = [...names, ...(options.later ?? [])];
  const zod = z.enum(all as [string, ...string[]]);
  const read = (value: unknown): unknown => {
    if (typeof value !== 'string') throw new InputError(`${shown(value)} is not ${oneOf(kind)}; known: ${all.join(', ')}`);
    if (!all.includes(value)) throw new InputError(unknownName(kind, value, all));
    return value;
  };
  return key(why, options, {type: 'name', names, computed: false, wanted: oneOf(kind), zod, read});
}

/** One of the names, or a path by which `isPath` knows a file; the names as in `name`. */
export function nameOrPath(kind: string, names: readonly string[], isPath: (text: string) => boolean, why: string): Key {
  const named = name(kind, names, why);
  const read: Key['read'] = (value, source, parse) => {
    if (typeof value !== 'string') return named.read(value, source, parse);
    if (isPath(value)) return value;
    if (/\.m?js$/.test(value))
      throw new InputError(`${shown(value)} is no ${kind}; a file of your own is written "./FILE.mjs", from the file that names it`);
    return named.read(value, source, parse);
  };
  return {...named, type: 'name or path', zod: z.union([named.zod, z.string().regex(/^\.\.?\//)]), read};
}

/** A quantity with its unit, read into SI. */
export function quantity(kind: QuantityKind, why: string, options: Options & {readonly positive?: boolean} = {}): Key {
  const zod = z.string().regex(/^\s*[+-]?(\d|\.\d)/);
  const read: Key['read'] = (value, _source, parse) => {
    if (typeof value !== 'string') throw new InputError(notQuantity(value, kind));
    const result = parse(value, kind);
    if (options.positive && result === 0) throw new InputError(`"${value}" is 0; ${wanted(kind)}`);
    return result;
  };
  return key(why, options, {type: kind, quantity: kind, computed: true, wanted: wanted(kind), zod, read});
}

/** A duration. */
export function duration(why: string, options: Options = {}): Key {
  return quantity('duration', why, options);
}

/** Any of several forms: the words, then the first key whose kind of value it is. */
export function either(type: string, words: readonly string[], forms: readonly Key[], why: string, options: Options = {}): Key {
  const zod = z.union([z.enum(words as [string, ...string[]]), ...forms.map((form) => form.zod)]);
  const read: Key['read'] = (value, source, parse) => {
    if (typeof value === 'string' && words.includes(value)) return value;
    const form = forms.find((one) => (one.quantity !== undefined) === (typeof value === 'string')) ?? forms[0];
    return form.read(value, source, parse);
  };
  return key(why, options, {type, names: words, computed: true, wanted: forms.map((form) => form.wanted).join(' or '), zod, read});
}

/** A list of texts, or one. */
export function texts(why: string, options: Options = {}): Key {
  const zod = z.union([z.string().min(1), z.array(z.string().min(1))]);
  return key(why, options, {type: 'text or list', computed: false, ...checked(zod, 'text or a list of texts')});
}

/** Any value: for the engines' own flags, and for keys of later versions that have a form of their own. */
export function anything(why: string, options: Options & {readonly type?: string} = {}): Key {
  return key(why, options, {type: options.type ?? 'any', computed: false, ...checked(z.unknown(), 'a value')});
}

/** A number, or a quantity of any kind as text. */
export function numberOrQuantity(why: string): Key {
  const zod = z.union([z.number(), z.string().regex(/^\s*([+-]?(\d|\.\d)|\$\{)/)]);
  return key(why, {}, {type: 'number or quantity', computed: true, ...checked(zod, 'a number or a quantity, e.g. 4 or "80 GiB"')});
}
