import type {HitDocument} from '../../src/sim/memory/hit-document.js';
import {count, significant} from '../format.js';
import {html} from '../markup.js';
import type {Part} from '../page/sections.js';
import {number, table} from '../page/table.js';
import {ceilingGap} from './part.js';

const points = (value: number | null) => (value === null ? '–' : `${(value * 100).toFixed(1).replace('-', '−')} %`);

/** What each policy closes of the gap between LRU and a perfect predictor. */
export const gap: Part<HitDocument> = {
  name: 'The gap to a perfect predictor',

  title(document) {
    const gapThere = ceilingGap(document);
    if (gapThere === null) return 'There is no gap between LRU and a perfect predictor.';
    const best = document.policies
      .filter(({bound}) => !bound)
      .reduce((a, b) => (b.sizes[gapThere.at]!.hits > a.sizes[gapThere.at]!.hits ? b : a));
    const closed = best.sizes[gapThere.at]!.gap_closed_share!;
    const at = `At ${count(gapThere.blocks)} blocks a perfect predictor is worth ${significant(gapThere.points)} points`;
    return best.policy === 'lru' ? `${at}; no policy here closes any of it.` : `${at}; ${best.policy} closes ${points(closed)} of them.`;
  },

  render(document) {
    if (ceilingGap(document) === null) return null;
    const shown = document.policies.filter(({bound, policy}) => !bound && policy !== 'lru');
    const belady = document.policies.find(({policy}) => policy === 'belady')!;
    const lru = document.policies.find(({policy}) => policy === 'lru')!;
    return html`<p class="note">Of the hits that Belady has more than LRU, the share that each policy has more; below 0 it has fewer than LRU.</p>${table(
      {
        caption: 'Share of the gap between LRU and Belady that each policy closes, by size',
        head: [{label: 'policy'}, ...lru.sizes.map(({blocks}) => ({label: count(blocks), numeric: true}))],
        rows: [
          [
            'gap, points',
            ...belady.sizes.map(({share}, i) => number((share - lru.sizes[i]!.share) * 100, (value) => significant(value ?? 0))),
          ],
          ...shown.map(({policy, sizes}) => [policy, ...sizes.map(({gap_closed_share: closed}) => number(closed, points))]),
        ],
      },
    )}`;
  },
};
