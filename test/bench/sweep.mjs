import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';

const POINTS = 500;

/** A sweep of 500 points with 1,000 requests each, the real command line: one worker and two, in turns. */
export function sweep(folder) {
  const one = [];
  const two = [];
  for (let round = 0; round < 2; round++) {
    one.push(timed(folder, `one-${round}`, 1));
    two.push(timed(folder, `two-${round}`, 2));
  }
  const [slow, fast] = [Math.min(...one), Math.min(...two)];
  const equal = readFileSync(join(folder, 'one-0', 'rows.jsonl')).equals(readFileSync(join(folder, 'two-1', 'rows.jsonl')));
  if (!equal) throw new Error('rows.jsonl differs between one worker and two');
  return [
    {
      benchmark: `sweep of ${POINTS} points, 1,000 requests each, two workers`,
      measured: `${fast.toFixed(1)} s wall, rows equal`,
      against: `one worker: ${slow.toFixed(1)} s`,
      ratio: slow / fast,
      target: '≤ 180 s, ≥ 1.7 × one worker',
      met: fast <= 180 && slow / fast >= 1.7,
    },
  ];
}

/** Wall seconds of a sweep that starts from nothing. */
function timed(folder, name, jobs) {
  const args = ['dist/main.js', 'sweep', 'test/bench/sweep.yaml', '--jobs', String(jobs), '--out', join(folder, name), '-q'];
  const start = performance.now();
  const done = spawnSync(process.execPath, args, {encoding: 'utf8'});
  if (done.status !== 0) throw new Error(`tiercast sweep ended with ${done.status}: ${done.stderr}`);
  return (performance.now() - start) / 1e3;
}
