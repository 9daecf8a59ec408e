import {type PanelName, panelNames, type Report} from '../src/sim/scenario/result.js';
import {type PageParts, pageDocument} from './page/document.js';
import {pageBody, type Section} from './page/sections.js';
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
  const sections = chosenPanels(shown).map((name) => section(name, shown));
  const made = `Simulated by tiercast ${shown.document.tiercast.version}, not measured.`;
  const body = pageBody(verdict(shown), 'Panels', sections, made);
  return pageDocument(parts, `${shown.document.title || shown.document.name} · tiercast`, body);
}

/** The panels that the scenario's `report.panels` names, or all, of those that apply; the order is always that of the page. */
function chosenPanels(report: Report): readonly PanelName[] {
  const wanted = (report.document.scenario as {report?: {panels?: unknown}} | null)?.report?.panels ?? 'all';
  const names = [wanted].flat();
  return panelNames.filter((name) => (names.includes('all') || names.includes(name)) && (panels[name].applies?.(report) ?? true));
}

function section(id: PanelName, report: Report): Section {
  const panel = panels[id];
  const lacking = panel.needs.find((need: Need) => !needs[need].met(report));
  return lacking === undefined
    ? {id, name: panel.name, title: panel.title(report), body: panel.render(report)}
    : {id, name: panel.name, title: needs[lacking].missing, body: null};
}
