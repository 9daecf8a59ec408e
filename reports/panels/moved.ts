import type {MovedBytes, Report, ResultDocument} from '../../src/sim/scenario/result.js';
import {bytesY, byteUnit, linearTicks} from '../charts/axis.js';
import {type Dot, dotPlot} from '../charts/dot-plot.js';
import {type Flow, flowBands} from '../charts/flows.js';
import {frame} from '../charts/frame.js';
import {reference, stackedAreas} from '../charts/lines.js';
import {bytes, count, duration, share, significant} from '../format.js';
import {html} from '../markup.js';
import {type Chart, figure} from '../page/figure.js';
import {number, table} from '../page/table.js';
import {type Intervals, intervals, mergedNote} from './intervals.js';
import {largest, timeAxis, timeData, timeTable} from './over-time.js';
import type {Panel} from './panel.js';
import {hasTiers, tierSeries, tiersBelow} from './tiers.js';

/** What moved between memories, by cause, and how near each link and memory was to its limit. */
export const moved: Panel = {
  name: 'Bytes moved',
  needs: [],
  applies: hasTiers,

  title({document}) {
    const parts = tiersBelow(document).map((tier) => {
      const moved = document.tiers[tier]!.moved_bytes!;
      const {load, write} = moved;
      const ahead = prefetched(moved);
      const read =
        ahead > 0
          ? `${bytes(load)} were loaded from ${tier.toUpperCase()}, ${bytes(ahead)} ahead of being asked for,`
          : `${bytes(load)} were loaded from ${tier.toUpperCase()}`;
      return `${read} and ${bytes(write)} written to it`;
    });
    return `${parts.join('; ')}.`;
  },

  render(report) {
    const {document} = report;
    const ahead = tiersBelow(document).some((tier) => prefetched(document.tiers[tier]!.moved_bytes!) > 0);
    return html`${figure(flows(document))}
${Object.keys(document.links).length > 0 ? figure(limits(document)) : null}
${overTime(report).map(figure)}
<h3>Between memories, by cause</h3>
${table({
  caption: 'Bytes moved between memories',
  head: [
    {label: 'memory'},
    {label: 'loaded to HBM', numeric: true},
    ...(ahead ? [{label: 'prefetched', numeric: true}] : []),
    {label: 'written', numeric: true},
    {label: 'read again for each byte written', numeric: true},
    {label: 'evicted blocks', numeric: true},
    {label: 'a block stays', numeric: true},
    {label: 'a load is sooner from', numeric: true},
  ],
  rows: tiersBelow(document).map((name) => {
    const tier = document.tiers[name]!;
    const {load, write} = tier.moved_bytes!;
    const reads = load + prefetched(tier.moved_bytes!);
    const from = document.break_even_tokens[name] ?? null;
    return [
      name.toUpperCase(),
      number(load, bytes),
      ...(ahead ? [number(prefetched(tier.moved_bytes!), bytes)] : []),
      number(write, bytes),
      number(write > 0 ? reads / write : null, (v) => (v === null ? '–' : v.toFixed(2))),
      number(tier.evictions, count),
      number(tier.stay_s, duration),
      number(from, (v) => (v === null ? '–' : `${count(v)} tokens`)),
    ];
  }),
})}
<p class="note">Every block that is computed is written where the policy is write-through, whether it is asked for again or not. A load is sooner than computing from the length named on, both alone; – is never, or never left.</p>`;
  },
};

/** Bytes that were read before they were asked for. */
function prefetched({prefetch_useful: useful = 0, prefetch_late: late = 0, prefetch_wasted: wasted = 0}: MovedBytes): number {
  return useful + late + wasted;
}

/** Causes that bring bytes down, from the memory above; all others bring them up, to the device's own. */
const downwards: ReadonlySet<string> = new Set(['write', 'evict']);

/** What went from memory to memory, by cause: nearest memories first, and what passes one by after it. */
function flowsOf(document: ResultDocument): Flow[] {
  const own = Object.keys(document.tiers)[0]!;
  const below = tiersBelow(document);
  const all = below.flatMap((tier, i) =>
    Object.entries(document.tiers[tier]!.moved_bytes!).map(([cause, value]) => ({tier, cause, value, above: below[i - 1] ?? own})),
  );
  return all
    .filter(({value}) => value > 0)
    .sort((a, b) => below.indexOf(a.tier) - below.indexOf(b.tier) || Number(downwards.has(b.cause)) - Number(downwards.has(a.cause)))
    .map(({tier, cause, value, above}) => {
      const ends = downwards.has(cause) ? {from: above, to: tier} : {from: tier, to: own};
      return {from: ends.from.toUpperCase(), to: ends.to.toUpperCase(), cause: cause.replaceAll('_', ' '), value, series: tierSeries(tier)};
    });
}

