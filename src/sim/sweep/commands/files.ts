import {canonicalJson, fileNumber} from '../../scenario/canonical.js';
import {csvText} from '../../scenario/commands/csv-text.js';
import type {ResultFile} from '../../scenario/commands/result-folder.js';
import type {SweepDocument} from '../document.js';
import type {Row} from '../rows.js';
import {recommendations} from './recommendations.js';
import type {Session} from './session.js';
import {shownPath} from './sweep-folder.js';

/** All that the files of a sweep are made from. */
export interface SweepResult {
  readonly session: Session;
  readonly rows: readonly Row[];
  readonly document: SweepDocument;
  /** Where they will lie, from the current folder. */
  readonly folder: string;
  readonly report: boolean;
  readonly path: string;
  readonly set: readonly string[];
}

/** The files of a sweep but for its store: rows, table, Pareto set, a scenario for each of its points, and the page. */
export async function filesOf(result: SweepResult): Promise<ResultFile[]> {
  const {rows, document, report} = result;
  return [
    {name: 'rows.jsonl', text: rows.map((row) => `${JSON.stringify(row)}\n`)},
    {name: 'table.csv', text: csvText(csvTable(rows, document))},
    {name: 'pareto.json', text: [canonicalJson(document)]},
    ...(await recommendations(result)),
    ...(report ? [await page(result)] : []),
  ];
}

/** One row a point: its axes, whether it is good, and every figure. */
function* csvTable(rows: readonly Row[], {axes, pareto}: SweepDocument): Iterable<(string | number)[]> {
  const ranks = new Map(pareto.map(({point, rank}) => [point, rank]));
  const figures = [...new Set(rows.flatMap((row) => Object.keys(row.figures ?? {})))];
  yield ['point', ...axes.map(({name}) => name), 'status', 'reason', 'misses', 'pareto', 'devices', ...figures];
  for (const row of rows) {
    const values = figures.map((path) => row.figures?.[path] ?? null).map((value) => (value === null ? '' : fileNumber(value)));
    const {point, status, reason, misses, devices} = row;
    yield [
      point,
      ...axes.map(({name}) => row.axes[name]),
      status,
      reason ?? '',
      misses?.join('; ') ?? '',
      ranks.get(point) ?? '',
      devices ?? '',
      ...values,
    ];
  }
}

/** The command that runs a point alone. */
export function commandOf({path, set}: Pick<SweepResult, 'path' | 'set'>, row: Row): string {
  const changes = ['study=null', ...set, ...row.set].flatMap((change) => ['--set', quoted(change)]);
  return ['tiercast', 'run', quoted(shownPath(path)), ...changes].join(' ');
}

function quoted(text: string): string {
  return /^[\w./:=@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

async function page(result: SweepResult): Promise<ResultFile> {
  const [{renderSweep}, {loadPageParts}] = await Promise.all([
    import('../../../../reports/sweep/index.js'),
    import('../../../../reports/load.js'),
  ]);
  const {rows, document} = result;
  const view = {document, rows: rows.map((row) => ({...row, command: commandOf(result, row)}))};
  return {name: 'sweep.html', text: [renderSweep(view, loadPageParts())]};
}
