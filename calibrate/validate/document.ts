import {version} from '../../src/sim/core/version.js';
import type {Validation} from './index.js';
import {meets} from './row.js';
import type {Sensitivity} from './sensitivity.js';
import {markdownTable, sensitivityCells} from './text.js';

/** What `npm run validate -- --json` prints: schema `tiercast.validation/1`, errors as shares, 6 significant digits; null = none. */
export function validationDocument({rows, skipped}: Validation, sensitivities: readonly Sensitivity[] | null) {
  const document = {
    schema: 'tiercast.validation/1',
    version,
    rows: rows.map((row) => ({...row, meets: meets(row)})),
    skipped,
    sensitivity: sensitivities,
  };
  return JSON.parse(JSON.stringify(document, (_key, value) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value)));
}

/** The page docs/accuracy.md. */
export function accuracyPage({rows, skipped}: Validation, sensitivities: readonly Sensitivity[]): string {
  const judged = rows.map(meets).filter((met) => met !== null);
  const [titles, ...cells] = sensitivityCells(sensitivities);
  return [
    '# Accuracy',
    '',
    `Predicted against measured, in per cent, written by \`npm run validate -- --write\` with version ${version}. The data are public measurements that lie beside the repository and not in it; without them the script says so and ends.`,
    '',
    'An error is predicted/measured − 1. *mean*, *median* and *p90* are of its size, *bias* of itself. *in 80 %* is the share of measured values inside the 80 % prediction interval; 70 to 90 is as it should be. *fitted* says what was fitted and to what: no row is judged on points that it was fitted to, unless it says "these stages".',
    '',
    `${judged.filter(Boolean).length} of ${judged.length} targets are met.`,
    ...markdownTable(rows),
    ...(skipped.length === 0 ? [] : ['', '## Skipped', '', ...skipped.map((reason) => `- ${reason}`)]),
    '',
    '## What a wrong constant does',
    '',
    `Each term of a step, and each constant of the engine, multiplied by ${sensitivities[0]?.factor}: how many rows of single streams and serving move, how many targets are lost, and where the bias moves most. A run that a wrong constant overloads queues without end, so its TTFT moves by thousands of points. Host time of a step and a sequence hides behind the device wherever two steps are in flight: only for these two, the InferenceX rows are looked at too, some of which are of engines that plan one step at a time.`,
    '',
    `| ${titles.join(' | ')} |`,
    `|${titles.map((_, i) => (i === 0 || i === titles.length - 1 ? '---' : '--:')).join('|')}|`,
    ...cells.map((row) => `| ${row.join(' | ')} |`),
    '',
  ].join('\n');
}
