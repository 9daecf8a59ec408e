import {execFileSync, spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {compiled} from './compiled.mjs';

const HOLDS = 2_000_000;
const ROUNDS = 9;

/** Hold model (pop one, push one later) on our event queue and on C++ std::priority_queue, in turns; the least CPU time of all rounds. */
export async function eventQueue(folder) {
  const {EventQueue} = await compiled('src/sim/core/event-queue.ts', folder);
  const other = compiledCpp(folder);
  const rows = [];
  for (const pending of [1_000, 100_000]) {
    let ours = Infinity;
    let theirs = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
      const mine = hold(new EventQueue(), pending, round + 1);
      ours = Math.min(ours, mine.ns);
      if (other.path === null) continue;
      const [ns, checksum] = execFileSync(other.path, [String(pending), String(HOLDS), String(round + 1)], {encoding: 'utf8'})
        .trim()
        .split(' ');
      theirs = Math.min(theirs, Number(ns));
      if (Number(checksum) !== mine.checksum) throw new Error(`the two queues popped different events: ${mine.checksum} and ${checksum}`);
    }
    rows.push({
      benchmark: `event queue, ${pending.toLocaleString('en')} pending`,
      measured: `${(1e3 / ours).toFixed(1)} M holds/s`,
      against: other.path === null ? other.reason : `std::priority_queue ${(1e3 / theirs).toFixed(1)} M holds/s`,
      ratio: other.path === null ? null : theirs / ours,
      target: '≥ 0.7 ×',
      met: other.path === null ? null : theirs / ours >= 0.7,
    });
  }
  return rows;
}

function hold(queue, pending, seed) {
  const deltas = new Float64Array(65536);
  let state = seed >>> 0;
  for (let i = 0; i < deltas.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    deltas[i] = 1 + (state >>> 12);
  }
  for (let i = 0; i < pending; i++) queue.push(deltas[i & 65535], i & 3, i & 7, i);
  let checksum = 0;
  const start = process.cpuUsage();
  for (let i = 0; i < HOLDS; i++) {
    queue.pop();
    checksum += queue.arg;
    queue.push(queue.time + deltas[i & 65535], i & 3, queue.kind, queue.arg);
  }
  const {user, system} = process.cpuUsage(start);
  return {ns: ((user + system) * 1e3) / HOLDS, checksum};
}

function compiledCpp(folder) {
  const path = join(folder, 'event-queue');
  const source = fileURLToPath(new URL('event-queue.cpp', import.meta.url));
  const {error, status, stderr} = spawnSync('g++', ['-O2', '-std=c++17', '-o', path, source], {encoding: 'utf8'});
  if (error !== undefined) return {path: null, reason: 'not compared: no g++ here'};
  if (status !== 0) return {path: null, reason: `not compared: g++ failed: ${stderr.split('\n')[0]}`};
  return {path};
}
