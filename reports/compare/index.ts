import type {Comparison, ComparisonDocument} from '../../src/sim/compare/comparison.js';
import {unbroken} from '../format.js';
import {html, type Markup} from '../markup.js';
import {type PageParts, pageDocument} from '../page/document.js';
import {settled, settledValue} from '../page/settled.js';
import {head, title} from './head.js';
import type {ComparePanel} from './panel.js';
import {comparePanels} from './panels/index.js';

/**
 * Draws one comparison as a self-contained HTML page: works offline, sends no request, runs no script but its own.
 *
 * Pure: the same comparison and parts give the same bytes.
 */
export function renderComparison({document, reports}: Comparison, parts: PageParts): string {
  const shown: Comparison = {document: settledValue(document) as ComparisonDocument, reports: reports.map(settled)};
  const chosen = Object.entries<ComparePanel>(comparePanels);
  const body = html`${head(shown)}
<nav class="panels" aria-label="Panels"><ul>${chosen.map(([id, panel]) => html`<li><a href="#${id}">${panel.name}</a></li>`)}</ul></nav>
<main id="main" tabindex="-1">
${chosen.map(([id, panel]) => section(id, panel, shown))}
</main>
<footer><p>Simulated by tiercast ${document.tiercast.version}, not measured. Nothing on this page is loaded from elsewhere.</p></footer>`;
  return pageDocument(parts, `${title(document.labels)} · tiercast`, body);
}

function section(id: string, panel: ComparePanel, comparison: Comparison): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<p class="eyebrow">${panel.name}</p>
<h2 id="${id}-title">${unbroken(panel.title(comparison))}</h2>
${panel.render(comparison)}
</section>
`;
}
