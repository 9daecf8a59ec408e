/**
 * Quantities as sentences and tables of a run show them: three significant digits and the unit that fits. For people; files have their own digits.
 */
export function durationText(seconds: number): string {
  if (seconds === 0) return '0 ms';
  // A hundredth below the step, so that 999.6 ms is shown as 1 s and not as 1000 ms.
  if (seconds < 0.9995e-3) return `${digits(seconds * 1e6, seconds < 0.9995e-5 ? 1 : 0)} µs`;
  if (seconds < 0.9995) return `${digits(seconds * 1e3, seconds < 9.995e-3 ? 1 : 0)} ms`;
  if (seconds < 600) return `${digits(seconds, seconds < 99.95 ? 1 : 0)} s`;
  if (seconds < 7200) return `${digits(seconds / 60, 1)} min`;
  return `${digits(seconds / 3600, 1)} h`;
}

/** Bytes in GiB, or TiB from 1,000 GiB. */
export function gibText(bytes: number): string {
  const gib = bytes / 2 ** 30;
  return gib < 1000 ? `${digits(gib, 1)} GiB` : `${digits(gib / 1024, 2)} TiB`;
}

/** Bytes in decimal units, as transfers and drives are counted. */
export function bytesText(bytes: number): string {
  for (const [unit, size] of [
    ['TB', 1e12],
    ['GB', 1e9],
    ['MB', 1e6],
  ] as const)
    if (bytes >= size) return `${digits(bytes / size, bytes >= 100 * size ? 0 : 1)} ${unit}`;
  return `${digits(bytes, 0)} B`;
}

/** A share as per cent; what is not quite all or nothing never reads as if it were. */
export function percentText(share: number): string {
  if (share > 0 && share < 0.0005) return '< 0.1 %';
  if (share >= 0.9995 && share < 1) return '> 99.9 %';
  return `${digits(share * 100, 1)} %`;
}

/** A whole number with commas. */
export function countText(count: number): string {
  return digits(count, 0);
}

/** A rate: whole from 100, else with as many digits as say something. */
export function rateText(perSecond: number): string {
  return digits(perSecond, perSecond >= 99.95 ? 0 : perSecond >= 0.9995 ? 1 : 3);
}

/** Rounds to a number of decimals and drops zeros at the end; thousands are set off by commas. */
export function digits(value: number, decimals: number): string {
  const [whole, fraction = ''] = Math.abs(value).toFixed(decimals).split('.');
  const kept = fraction.replace(/0+$/, '');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',') + (kept === '' ? '' : `.${kept}`);
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** Text from a file as a terminal may show it: no control characters, which could move the cursor or change what was printed. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}
