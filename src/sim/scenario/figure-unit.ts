/** What a figure of a result counts, as the suffix of its name says: `ttft_s.p95` is in seconds. */
export type FigureUnit = 'seconds' | 'bytes' | 'usd' | 'share' | 'rate' | 'number';

const rates = /_per_s$/;
const suffixes: readonly (readonly [RegExp, FigureUnit])[] = [
  [/_usd$/, 'usd'],
  [rates, 'rate'],
  [/_s$/, 'seconds'],
  [/_bytes$/, 'bytes'],
  [/(^|_)share$|^attainment$|^goal$/, 'share'],
];

/** The unit of the figure at a dotted path: that of the last part whose name carries one. */
export function unitOf(path: string): FigureUnit {
  for (const part of path.split('.').reverse()) {
    const found = suffixes.find(([suffix]) => suffix.test(part));
    if (found !== undefined) return found[1];
  }
  return 'number';
}
