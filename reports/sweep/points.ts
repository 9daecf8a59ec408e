import {count} from '../format.js';
import {html, type Markup} from '../markup.js';
import {type Cell, number, table} from '../page/table.js';
import {formatOf, isGood, nameOf, type SweepRow, type SweepView} from './view.js';

const mostRows = 2000;

/** Every point that ran, with a filter, sorting, and the command that runs it alone. */
export function points(view: SweepView): Markup {
  const {document, rows} = view;
  const ranks = new Map(document.pareto.map(({point, rank}) => [point, rank]));
  const paths = shownFigures(view);
  const ran = [...rows.filter(({figures}) => figures !== null)].sort(
    (a, b) => (ranks.get(a.point) ?? 1e9) - (ranks.get(b.point) ?? 1e9) || a.point - b.point,
  );
  const cells = (row: SweepRow): Cell[] => [
    {text: String(row.point), value: row.point},
    ...document.axes.map(({name}) => row.axes[name]!),
    ...paths.map((path) => number(row.figures![path] ?? null, formatOf(path))),
    {text: ranks.has(row.point) ? String(ranks.get(row.point)) : '', value: ranks.get(row.point) ?? 1e9},
    isGood(row) ? '✓ all' : `✕ ${row.misses!.join(', ')}`,
    {markup: html`<code class="command">${row.command}</code>`, text: row.command},
  ];
  const more = ran.length - mostRows;
  return html`<p class="picker"><label for="points-filter">Show points with</label> <input id="points-filter" type="search" data-filters="points" autocomplete="off" spellcheck="false"> <span data-filtered="points">${count(Math.min(ran.length, mostRows))} points</span></p>
<div id="points-table">${table({
    caption: 'Points that ran',
    sortable: true,
    head: [
      {label: 'point', numeric: true},
      ...document.axes.map(({name}) => ({label: name})),
      ...paths.map((path) => ({label: nameOf(path), numeric: true})),
      {label: 'Pareto rank', numeric: true},
      {label: 'meets'},
      {label: 'run command'},
    ],
    rows: ran.slice(0, mostRows).map(cells),
  })}</div>
${more > 0 ? html`<p class="note">${count(more)} more are in table.csv.</p>` : null}`;
}

/** Objectives, what constraints ask about, and the latencies that everybody asks for. */
function shownFigures({document, rows}: SweepView): string[] {
  const asked = document.constraints.map((text) => text.split(' ')[0]!);
  const all = [...document.objectives.map(({path}) => path), ...asked, 'ttft_s.p95', 'tpot_s.p95'];
  const known = rows.find(({figures}) => figures !== null)?.figures ?? {};
  return [...new Set(all)].filter((path) => Object.hasOwn(known, path));
}

/** Points without figures, greyed, by reason. */
export function leftOut({rows}: SweepView): Markup | null {
  const groups = new Map<string, {status: string; reason: string; points: number; first: string}>();
  for (const {status, reason, axes} of rows) {
    if (status === 'done') continue;
    const key = `${status} ${reason}`;
    const group = groups.get(key) ?? {status: words[status], reason: reason ?? '', points: 0, first: Object.values(axes).join(', ')};
    group.points++;
    groups.set(key, group);
  }
  if (groups.size === 0) return null;
  return html`<div class="greyed">${table({
    caption: 'Points that did not run, by reason',
    head: [{label: 'what'}, {label: 'why'}, {label: 'points', numeric: true}, {label: 'the first of them'}],
    rows: [...groups.values()].map(({status, reason, points: n, first}) => [status, reason, number(n, count), first]),
  })}</div>`;
}

const words = {done: '', skipped: 'skipped by the study', infeasible: 'does not fit', failed: 'failed'} as const;
