import {aligned} from '../text.js';
import type {CalibrationDocument} from './document.js';

type Op = CalibrationDocument['ops'][number];

/** The document as a table for a terminal; sources are numbered below it. */
export function calibrationLines(document: CalibrationDocument): string[] {
  const {id, name, grade, reasons, ops, inherited, measured, dropped} = document;
  const sources = [...new Set(ops.map(({source}) => source))];
  const head = ['op', 'points', 'mean %', 'p90 %', 'of peak', 'range', 'grade', 'source'];
  const rows = ops.map((op) => [
    op.op,
    op.error === null ? '–' : String(op.error.n),
    op.error === null ? '–' : (100 * op.error.mape).toFixed(1),
    op.error === null ? '–' : (100 * op.error.p90).toFixed(1),
    op.of_peak === null ? '–' : op.of_peak.toFixed(2),
    rangeText(op),
    op.grade,
    `[${sources.indexOf(op.source) + 1}]`,
  ]);
  return [
    `${name} (${id})`,
    '',
    ...(ops.length === 0 ? [...shareLines(document), ''] : [...aligned([head, ...rows]), '']),
    ...sources.map((source, i) => `[${i + 1}] ${source}`),
    ...(ops.length === 0 ? [] : [DEFINITION, '']),
    ...(inherited.length === 0 ? [] : [`${inherited.length} more kernels come from ${document.extends}`]),
    ...measuredLines(measured),
    ...dropped.map((one) => `dropped ${one.rows} rows of ${one.kernel}: ${one.reason}`),
    `grade ${grade}: ${reasons.join('; ')}`,
  ];
}

const DEFINITION =
  'Errors are |predicted/measured − 1| in cross-validation. Of peak: the largest share of the datasheet roof that the fit reaches at typical shapes.';

function measuredLines(measured: CalibrationDocument['measured']): string[] {
  if (measured === null) return [];
  const cells = measured.kernels.map(({kernel, rows, held_out, own}) => [
    kernel,
    String(rows),
    held_out === null ? '–' : (100 * held_out.mape).toFixed(1),
    held_out === null ? '–' : (100 * held_out.p90).toFixed(1),
    own === null ? '–' : (100 * own.mape).toFixed(1),
  ]);
  return [...aligned([['tables given', 'rows', 'held-out mean %', 'p90 %', "profile's own fit, mean %"], ...cells]), ''];
}

/** Without fits: what is taken of the datasheet. */
function shareLines({datasheet_shares}: CalibrationDocument): string[] {
  const head = ['kernels', 'of peak', 'of bandwidth', 'measured/predicted 80 %', 'grade', 'source'];
  const sources = [...new Set(datasheet_shares.map(({source}) => source))];
  const rows = datasheet_shares.map(({kernels, compute, stream, interval, grade, source}) => [
    kernels,
    compute.toFixed(2),
    stream.toFixed(2),
    interval.map((ratio) => ratio.toFixed(2)).join('–'),
    grade,
    `[${sources.indexOf(source) + 1}]`,
  ]);
  return [...aligned([head, ...rows]), '', ...sources.map((source, i) => `[${i + 1}] ${source}`)];
}

/** Axes that were varied, with least and most: `m 1–8192, n 64–16k`. */
function rangeText({axes, range}: Op): string {
  const varied = axes.flatMap((axis) => {
    const pair = range[axis];
    return pair === undefined || pair[0] === pair[1] ? [] : [`${axis} ${short(pair[0])}–${short(pair[1])}`];
  });
  return varied.length === 0 ? '–' : varied.join(', ');
}

function short(value: number): string {
  const step = value >= 2 ** 30 ? ([2 ** 30, 'G'] as const) : value >= 2 ** 20 ? ([2 ** 20, 'M'] as const) : ([2 ** 10, 'k'] as const);
  return value < 10_000 ? String(value) : `${Number((value / step[0]).toPrecision(3))}${step[1]}`;
}
