import {existsSync} from 'node:fs';
import {compiled} from './compiled.mjs';
import {mapLru} from './map-lru.mjs';

const TRACE = '../shared/data/traces/mooncake_conversation.jsonl.gz';
const SIZES = [100, 500, 1000, 2000, 5000, 8138, 10_000, 20_000, 50_000, 100_000];
const ROUNDS = 3;

/** Least M accesses a second: lists 25, heaps and stacks that look ahead or back 1, others 5. */
const targets = {lru: 25, belady: 1, 'belady-bypass': 1, lirs: 1, gdsf: 1};

/** Accesses a CPU second of `tiercast cache`'s counting at ten sizes of the Mooncake trace, by policy; for LRU beside a `Map` of linked nodes, in turns. */
export async function cache(folder) {
  if (!existsSync(TRACE)) return [skipped(`${TRACE} is not there`)];
  const {hitCandidates, hitTable} = await compiled('src/sim/memory/candidates.ts', folder);
  const {loadTrace} = await compiled('src/sim/traces/load.ts', folder);
  const {trace} = loadTrace(TRACE);
  const accesses = trace.ids.length * SIZES.length;
  const rate = (seconds) => accesses / Math.min(...seconds) / 1e6;
  const names = Object.keys(hitCandidates).filter((name) => !['tail-lru', 'infinite', 'none'].includes(name)); // no trace tells what tail-lru must know
  return names.map((name) => {
    const ours = [];
    const theirs = [];
    for (let round = 0; round < ROUNDS; round++) {
      const {seconds, hits} = timed(() => hitTable(trace, new Map([[name, hitCandidates[name]]]), SIZES)[0].hits);
      ours.push(seconds);
      if (name === 'lru') theirs.push(timed(() => SIZES.forEach((size, i) => void mapLru(trace.ids, size, hits[i]))).seconds);
    }
    const target = targets[name] ?? 5;
    return {
      benchmark: `cache ${name}, Mooncake trace at ten sizes`,
      measured: `${rate(ours).toFixed(1)} M accesses/CPU-s`,
      against: theirs.length === 0 ? '' : `Map of linked nodes: ${rate(theirs).toFixed(1)} M accesses/CPU-s`,
      ratio: theirs.length === 0 ? null : rate(ours) / rate(theirs),
      target: `≥ ${target} M`,
      met: rate(ours) >= target,
    };
  });
}

/** CPU seconds: neighbours disturb these less. */
function timed(run) {
  const start = process.cpuUsage();
  const hits = run();
  const {user, system} = process.cpuUsage(start);
  return {hits, seconds: (user + system) / 1e6};
}

function skipped(why) {
  return {benchmark: 'cache, Mooncake trace at ten sizes', measured: `skipped: ${why}`, against: '', ratio: null, target: '', met: null};
}
