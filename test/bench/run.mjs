// npm run bench [-- --json]: every benchmark, one table. Nothing here passes or fails; the targets are printed beside what was measured.
import {mkdtempSync, rmSync} from 'node:fs';
import {cpus, loadavg, tmpdir} from 'node:os';
import {join} from 'node:path';
import {cache} from './cache.mjs';
import {commandLine} from './command-line.mjs';
import {eventQueue} from './event-queue.mjs';
import {eviction} from './eviction.mjs';
import {sweep} from './sweep.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tiercast-bench-'));
try {
  const machine = `${cpus().length} × ${cpus()[0].model.trim()}, Node ${process.version}, load ${loadavg()[0].toFixed(1)} at the start`;
  const rows = [
    ...(await eventQueue(folder)),
    ...(await eviction(folder)),
    ...(await cache(folder)),
    ...commandLine(folder),
    ...sweep(folder),
  ];
  if (process.argv.includes('--json')) console.log(JSON.stringify({machine, rows}, null, 2));
  else print(machine, rows);
} finally {
  rmSync(folder, {recursive: true, force: true});
}

function print(machine, rows) {
  const verdict = ({met}) => (met === null ? '' : met ? 'met' : 'MISSED');
  const cells = rows.map((row) => [row.benchmark, row.measured, row.against, row.ratio?.toFixed(2) ?? '', row.target, verdict(row)]);
  const table = [['benchmark', 'measured', 'against', 'ratio', 'target', ''], ...cells];
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)));
  console.log(machine);
  for (const line of table)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}
