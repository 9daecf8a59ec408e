import {html, type Markup} from '../markup.js';
import {formatOf, isGood, nameOf, type SweepObjective, type SweepRow, type SweepView} from './view.js';

const levels = 5;
/** More tables than a reader picks from. */
const mostTables = 60;

interface Axis {
  readonly name: string;
  readonly values: readonly string[];
}

/** Every pair of axes for every objective, as tables of which one is shown; the picker is a plain list. */
export function heatMaps({document, rows}: SweepView): Markup | null {
  const pairs = pairsOf(document.axes.filter(({values}) => values.length > 1));
  const all = document.objectives.flatMap((objective) => pairs.map(([down, across]) => ({objective, down, across}))).slice(0, mostTables);
  if (all.length === 0) return null;
  const label = ({objective, down, across}: (typeof all)[number]) => `${nameOf(objective.path)}: ${down.name} × ${across.name}`;
  return html`<p class="picker"><label for="heat-pick">Figure and axes</label> <select id="heat-pick" data-picks="heat">${all.map((one, i) => html`<option value="${i}">${label(one)}</option>`)}</select></p>
${all.map((one, i) => html`<div class="heat" data-pick="heat" data-index="${i}"${i > 0 ? html` hidden` : null}>${heatTable(one.objective, one.down, one.across, rows, label(one))}</div>\n`)}
<p class="note">Each cell is the best of all points there that meet the constraints, whatever their other values; the stronger the colour, the better. “–”: no point there does.</p>`;
}

/** The sentence above: where the best of the first objective lies. */
export function heatTitle({document: {pareto, objectives, axes, counts}}: SweepView): string {
  const [best] = pareto;
  if (best === undefined)
    return counts.good === 0 ? 'No point meets the constraints.' : 'No point within the constraints has a figure for every objective.';
  const place = axes.filter(({values}) => values.length > 1).map(({name}) => `${name} ${best.axes[name]}`);
  return `The best ${nameOf(objectives[0]!.path)}, ${formatOf(objectives[0]!.path)(best.objectives[objectives[0]!.path]!)}, lies at ${place.join(', ')}.`;
}

function pairsOf(axes: readonly Axis[]): [Axis, Axis][] {
  return axes.flatMap((down, i) => axes.slice(i + 1).map((across): [Axis, Axis] => [down, across]));
}

function heatTable({path, goal}: SweepObjective, down: Axis, across: Axis, rows: readonly SweepRow[], caption: string): Markup {
  const best = bestOf(path, goal, down, across, rows);
  const known = [...best.values()].sort((a, b) => (goal === 'minimise' ? b - a : a - b));
  const format = formatOf(path);
  const cell = (d: string, a: string): Markup => {
    const value = best.get(`${d}\u0000${a}`);
    if (value === undefined) return html`<td class="number none">–</td>`;
    const level = known.length < 2 ? levels - 1 : Math.floor((known.lastIndexOf(value) / (known.length - 1)) * (levels - 0.001));
    return html`<td class="number h${level}">${value === known.at(-1) ? html`<b>${format(value)}</b>` : format(value)}</td>`;
  };
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr><td>${down.name} ↓ ${across.name} →</td>${across.values.map((a) => html`<th scope="col" class="number">${a}</th>`)}</tr></thead>
<tbody>${down.values.map((d) => html`<tr><th scope="row">${d}</th>${across.values.map((a) => cell(d, a))}</tr>\n`)}</tbody>
</table></div>`;
}

function bestOf(path: string, goal: SweepObjective['goal'], down: Axis, across: Axis, rows: readonly SweepRow[]): Map<string, number> {
  const best = new Map<string, number>();
  for (const row of rows) {
    const value = row.figures?.[path] ?? null;
    if (value === null || !isGood(row)) continue;
    const key = `${row.axes[down.name]}\u0000${row.axes[across.name]}`;
    const before = best.get(key);
    if (before === undefined || (goal === 'minimise' ? value < before : value > before)) best.set(key, value);
  }
  return best;
}
