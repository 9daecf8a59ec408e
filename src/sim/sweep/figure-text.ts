import {unitOf} from '../scenario/figure-unit.js';
import {digits, durationText, gibText, percentText, rateText} from '../scenario/text.js';

/** A figure as a terminal shows it, in the unit that its path says. */
export function figureText(path: string, value: number | null): string {
  if (value === null) return '–';
  switch (unitOf(path)) {
    case 'seconds':
      return durationText(value);
    case 'bytes':
      return gibText(value);
    case 'usd':
      return `$${Math.abs(value) >= 0.1 || value === 0 ? value.toFixed(2) : value.toPrecision(3)}`;
    case 'share':
      return percentText(value);
    case 'rate':
      return rateText(value);
    case 'number':
      return digits(value, Number.isInteger(value) ? 0 : 3);
  }
}
