import {html, type Markup} from '../markup.js';

/** A form for each series, so that none is told by its colour alone; 0 is a small cross. */
const forms = [
  'M-3,-3L3,3M-3,3L3,-3',
  'M-5,0A5,5 0 1 0 5,0A5,5 0 1 0 -5,0Z',
  'M-4.5,-4.5H4.5V4.5H-4.5Z',
  'M0,-6L5.5,4H-5.5Z',
  'M0,-6.5L6.5,0L0,6.5L-6.5,0Z',
  'M0,6L5.5,-4H-5.5Z',
  'M-6,-2H-2V-6H2V-2H6V2H2V6H-2V2H-6Z',
] as const;

/** Series that have a form of their own, beside 0. */
export const mostForms = forms.length - 1;

/** The mark of a point of a series, around 0,0. */
export function markForm(series: number, filled: boolean): Markup {
  return html`<path class="form s${series}${filled ? ' filled' : ''}" d="${forms[series]!}"/>`;
}

/** The mark of a series for a legend. */
export function markSwatch(series: number): Markup {
  return html`<svg class="swatch" width="16" height="14" viewBox="-8 -7 16 14" aria-hidden="true" focusable="false">${markForm(series, true)}</svg>`;
}
