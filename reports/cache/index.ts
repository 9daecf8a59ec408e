import type {HitDocument} from '../../src/sim/memory/hit-document.js';
import {unbroken} from '../format.js';
import {html, type Markup} from '../markup.js';
import {type PageParts, pageDocument} from '../page/document.js';
import {settledValue} from '../page/settled.js';
import {curves} from './curves.js';
import {gap} from './gap.js';
import {head} from './head.js';
import type {HitPart} from './part.js';
import {reuse} from './reuse.js';
import {tiers} from './tiers.js';
import {workingSet} from './working-set.js';

/** Every part of the page, in its order. */
const parts: Readonly<Record<string, HitPart>> = {curves, gap, tiers, reuse, 'working-set': workingSet};

/** Draws the page of a trace's hits: one file that works offline and runs no script but its own. Pure: equal documents give equal bytes. */
export function renderHits(document: HitDocument, page: PageParts): string {
  const shown = settledValue(document) as HitDocument;
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
  return pageDocument(page, `${shown.trace.file} · tiercast cache`, body);
}

function section(id: string, {name, title}: HitPart, body: Markup, document: HitDocument): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<p class="eyebrow">${name}</p>
<h2 id="${id}-title">${unbroken(title(document))}</h2>
${body}
</section>
`;
}
