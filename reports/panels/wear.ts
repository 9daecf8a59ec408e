import type {Report, ResultDocument, TierDocument} from '../../src/sim/scenario/result.js';
import {type Segment, stackedBar} from '../charts/bar.js';
import {bytes, lifetime, share, significant} from '../format.js';
import {html} from '../markup.js';
import {type Chart, figure} from '../page/figure.js';
import {number} from '../page/table.js';
import type {Panel} from './panel.js';
import {tierName, tierSeries} from './tiers.js';

const daysOfYear = 365.25;

/** How fast writes use up what a memory endures. */
export const wear: Panel = {
  name: 'Wear',
  needs: [],
  applies: ({document}: Report) => worn(document).length > 0,

  title: ({document}) =>
    worn(document)
      .map(([name, {wear_years: years}]) => `${tierName(name, 'start')} lasts ${lifetime(years!)} at this rate of writes.`)
      .join(' '),

  render: ({document}) => html`${worn(document).map(([name, tier]) => figure(year(name, tier)))}`,
};

function worn({tiers}: ResultDocument): [string, TierDocument][] {
  return Object.entries(tiers).filter(([, tier]) => tier.wear_years !== null && tier.endurance_bytes !== null);
}

/** What a year writes beside what may be written in all. */
function year(name: string, {endurance_bytes: endurance, wear_years: years, moved_bytes: moved}: TierDocument): Chart {
  const written = endurance! / years!;
  const within = written > endurance! ? 'Within the endurance' : 'Written in a year';
  const segments: Segment[] = [
    {label: within, series: tierSeries(name), value: Math.min(written, endurance!)},
    {label: 'Beyond the endurance', series: 2, value: Math.max(0, written - endurance!)},
    {label: 'Left', series: 0, value: Math.max(0, endurance! - written)},
  ];
  const seen = segments.filter(({value}) => value > 0);
  const title = `A year of this traffic writes ${bytes(written)} to ${tierName(name)}, ${written > endurance! ? `${significant(written / endurance!)} times` : `${share(written / endurance!)} of`} the ${bytes(endurance)} that it endures`;
  return {
    id: `wear-${name}`,
    title,
    svg: stackedBar(`${title}.`, segments, Math.max(written, endurance!), bytes),
    legend: seen.map((s) => ({series: s.series, label: `${s.label} ${bytes(s.value)}`, mark: 'area' as const})),
    note: 'The endurance is what the vendor states, in bytes that the host writes. A run is short beside a year: traffic that rests at night wears less.',
    data: {
      kind: 'items',
      valueLabel: 'bytes',
      format: 'bytes',
      items: seen.map((s) => ({label: s.label, value: s.value, note: `${share(s.value / endurance!)} of the endurance`})),
    },
    table: {
      caption: title,
      head: [{label: 'what'}, {label: 'bytes', numeric: true}],
      rows: [
        ['written in the run', number(moved?.write ?? null, bytes)],
        ['written a day', number(written / daysOfYear, bytes)],
        ['written a year', number(written, bytes)],
        ['endurance', number(endurance, bytes)],
      ],
    },
  };
}
