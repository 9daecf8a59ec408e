import {columns} from '../../scenario/commands/columns.js';
import {digits} from '../../scenario/text.js';
import {pointText, type SweepDocument} from '../document.js';
import {figureText} from '../figure-text.js';
import type {Study} from '../study.js';
import type {PlannedPoint} from '../sweep.js';

const mostShown = 20;

/** What a sweep is about to do, in one line. */
export function summaryLine(name: string, study: Study, points: readonly PlannedPoint[], jobs: number): string {
  const count = (kind: string) => points.filter(({outcome}) => outcome?.kind === kind).length;
  const skipped = points.filter((one) => one.skipped !== null).length;
  const workers = jobs === 1 ? '1 worker' : `${jobs} workers`;
  return `${name}   ${points.length} points · ${skipped} skipped · ${count('infeasible')} do not fit · ${count('ready')} to run (${study.search}) on ${workers}`;
}

/** The Pareto set as a table, the knee, and what moves the first objective most. */
export function paretoLines(document: SweepDocument, bold: (text: string) => string): string[] {
  const {pareto, counts, constraints} = document;
  const title = `PARETO (${pareto.length} of ${counts.good} points that meet ${constraints.join(', ') || 'everything'})`;
  return [
    '',
    bold(title),
    ...tableLines(document),
    ...lackingLines(document),
    ...kneeLine(document),
    ...leverLines(document),
    ...identicalLines(document),
    ...mostLines(document, bold),
    ...bestLines(document, bold),
  ];
}

function tableLines({pareto, axes, objectives, baseline}: SweepDocument): string[] {
  if (pareto.length === 0) return [];
  const difference = baseline !== null && pareto[0].against_baseline !== null;
  const equals = pareto.some((point) => point.equals.length > 0);
  const head = [
    '',
    ...axes.map(({name}) => name),
    ...objectives.flatMap(({path}) => (difference ? [path, 'to baseline'] : [path])),
    ...(equals ? ['equal'] : []),
    'scenario',
  ];
  const rows = pareto.slice(0, mostShown).map((point) => [
    String(point.rank),
    ...axes.map(({name}) => point.axes[name]),
    ...objectives.flatMap(({path}) => {
      const text = figureText(path, point.objectives[path]);
      return difference ? [text, percentDifference(point.against_baseline![path])] : [text];
    }),
    ...(equals ? [point.equals.length > 0 ? `+${point.equals.length}` : ''] : []),
    point.scenario,
  ]);
  const more = pareto.length - mostShown;
  return [...columns([head, ...rows]), ...(more > 0 ? [`… ${more} more in pareto.json`] : [])];
}

function percentDifference(difference: number | null): string {
  if (difference === null) return '–';
  return `${difference >= 0 ? '+' : '−'}${digits(Math.abs(difference) * 100, 1)} %`;
}

function lackingLines({lacking, counts}: SweepDocument): string[] {
  return lacking.map(({objective, points}) => `unranked: ${points} of these ${counts.good} have no ${objective}`);
}

function kneeLine({knee, pareto}: SweepDocument): string[] {
  if (knee === null) return [];
  return [`knee: ${knee} (${pointText(pareto[knee - 1].axes)})`];
}

function leverLines({levers}: SweepDocument): string[] {
  return levers.map(({objective, shares}) => {
    const [first, ...rest] = shares.map(({axis, share}) => `${axis} ${digits(share * 100, 0)} %`);
    return `biggest lever on ${objective}: ${first} of the spread${rest.length > 0 ? `, ${rest.join(', ')}` : ''}`;
  });
}

/** Values that are one and the same everywhere; those that are at some settings stand in pareto.json. */
function identicalLines({identical}: SweepDocument): string[] {
  return identical
    .filter(({settings, of}) => settings === of)
    .map(
      ({axis, values, of}) =>
        `identical: ${axis} ${values.join(' and ')}, the same events at ${of === 1 ? 'the one setting' : `all ${of} settings`} of the others`,
    );
}

/** How far each setting goes; ≥ where the axis ends first. */
function mostLines({most}: SweepDocument, bold: (text: string) => string): string[] {
  if (most === null || most.settings.length === 0) return [];
  const rows = most.settings.map(({setting, value, isLast}) => [
    ...Object.values(setting),
    value === null ? 'none' : `${isLast ? '≥ ' : ''}${value}`,
  ]);
  const head = [...Object.keys(most.settings[0].setting), most.axis];
  return ['', bold(`MOST ${most.axis} within the constraints`), ...shortened([head, ...rows])];
}

/** Which values win; "=": no difference is shown between them. */
function bestLines({compared}: SweepDocument, bold: (text: string) => string): string[] {
  if (compared === null) return [];
  return compared.axes.flatMap((name) => {
    const rankings = compared.rankings.filter(({axis}) => axis === name);
    if (rankings.length === 0) return [];
    const rows = rankings.map(({setting, objective, ranked}) => {
      const wins = ranked.filter(({wins}) => wins);
      const next = ranked.find(({wins}) => !wins);
      return [
        ...Object.values(setting),
        objective,
        next === undefined ? 'no difference shown' : wins.map(({value}) => value).join(' = '),
        figureText(objective, ranked[0].mean),
        next === undefined ? '' : `${next.value} ${percentDifference(next.relative)}${ciText(next.ci95)}`,
      ];
    });
    const head = [...Object.keys(rankings[0].setting), 'figure', 'best', 'mean', 'next'];
    const sure = compared.pairs > 1 ? `${compared.pairs} pairs of runs, 95 %` : 'one run each: run.replications gives intervals';
    return ['', bold(`BEST ${name} (${sure})`), ...shortened([head, ...rows])];
  });
}

function ciText(ci95: readonly [number, number] | null): string {
  return ci95 === null ? '' : ` (${ci95.map((share) => percentDifference(share).replace(' %', '')).join(' … ')})`;
}

function shortened(rows: readonly (readonly string[])[]): string[] {
  const more = rows.length - 1 - mostShown;
  return [...columns(rows.slice(0, mostShown + 1)), ...(more > 0 ? [`… ${more} more in pareto.json`] : [])];
}