function flows(document: ResultDocument): Chart {
  const all = flowsOf(document);
  const places = [Object.keys(document.tiers)[0]!, ...tiersBelow(document)].map((name) => name.toUpperCase());
  const title = all.length === 0 ? 'Nothing moved between the memories' : 'Bytes moved between the memories, by cause';
  const text = all.map((f) => `${f.cause} ${f.from} to ${f.to} ${bytes(f.value)}`).join(', ');
  return {
    id: 'moved-flows',
    title,
    svg: flowBands(`${title}${text === '' ? '' : `: ${text}`}.`, all.length === 0 ? [] : places, all, bytes),
    legend: [],
    data: {
      kind: 'items',
      valueLabel: 'bytes',
      format: 'bytes',
      items: all.map((f) => ({label: `${f.cause} ${f.from} → ${f.to}`, value: f.value, note: ''})),
    },
    table: {
      caption: title,
      head: [{label: 'cause'}, {label: 'from'}, {label: 'to'}, {label: 'bytes', numeric: true}],
      rows: all.map((f) => [f.cause, f.from, f.to, number(f.value, bytes)]),
    },
  };
}

/** Links and ports whose bytes a second timeline.csv has. */
const crossed = [
  {link: 'host.up', column: 'link_host_up_bytes_per_s', series: 3},
  {link: 'host.down', column: 'link_host_down_bytes_per_s', series: 3},
  {link: 'ssd.read', column: 'ssd_read_bytes_per_s', series: 4},
  {link: 'ssd.write', column: 'ssd_write_bytes_per_s', series: 4},
] as const;
const height = 110;

/** Bytes a second across each link that was used, beside its limit. */
function overTime(report: Report): Chart[] {
  if (report.timeline.time_s.length === 0) return [];
  const over = intervals(report);
  return crossed
    .filter(({column}) => largest(over.columns[column]) > 0)
    .map((one) => throughLink(over, one, report.document.links[one.link]?.limit_bytes_per_s ?? 0));
}

function throughLink(over: Intervals, {link, column, series}: (typeof crossed)[number], limit: number): Chart {
  const {columns, end} = over;
  const label = names[link] ?? link;
  const {x, axis} = timeAxis(over);
  const most = largest(columns[column]);
  const y = bytesY(Math.max(limit, most), height);
  const unit = byteUnit(y.domain()[1]!);
  const lines = [{column, series, label: `${label}, bytes a second`}];
  const title = `${label[0]!.toUpperCase()}${label.slice(1)}: bytes a second, mean of each interval`;
  return {
    id: `moved-${link.replace('.', '-')}`,
    title,
    svg: frame({
      label: `${title}: at most ${bytes(most)}/s of ${bytes(limit)}/s.`,
      height,
      x: axis,
      y: {title: `${unit.name}/s`, ticks: linearTicks(y, 3, unit.bytes, (v) => significant(v ?? 0, 6))},
      marks: stackedAreas(columns.time_s, [{series, values: columns[column]}], end, x, y),
      over: limit > 0 ? reference(`limit ${bytes(limit)}/s`, y(limit)) : null,
    }),
    legend: [],
    group: 'time',
    note: mergedNote(over),
    data: timeData(over, lines, 'bytes'),
    table: timeTable(over, title, lines, 'bytes'),
  };
}

const names: Readonly<Record<string, string>> = {
  dram: 'DRAM port',
  'host.up': 'host link, up',
  'host.down': 'host link, down',
  'host.both': 'host link, both ways',
  'storage.up': 'storage link, up',
  'storage.down': 'storage link, down',
  'storage.both': 'storage link, both ways',
  'direct.up': 'direct link, up',
  'direct.down': 'direct link, down',
  'direct.both': 'direct link, both ways',
  ssd: 'SSD, reads and writes',
  'ssd.read': 'SSD reads',
  'ssd.write': 'SSD writes',
};

function limits({links}: ResultDocument): Chart {
  const rows = Object.entries(links).map(([name, link]) => ({label: names[name] ?? name, link, series: tierSeries(name.split('.')[0]!)}));
  const dots: Dot[] = rows.map(({label, link, series}) => ({label, series, value: Math.min(1, link.busy_share)}));
  const title = 'How much of what it could have moved each link and memory moved';
  return {
    id: 'moved-links',
    title,
    svg: dotPlot(`${title}: ${dots.map((d) => `${d.label} ${share(d.value)}`).join(', ')}.`, dots, 'share of the limit', share),
    legend: [],
    data: {
      kind: 'items',
      valueLabel: 'share of the limit',
      format: 'share',
      items: rows.map(({label, link}) => ({
        label,
        value: link.busy_share,
        note: `${bytes(link.bytes_per_s)}/s of ${bytes(link.limit_bytes_per_s)}/s`,
      })),
    },
    table: {
      caption: title,
      head: [
        {label: 'link or memory'},
        {label: 'moved', numeric: true},
        {label: 'a second', numeric: true},
        {label: 'limit a second', numeric: true},
        {label: 'share', numeric: true},
        {label: 'waited for its lanes', numeric: true},
      ],
      rows: rows.map(({label, link}) => [
        label,
        number(link.bytes, bytes),
        number(link.bytes_per_s, bytes),
        number(link.limit_bytes_per_s, bytes),
        number(link.busy_share, share),
        number(link.waiting_s, duration),
      ]),
    },
  };
}
