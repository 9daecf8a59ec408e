import type {HitDocument} from '../../src/sim/memory/hit-document.js';
import {linearTicks, linearY, logScale, logTicks} from '../charts/axis.js';
import {coordinate, frame, plotWidth} from '../charts/frame.js';
import {count} from '../format.js';
import {html} from '../markup.js';
import {figure} from '../page/figure.js';
import type {Part} from '../page/sections.js';
import {number} from '../page/table.js';

const height = 220;

/** How far apart two reads of a block lie, in different blocks. */
export const reuse: Part<HitDocument> = {
  name: 'Reuse distance',

  title({reuse_distance_blocks: distance}) {
    if (distance === null) return '';
    return `Half of all hits come within ${count(distance.p50)} different blocks, 95 % within ${count(distance.p95)}.`;
  },

  render({reuse_distance_bins: bins}) {
    if (bins === null || bins.length === 0) return null;
    const x = logScale(1, Math.max(2, bins.at(-1)!.up_to_blocks));
    const most = Math.max(...bins.map(({accesses}) => accesses));
    const y = linearY(most, height);
    const from = (i: number) => (i === 0 ? 0 : x(bins[i - 1]!.up_to_blocks));
    const title = 'Accesses that hit, by how many different blocks were read since the last read';
    return figure({
      id: 'reuse-distance',
      title,
      svg: frame({
        label: title,
        height,
        x: {title: 'different blocks in between', ticks: logTicks(x, count)},
        y: {title: 'accesses', ticks: linearTicks(y, 4, 1, count)},
        marks: html`${bins.map(({up_to_blocks: blocks, accesses}, i) => {
          const left = from(i);
          const right = Math.min(plotWidth, x(blocks));
          return html`<rect class="area s1" data-item="${i}" x="${coordinate(left)}" y="${coordinate(y(accesses))}" width="${coordinate(Math.max(0, right - left))}" height="${coordinate(height - y(accesses))}"/>`;
        })}`,
      }),
      legend: [],
      note: 'A cache with LRU answers an access whose distance is below its size.',
      data: {
        kind: 'items',
        valueLabel: 'accesses',
        format: 'count',
        items: bins.map(({up_to_blocks: blocks, accesses}) => ({
          label: `up to ${count(blocks)}:`,
          value: accesses,
          text: count(accesses),
          note: 'accesses',
        })),
      },
      table: {
        caption: title,
        head: [
          {label: 'up to, blocks', numeric: true},
          {label: 'accesses', numeric: true},
        ],
        rows: bins.map(({up_to_blocks: blocks, accesses}) => [number(blocks, count), number(accesses, count)]),
      },
    });
  },
};
