import type {Comparison, ComparisonDocument} from '../../src/sim/compare/comparison.js';
import {type PageParts, pageDocument} from '../page/document.js';
import {pageBody} from '../page/sections.js';
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
  const sections = Object.entries<ComparePanel>(comparePanels).map(([id, panel]) => ({
    id,
    name: panel.name,
    title: panel.title(shown),
    body: panel.render(shown),
  }));
  const made = `Simulated by tiercast ${document.tiercast.version}, not measured.`;
  return pageDocument(parts, `${title(document.labels)} · tiercast`, pageBody(head(shown), 'Panels', sections, made));
}
