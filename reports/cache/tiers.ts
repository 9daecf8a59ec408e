import type {HitDocument} from '../../src/sim/memory/hit-document.js';
import {count, share} from '../format.js';
import type {Part} from '../page/sections.js';
import {number, table} from '../page/table.js';

/** What each of several memories answers. */
export const tiers: Part<HitDocument> = {
  name: 'Memories one below the other',

  title({tiers: found}) {
    if (found === null) return '';
    const [first, ...rest] = found.memories;
    const below = rest.reduce((sum, memory) => sum + memory.share, 0);
    return `The nearest memory answers ${share(first!.share)} of accesses, those below ${share(below)} more.`;
  },

  render({tiers: found}) {
    if (found === null) return null;
    return table({
      caption: `Accesses that each memory answers, with ${found.policy} in all of them`,
      head: [{label: 'memory'}, {label: 'blocks', numeric: true}, {label: 'hits', numeric: true}, {label: 'share', numeric: true}],
      rows: found.memories.map(({memory, blocks, hits, share: value}, i) => [
        memory ?? String(i + 1),
        number(blocks, count),
        number(hits, count),
        number(value, share),
      ]),
    });
  },
};
