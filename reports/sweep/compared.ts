import {significant} from '../format.js';
import {html, type Markup} from '../markup.js';
import {type Cell, number, table} from '../page/table.js';
import {formatOf, nameOf, type SweepCompared, type SweepView} from './view.js';

type Ranking = SweepCompared['rankings'][number];

/** Which values of the compared axes win at each figure, and how far behind the next one is. */
export function compared({document: {compared: found}}: SweepView): Markup | null {
  if (found === null || found.rankings.length === 0) return null;
  return html`${found.axes.map((axis) =>
    tableOf(
      axis,
      found.rankings.filter((ranking) => ranking.axis === axis),
    ),
  )}<p class="note">Means over ${found.pairs === 1 ? 'one run' : `${found.pairs} runs`} each, on the same random streams pair by pair; what wins together has no difference shown from the best (95 %, Student's t). Every value of every figure, and what each changes against the first, is in pareto.json.</p>`;
}

/** The sentence above: how often which value wins. */
export function comparedTitle({document: {compared: found}}: SweepView): string {
  const wins = new Map<string, number>();
  let shown = 0;
  for (const {ranked} of found?.rankings ?? []) {
    if (ranked.every((one) => one.wins)) continue;
    shown++;
    for (const one of ranked) if (one.wins) wins.set(one.value, (wins.get(one.value) ?? 0) + 1);
  }
  const [best] = [...wins].sort((a, b) => b[1] - a[1]);
  if (best === undefined) return 'No difference is shown between the values that are compared.';
  return `${best[0]} is among the best in ${best[1]} of ${shown} comparisons that show a difference.`;
}

function tableOf(axis: string, rankings: readonly Ranking[]): Markup {
  const [first] = rankings;
  if (first === undefined) return html``;
  return table({
    caption: `Best ${axis}`,
    sortable: true,
    head: [
      ...Object.keys(first.setting).map((label) => ({label})),
      {label: 'figure'},
      {label: `best ${axis}`},
      {label: 'mean', numeric: true},
      {label: 'next'},
      {label: 'difference', numeric: true},
      {label: '95 %', numeric: true},
    ],
    rows: rankings.map(cells),
  });
}

function cells({setting, objective, ranked}: Ranking): Cell[] {
  const next = ranked.find(({wins}) => !wins);
  const best = ranked.filter(({wins}) => wins).map(({value}) => value);
  return [
    ...Object.values(setting),
    nameOf(objective),
    next === undefined ? 'no difference shown' : best.join(' = '),
    number(ranked[0]!.mean, formatOf(objective)),
    next?.value ?? '',
    {text: next === undefined || next.relative === null ? '' : signed(next.relative), value: next?.relative ?? null},
    next?.ci95 == null ? '' : `${signed(next.ci95[0])} … ${signed(next.ci95[1])}`,
  ];
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${significant(Math.abs(value) * 100)} %`;
}
