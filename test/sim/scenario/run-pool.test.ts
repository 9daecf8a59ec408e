import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {Worker} from 'node:worker_threads';
import {afterAll, beforeAll, describe, expect, it, vi} from 'vitest';
import {jobsOf} from '../../../src/sim/scenario/commands/jobs.js';
import {type FromWorker, type PoolRun, RunPool, type SentScenario, sendable} from '../../../src/sim/scenario/commands/run-pool.js';
import {loadScenario} from '../../../src/sim/scenario/load.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {asWritten, carryOut, type RunOutcome, type Variation} from '../../../src/sim/scenario/variation.js';

// Workers start slowly on a busy machine.
vi.setConfig({testTimeout: 60_000});

const text = (eviction: string, requests: number) => `model: llama-3.1-8b
hardware: {device: h100-sxm, memory: {dram: 1 TiB, ssd: nvme-gen4-4tb}}
engine: {preset: vllm, max_model_len: 16384}
kv: {blocks: 2000, tiers: {dram: {capacity: 256 MiB, eviction: ${eviction}}, ssd: 4 GiB}, prefetch: queue}
workload: {kind: chat, arrivals: 2 session/s}
run: {requests: ${requests}}
`;
const variations: Variation[] = [
  asWritten,
  {kind: 'without-tier', tier: 'dram'},
  {kind: 'without-prefetches'},
  {kind: 'without-prefix-cache'},
  {kind: 'more-blocks', blocks: 100_000},
  {kind: 'cost', scale: 1.2},
];
const runsOf = (all: readonly Variation[], replications: number): PoolRun[] =>
  all.flatMap((variation) =>
    Array.from({length: replications}, (_, replication) => ({
      scenario: 0,
      variation,
      replication,
      accesses: variation === asWritten ? 1e6 : null,
    })),
  );

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiercast-pool-'));
  writeFileSync(
    join(folder, 'mine.mjs'),
    "export default {about: 'deep blocks first', needs: ['depth'], score: (block, _h, {depth}) => -depth(block)};\n",
  );
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

async function loaded(eviction = 'lru', requests = 60) {
  const path = join(folder, `${requests}.yaml`);
  writeFileSync(path, text(eviction, requests));
  const options = {allowCode: true};
  const scenario = await loadScenario(path, options);
  return {scenario, plan: planMemory(scenario), path, options};
}

/** Whether all records and accesses are the same, number by number. */
const same = (outcomes: readonly RunOutcome[], others: readonly RunOutcome[]) => expect(isDeepStrictEqual(outcomes, others)).toBe(true);

/** A pool that starts workers at once. */
const eager = {expected: 100, total: () => null, progress: () => {}, leastLeft: 0};

