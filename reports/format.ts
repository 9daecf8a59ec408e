/**
 * How quantities are shown: three significant digits, the unit that fits, and a dash for what is not known.
 *
 * Free of d3 and of the DOM, because the page's script formats with it too.
 */
export type Format = (value: number | null) => string;

const none = '–';

/** Groups the integer part by thousands: 1234567.5 → "1,234,567.5". */
export function grouped(text: string): string {
  const [whole, fraction] = text.split('.');
  const digits = whole!.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

/** `value` to `digits` significant digits, never as 1e21. An exact number carries no zeros at its end: 50 is "50", 49.96 is "50.0". */
export function significant(value: number, digits = 3): string {
  if (value === 0) return '0';
  const rounded = Number(value.toPrecision(digits));
  const decimals = Math.min(9, Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(rounded)))));
  const exact = Math.abs(rounded - value) <= Math.abs(value) * 1e-9;
  const text = rounded.toFixed(decimals);
  return grouped(exact && decimals > 0 ? text.replace(/\.?0+$/, '') : text).replace('-', '−');
}

/** Ties numbers to their units with no-break spaces, for text that wraps. */
export function unbroken(text: string): string {
  return text.replace(/(\d) (?=(?:[%×]|[nµm]?s|min|h|[KMGT]?i?B|[KMGT]B|(?:tok|req|session)\/s)(?![\w]))/g, '$1\u00a0');
}

const known = (value: number | null): value is number => value !== null && Number.isFinite(value);

/** Seconds as µs, ms, s, min or h. */
export const duration: Format = (value) => {
  if (!known(value)) return none;
  const size = Math.abs(value);
  if (size === 0) return '0 s';
  if (size < 0.9995e-6) return `${significant(value * 1e9)} ns`;
  if (size < 0.9995e-3) return `${significant(value * 1e6)} µs`;
  if (size < 0.9995) return `${significant(value * 1e3)} ms`;
  if (size < 120) return `${significant(value)} s`;
  if (size < 7200) return `${significant(value / 60)} min`;
  return `${significant(value / 3600)} h`;
};

/** Seconds as ms up to one second and as s beyond: for the ticks of an axis, where one unit after the other reads best. */
export const secondsTick: Format = (value) => {
  if (!known(value)) return none;
  if (value !== 0 && Math.abs(value) < 0.9995e-3) return `${significant(value * 1e6)} µs`;
  return value !== 0 && Math.abs(value) < 0.9995 ? `${significant(value * 1e3)} ms` : `${significant(value)} s`;
};

/** Bytes as B, KiB, MiB, GiB or TiB. */
export const bytes: Format = (value) => {
  if (!known(value)) return none;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let rest = value;
  let unit = 0;
  while (Math.abs(rest) >= 1023.5 && unit < units.length - 1) {
    rest /= 1024;
    unit++;
  }
  return `${significant(rest, Math.abs(rest) >= 1000 ? 4 : 3)} ${units[unit]}`;
};

/** Whole numbers of things: requests, tokens, blocks. */
export const count: Format = (value) => (known(value) ? grouped(Math.round(value).toFixed(0)).replace('-', '−') : none);

/** A mean of things over time. */
export const mean: Format = (value) => (known(value) ? significant(value) : none);

/** A share 0–1 as per cent. */
export const share: Format = (value) => {
  if (!known(value)) return none;
  const percent = value * 100;
  // 99.96 % must not read as "all of them".
  if (percent > 99.9 && percent < 100) return '> 99.9 %';
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent >= 99.95 ? '100' : percent.toFixed(1).replace(/\.0$/, '')} %`;
};

/** A change as a share, with its sign. */
export function signedShare(value: number): string {
  const size = Math.abs(value);
  if (size < 1e-6) return '0 %';
  return `${value > 0 ? '+' : '−'}${size < 1e-3 ? `${significant(size * 100, 1)} %` : share(size)}`;
}

/** Years that something lasts: in days below one year, and no more than a hundred. */
export function lifetime(years: number): string {
  if (years > 100) return 'more than 100 years';
  const [value, unit] = years >= 0.995 ? [years, 'year'] : [years * 365.25, 'day'];
  const text = value >= 10 ? value.toFixed(0) : significant(value, 2);
  return Number(text) === 1 ? `1 ${unit}` : `${text} ${unit}s`;
}

/** US dollars, two digits behind the point, more where that would show nothing. */
export const dollars: Format = (value) => {
  if (!known(value)) return none;
  return Math.abs(value) >= 0.1 || value === 0 ? `$${grouped(value.toFixed(2))}` : `$${significant(value)}`;
};

/** The formats that a chart's data may name. */
export const formats = {duration, bytes, count, mean, share, dollars} as const satisfies Record<string, Format>;
export type FormatName = keyof typeof formats;
