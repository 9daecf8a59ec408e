import {unbroken} from '../format.js';
import {html, type Markup} from '../markup.js';
import {type PageParts, pageDocument} from '../page/document.js';
import {settledValue} from '../page/settled.js';
import {bandwidth} from './bandwidth.js';
import {coverage} from './coverage.js';
import {errors} from './errors.js';
import {head} from './head.js';
import type {CalibrationPart} from './part.js';
import {predicted} from './predicted.js';
import {provenance} from './provenance.js';
import {roofline} from './roofline.js';
import type {CalibrationView} from './view.js';

/** Every part of the page, in its order. */
const parts: Readonly<Record<string, CalibrationPart>> = {roofline, predicted, bandwidth, errors, coverage, provenance};

/** Draws the page of a device profile: one file that works offline and runs no script but its own. Pure: equal views give equal bytes. */
export function renderCalibration(view: CalibrationView, page: PageParts): string {
  const shown = settledValue(view) as CalibrationView;
  const drawn = Object.entries(parts).flatMap(([id, part]) => {
    const body = part.render(shown);
    return body === null ? [] : [{id, part, body}];
  });
  const body = html`${head(shown)}
<nav class="panels" aria-label="Parts"><ul>${drawn.map(({id, part}) => html`<li><a href="#${id}">${part.name}</a></li>`)}</ul></nav>
<main id="main" tabindex="-1">
${drawn.map(({id, part, body: inner}) => section(id, part, inner, shown))}
</main>
<footer><p>Drawn by tiercast ${shown.tiercast.version}. Nothing on this page is loaded from elsewhere.</p></footer>`;
  return pageDocument(page, `${shown.name} · tiercast calibrate`, body);
}

function section(id: string, {name, title}: CalibrationPart, body: Markup, view: CalibrationView): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<p class="eyebrow">${name}</p>
<h2 id="${id}-title">${unbroken(title(view))}</h2>
${body}
</section>
`;
}