describe('a pool of runs', () => {
  it('gives the same outcomes, in the order asked for, in any number of threads, round after round', async () => {
    const one = await loaded();
    const runs = runsOf(variations, 3);
    const alone = runs.map((run) => carryOut(one, run));
    expect(new Set(alone.map(({record}) => record.eventLog)).size).toBeGreaterThan(3); // more than the replications alone
    for (const jobs of [1, 3]) {
      const pool = new RunPool([one], {...eager, jobs});
      try {
        same(await pool.all(runs.slice(0, 2)), alone.slice(0, 2));
        same(await pool.all(runs), alone);
        expect(await pool.all([])).toEqual([]);
      } finally {
        await pool.close();
      }
    }
  });

  /** A pool whose second thread runs this program; its first round is over, so that the second thread is there. */
  async function poolWith(program: string) {
    const file = join(folder, `${program.length}.mjs`);
    writeFileSync(file, `import {parentPort} from 'node:worker_threads';\nparentPort.on('message', ({runs, next}) => {\n${program}\n});\n`);
    const pool = new RunPool([await loaded('lru', 200)], {...eager, jobs: 2, file});
    await pool.all([]);
    await pool.all(runsOf([asWritten], 1));
    return pool;
  }

  it('lets a worker take what this thread has not begun, and takes its outcomes by index', async () => {
    const pool = await poolWith(`
      for (let i = Atomics.add(next, 0, 1); i < runs.length; i = Atomics.add(next, 0, 1)) parentPort.postMessage({index: i, outcome: i});
      parentPort.postMessage(null);`);
    const outcomes = (await pool.all(runsOf([asWritten], 40))) as unknown[];
    await pool.close();
    const fromWorker = outcomes.filter((outcome) => typeof outcome === 'number');
    expect(fromWorker.length).toBeGreaterThan(0);
    expect(outcomes.every((outcome, i) => typeof outcome === 'object' || outcome === i)).toBe(true);
  });

  it('does itself what a worker took and died of, and goes on without it', async () => {
    const pool = await poolWith('if (runs.length > 1) { Atomics.add(next, 0, 1); process.exit(1); }\nparentPort.postMessage(null);');
    const one = await loaded('lru', 200);
    const runs = runsOf([asWritten], 8);
    const alone = runs.map((run) => carryOut(one, run));
    same(await pool.all(runs), alone);
    same(await pool.all(runs), alone);
    await pool.close();
  });

  it('throws what a run throws, wherever it was carried out', async () => {
    for (const jobs of [1, 2]) {
      const pool = new RunPool([await loaded()], {...eager, jobs});
      await expect(pool.all(runsOf([asWritten, {kind: 'without-tier', tier: 'remote'}], 2))).rejects.toThrow(TypeError);
      await pool.close();
    }
  });

  it('starts no worker for runs that are over at once', async () => {
    const pool = new RunPool([await loaded('lru', 4)], {...eager, leastLeft: 600_000, jobs: 2});
    expect(await pool.all(runsOf([asWritten], 5))).toHaveLength(5);
    expect(pool.workers).toBe(0);
    const other = new RunPool([await loaded('lru', 4)], {...eager, jobs: 3});
    await other.all(runsOf([asWritten], 5));
    expect(other.workers).toBe(2);
    await other.close();
    expect(other.workers).toBe(0);
  });
});

describe('run-worker.js', () => {
  it.each([['lru'], ['./mine.mjs']])('carries out every variation as this thread does, with %s', async (eviction) => {
    const one = await loaded(eviction);
    const runs = runsOf(variations, 1);
    const worker = new Worker(resolve('dist/run-worker.js'), {workerData: [sendable(one)]});
    const outcomes = await new Promise<RunOutcome[]>((done, failed) => {
      const all: RunOutcome[] = [];
      worker.on('error', failed);
      worker.on('message', (message: FromWorker) => {
        if (message === null) done(all);
        else all[message.index] = message.outcome;
      });
      worker.postMessage({runs, next: new Int32Array(new SharedArrayBuffer(4))});
    });
    await worker.terminate();
    same(
      outcomes,
      runs.map((run) => carryOut(one, run)),
    );
  });

  it('refuses a scenario that is another one by now', async () => {
    const sent: SentScenario = {...sendable(await loaded('./mine.mjs')), sha256: 'of another'};
    const worker = new Worker(resolve('dist/run-worker.js'), {workerData: [sent]});
    const error = await new Promise<Error>((done) => worker.on('error', done));
    expect(error.message).toMatch(/60\.yaml changed while it was run$/);
  });
});

it.each(readdirSync('scenarios/examples').filter((name) => name.endsWith('.yaml')))('%s crosses to a worker whole', async (name) => {
  const path = resolve('scenarios/examples', name);
  const trace = /trace: +(\S+)/.exec(readFileSync(path, 'utf8'))?.[1];
  if (trace !== undefined && !existsSync(resolve(dirname(path), trace))) return;
  const scenario = await loadScenario(path, {allowCode: true});
  const sent = sendable({scenario, plan: planMemory(scenario), path, options: {}});
  expect(sent.scenario === null).toBe(name === 'own-eviction.yaml');
  expect(isDeepStrictEqual(structuredClone(sent), sent)).toBe(true);
});

it.each([0, 1.5, -1, Number.NaN, 1025])('--jobs %s is refused', (jobs) => {
  expect(() => jobsOf(jobs)).toThrow(`--jobs: ${jobs} is not a whole number from 1 to 1024`);
});
