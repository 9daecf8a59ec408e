import {share} from '../format.js';
import {html, type Markup} from '../markup.js';
import {nameOf, type SweepView} from './view.js';

/** What moves each objective: one bar an axis, its share of the spread. */
export function levers({document}: SweepView): Markup {
  return html`${document.levers.map(
    ({objective, shares}) => html`<h3>${nameOf(objective)}</h3>
<ul class="shares">${shares.map(
      ({axis, share: value}) =>
        html`<li><span>${axis}</span><svg class="bullet" aria-hidden="true" focusable="false"><rect class="track" y="2" width="100%" height="6"/><rect class="value" y="2" width="${Math.round(value * 1000) / 10}%" height="6"/></svg><b>${share(value)}</b></li>`,
    )}</ul>`,
  )}<p class="note">Variance between the means of an axis's values over the whole variance (one-way), over every point that ran, of the logarithm where all are above 0. What axes do together is in none of the shares, so they need not add up to 100 %.</p>`;
}

/** The sentence above: which axis moves the first objective most. */
export function leversTitle({document}: SweepView): string {
  const [first] = document.levers;
  const best = first?.shares[0];
  if (first === undefined || best === undefined) return 'Nothing that was varied moves an objective.';
  return `${best.axis} moves ${nameOf(first.objective)} most: ${share(best.share)} of the spread.`;
}
