import {InputError} from '../core/errors.js';

/** Reads cache sizes in blocks: `500,1000,50k`, or `500..50k` for the two ends and the 1-2-5 steps between them. Rising, without doubles. */
export function parseSizes(text: string): number[] {
  const sizes = text.split(',').flatMap((part) => {
    const ends = part.split('..').map((end) => parseSize(end.trim(), text, '--sizes'));
    if (ends.length > 2) throw wrong(text, '--sizes');
    return ends.length === 1 ? ends : between(ends[0], ends[1], text);
  });
  return [...new Set(sizes)].sort((a, b) => a - b);
}

/** Reads block counts in the order they are written: `1000,8k,64k`. */
export function parseSizeList(text: string, flag: string): number[] {
  return text.split(',').map((part) => parseSize(part.trim(), text, flag));
}

function parseSize(text: string, whole: string, flag: string): number {
  const match = /^(\d+(?:\.\d+)?)([kM]?)$/.exec(text);
  if (match === null) throw wrong(whole, flag);
  const size = Number(match[1]) * {'': 1, k: 1e3, M: 1e6}[match[2] as '' | 'k' | 'M'];
  if (!Number.isInteger(size) || size < 1 || size > 2 ** 31 - 1) throw wrong(whole, flag);
  return size;
}

function between(from: number, to: number, whole: string): number[] {
  if (from > to) throw new InputError(`--sizes: ${whole} falls; write the smaller end first`);
  const sizes = [from];
  for (let decade = 1; decade <= to; decade *= 10)
    sizes.push(...[decade, 2 * decade, 5 * decade].filter((size) => size > from && size < to));
  return [...sizes, to];
}

function wrong(text: string, flag: string): InputError {
  return new InputError(`${flag}: "${text}" is no list of block counts like 500,1000,50k${flag === '--sizes' ? ' or 500..50k' : ''}`);
}
