import type {HitDocument} from '../../src/sim/memory/hit-document.js';
import {type PageParts, pageDocument} from '../page/document.js';
import {type Part, pageBody, sectionsOf} from '../page/sections.js';
import {settledValue} from '../page/settled.js';
import {curves} from './curves.js';
import {gap} from './gap.js';
import {head} from './head.js';
import {reuse} from './reuse.js';
import {tiers} from './tiers.js';
import {workingSet} from './working-set.js';

/** Every part of the page, in its order. */
const parts: Readonly<Record<string, Part<HitDocument>>> = {curves, gap, tiers, reuse, 'working-set': workingSet};

/** Draws the page of a trace's hits: one file that works offline and runs no script but its own. Pure: equal documents give equal bytes. */
export function renderHits(document: HitDocument, page: PageParts): string {
  const shown = settledValue(document) as HitDocument;
  const body = pageBody(head(shown), 'Parts', sectionsOf(parts, shown), `Drawn by tiercast ${shown.tiercast.version}.`);
  return pageDocument(page, `${shown.trace.file} · tiercast cache`, body);
}
