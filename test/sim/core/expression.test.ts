// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written so in scenario files
import {beforeAll, describe, expect, it} from 'vitest';
import {type Evaluate, expressions, type Names, type Value} from '../../../src/sim/core/expression.js';

const values: Readonly<Record<string, Value>> = {
  layers: 32,
  hbm_kv: '80 GiB',
  bandwidth: '4 TB/s',
  'engine.parallel.tensor': 4,
  rate: '2 session/s',
  b: 3,
  name: 'llama',
  big: 1e300,
};
const names: Names = {value: (name) => (Object.hasOwn(values, name) ? values[name] : undefined), known: Object.keys(values)};

let evaluate: Evaluate;
beforeAll(async () => {
  evaluate = await expressions();
});

describe('arithmetic keeps units', () => {
  it.each<[string, Value]>([
    ['2 * layers', 64],
    ['8 * hbm_kv', '640 GiB'],
    ['hbm_kv + 2 GiB', '82 GiB'],
    ['hbm_kv / 8 - 1 GiB', '9 GiB'],
    ['16 TB / bandwidth', '4 s'],
    ['bandwidth * 500 ms', '2000000000000 B'],
    ['rate * 0.5', '1 session/s'],
    ['hbm_kv / hbm_kv', 1],
    ['hbm_kv / 1 GiB', 80],
    ['engine.parallel.tensor * 2', 8],
    ['min(hbm_kv, 10 GiB)', '10 GiB'],
    ['max(layers, 3, 100)', 100],
    ['ceil(7 / 2) + floor(7 / 2) + round(2.4) + abs(-1)', 10],
    ['-(layers - 2)', -30],
    ['0.1 + 0.2', 0.3],
    ['2 * b', 6], // b is a name here, not bits
  ])('%s = %s', (source, value) => {
    expect(evaluate(source, names)).toBe(value);
  });
});

describe('anything but finite arithmetic is refused', () => {
  it.each([
    ['2 * layrs', '"${2 * layrs}" has an unknown name "layrs" (did you mean "layers"?); known are vars and the keys that the file writes'],
    ['1 / 0', '"${1 / 0}" divides by 0'],
    ['big * big', '"${big * big}" is not finite'],
    ['1e400', '"${1e400}" uses Infinity, which is not a finite number'],
    ['"text"', '"${"text"}" uses "text", which is not a finite number'],
    ['"a" + "b"', '"${"a" + "b"}" uses "a", which is not a finite number'],
    ['true', '"${true}" uses true, which is not a finite number'],
    ['5%', '"${5%}" uses "%"; write a share as a number from 0 to 1'],
    ['2 ^ 3', '"${2 ^ 3}" uses "^", which is not allowed; allowed: + - * /'],
    ['layers!', '"${layers!}" uses "!", which is not allowed; allowed: + - * /'],
    ['10 GB to MB', '"${10 GB to MB}" uses "to", which is not allowed; allowed: + - * /'],
    ['hbm_kv + 1', '"${hbm_kv + 1}" adds or compares things of different kinds (80 GiB + 1)'],
    ['hbm_kv * hbm_kv', '"${hbm_kv * hbm_kv}" is in GiB^2, which no key takes'],
    ['ceil(hbm_kv)', '"${ceil(hbm_kv)}" gives ceil() a quantity; it takes a number, so divide by one unit first'],
    ['name * 2', '"${name * 2}" uses name, which is "llama": neither a number nor a quantity'],
    ['2 layers', '"${2 layers}" needs a sign in "2 layers"'],
    ['factorial(1000000)', '"${factorial(1000000)}" uses factorial(), which is not allowed; allowed: min max ceil floor round abs'],
    ['import(1)', '"${import(1)}" uses import(), which is not allowed; allowed: min max ceil floor round abs'],
    ['min()', '"${min()}" gives min() nothing'],
    ['', '"${}" is empty'],
    ['1 +', '"${1 +}" is not arithmetic: Unexpected end of expression (char 4)'],
    ['layers.constructor', /^"\$\{layers\.constructor\}" has an unknown name "layers\.constructor"/],
    ['a = 1', /is not arithmetic; allowed: /],
    ['f(x) = x', /is not arithmetic; allowed: /],
    ['[1, 2]', /is not arithmetic; allowed: /],
    ['{a: 1}', /is not arithmetic; allowed: /],
    ['layers ? 1 : 2', /is not arithmetic; allowed: /],
    ['1; 2', /is not arithmetic; allowed: /],
    ['cos.constructor("return process")()', /is not arithmetic: /],
    [`${'('.repeat(30)}1${')'.repeat(30)}`, /is nested deeper than 20$/],
    [`1${' + 1'.repeat(60)}`, /is 241 characters long; 200 are allowed$/],
  ])('%s', (source, message) => {
    expect(() => evaluate(source, names)).toThrow(
      expect.objectContaining({name: 'InputError', message: typeof message === 'string' ? message : expect.stringMatching(message)}),
    );
  });
});
