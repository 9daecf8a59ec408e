import {compiled} from './compiled.mjs';
import {mapLru} from './map-lru.mjs';

const BLOCKS = 200_000;
const CAPACITY = 50_000;
const ACCESSES = 2_000_000;
const ROUNDS = 3;

/** What some policies ask of blocks: chains of eight, each a session's. */
const facts = {
  parent: (block) => (block % 8 === 0 ? -1 : block - 1),
  depth: (block) => block % 8,
  session: (block) => block >> 3,
  recompute: () => 1,
  priority: (block) => block % 3,
  now: () => 0,
};

/** Accesses a second of every eviction policy at 50,000 of 200,000 blocks, popular ones first; for LRU beside a `Map` of linked nodes. */
export async function eviction(folder) {
  const {evictionPolicies} = await compiled('src/policies/eviction/index.ts', folder);
  const {factoryOf} = await compiled('src/policies/eviction/eviction.ts', folder);
  const accesses = skewed();
  const best = (run) => Math.min(...Array.from({length: ROUNDS}, run));
  return Object.entries(evictionPolicies).map(([name, policy]) => {
    const create = factoryOf(name, policy);
    let hits = 0;
    const ours = best(() => {
      const done = accessAll(create({...facts, blocks: BLOCKS, capacity: CAPACITY}), accesses);
      hits = done.hits;
      return done.seconds;
    });
    const theirs = name === 'lru' ? best(() => mapLru(accesses, CAPACITY, hits)) : null;
    return {
      benchmark: `eviction ${name}, ${CAPACITY.toLocaleString('en')} of ${BLOCKS.toLocaleString('en')}`,
      measured: `${(ACCESSES / ours / 1e6).toFixed(1)} M accesses/s`,
      against: theirs === null ? '' : `Map of linked nodes: ${(ACCESSES / theirs / 1e6).toFixed(1)} M accesses/s`,
      ratio: theirs === null ? null : theirs / ours,
      target: '',
      met: null,
    };
  });
}

function accessAll(policy, accesses) {
  const resident = new Uint8Array(BLOCKS);
  let size = 0;
  let hits = 0;
  const start = performance.now();
  for (let i = 0; i < accesses.length; i++) {
    const block = accesses[i];
    if (resident[block] === 1) {
      hits++;
      policy.touch(block);
      continue;
    }
    if (size === CAPACITY) {
      const victim = policy.victim(block);
      policy.evict(victim);
      resident[victim] = 0;
    } else size++;
    policy.insert(block);
    policy.unpin(block);
    resident[block] = 1;
  }
  return {seconds: (performance.now() - start) / 1e3, hits};
}

/** Blocks drawn with a density that falls as 1/√rank, scattered over the ids; the same at every run. */
function skewed() {
  let state = 1;
  return Int32Array.from({length: ACCESSES}, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const rank = Math.floor((state / 2 ** 32) ** 2 * BLOCKS);
    return (rank * 7919) % BLOCKS;
  });
}
