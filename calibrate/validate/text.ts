import {meets, sections, type ValidationRow} from './row.js';
import type {Sensitivity} from './sensitivity.js';

const head = ['', 'n', 'mean', 'median', 'bias', 'p90', 'in 80 %', 'target', ''];

/** Cells of a row; errors in per cent. */
export function cellsOf(row: ValidationRow): string[] {
  const {target, coverage} = row;
  const met = meets(row);
  return [
    `${row.subject}: ${row.metric}`,
    String(row.n),
    percent(row.mean),
    percent(row.median),
    signed(row.bias),
    percent(row.p90),
    coverage === null ? '–' : `${Math.round(100 * coverage)}`,
    target === null ? '–' : `${target.statistic} ≤ ${Number((100 * target.most).toFixed(1))}`,
    met === null ? '' : met ? 'met' : `missed by ${percent((row[target!.statistic] ?? Number.NaN) - target!.most)}`,
  ];
}

/** The table as aligned lines. */
export function tableLines(rows: readonly ValidationRow[]): string[] {
  return sections.flatMap((section) => {
    const own = rows.filter((row) => row.section === section);
    if (own.length === 0) return [];
    return ['', section.toUpperCase(), ...aligned([head, ...own.map(cellsOf)])];
  });
}

/** The table as Markdown, with what was fitted and what is missing. */
export function markdownTable(rows: readonly ValidationRow[]): string[] {
  return sections.flatMap((section) => {
    const own = rows.filter((row) => row.section === section);
    if (own.length === 0) return [];
    const title = section[0].toUpperCase() + section.slice(1);
    return [
      '',
      `## ${title}`,
      '',
      '| what | n | mean | median | bias | p90 | in 80 % | target | | fitted | note |',
      '|---|--:|--:|--:|--:|--:|--:|---|---|---|---|',
      ...own.map((row) => `| ${[...cellsOf(row), row.fitted, row.note ?? ''].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`),
    ];
  });
}

/** What a factor on each term does, as rows of cells. */
export function sensitivityCells(rows: readonly Sensitivity[]): string[][] {
  return [
    ['term', 'rows moved', 'targets lost', 'largest move of a bias, points', 'where'],
    ...rows.map(({term, moved, rows: all, broken, by, most}) => [term, `${moved} of ${all}`, String(broken), signed(by), most]),
  ];
}

/** Columns aligned: the first and the last to the left, the others to the right. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, column) => rows.reduce((most, row) => Math.max(most, row[column].length), 0));
  const last = widths.length - 1;
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 || column === last ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd(),
  );
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function signed(share: number): string {
  const text = percent(share);
  return share > 0 && text !== '0.0' ? `+${text}` : text;
}
