import {type PanelName, panelNames, type Report} from '../src/sim/scenario/result.js';
import {unbroken} from './format.js';
import {html, type Markup} from './markup.js';
import {type PageParts, pageDocument} from './page/document.js';
import {settled} from './page/settled.js';
import {panels} from './panels/index.js';
import {type Need, needs} from './panels/panel.js';
import {verdict} from './panels/verdict.js';

export type {PageParts} from './page/document.js';

/**
 * Draws one report as a self-contained HTML page: works offline, sends no request, runs no script but its own.
 *
 * Pure: the same report and parts give the same bytes, also when the report was read back from its files.
 */
export function renderReport(report: Report, parts: PageParts): string {
  const shown = settled(report);
  const chosen = chosenPanels(shown);
  const body = html`${verdict(shown)}
<nav class="panels" aria-label="Panels"><ul>${chosen.map((name) => html`<li><a href="#${name}">${panels[name].name}</a></li>`)}</ul></nav>
<main id="main" tabindex="-1">
${chosen.map((name) => section(name, shown))}
</main>
<footer><p>Simulated by tiercast ${shown.document.tiercast.version}, not measured. Nothing on this page is loaded from elsewhere.</p></footer>`;
  return pageDocument(parts, `${shown.document.title || shown.document.name} · tiercast`, body);
}

/** The panels that the scenario's `report.panels` names, or all, of those that apply; the order is always that of the page. */
function chosenPanels(report: Report): readonly PanelName[] {
  const wanted = (report.document.scenario as {report?: {panels?: unknown}} | null)?.report?.panels ?? 'all';
  const names = [wanted].flat();
  return panelNames.filter((name) => (names.includes('all') || names.includes(name)) && (panels[name].applies?.(report) ?? true));
}

function section(name: PanelName, report: Report): Markup {
  const panel = panels[name];
  const lacking = panel.needs.find((need: Need) => !needs[need].met(report));
  const title = lacking === undefined ? panel.title(report) : needs[lacking].missing;
  return html`<section id="${name}" aria-labelledby="${name}-title">
<p class="eyebrow">${panel.name}</p>
<h2 id="${name}-title">${unbroken(title)}</h2>
${lacking === undefined ? panel.render(report) : null}
</section>
`;
}
