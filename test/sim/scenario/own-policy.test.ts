import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {loadScenario} from '../../../src/sim/scenario/load.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {digest} from '../../support/run-checks.js';

const main = resolve('dist/main.js');
const leastRecent = "export default {about: 'lru again', score: (block, {readAt}) => readAt[block]};\n";
const deepest = `export default {
  about: 'keeps beginnings',
  params: {uses: {kind: 'count', default: 20, about: 'uses'}},
  needs: ['depth'],
  score: (block, {readAt}, {depth}, _age, {uses}) => readAt[block] - uses * depth(block),
};
`;
const scenario = (eviction: string) => `model: llama-3.1-8b
hardware: {device: h100-sxm, memory: {dram: 1 TiB}}
engine: {preset: vllm, max_model_len: 16384}
kv: {blocks: 3000, tiers: {hbm: {eviction: ${eviction}}, dram: {capacity: 1 GiB, eviction: ${eviction}}}}
workload: {kind: chat, arrivals: 1 session/s}
run: {requests: 300}
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiercast-own-'));
  mkdirSync(join(folder, 'work'));
  writeFileSync(join(folder, 'outside.mjs'), leastRecent);
  writeFileSync(join(folder, 'work/mine.mjs'), leastRecent);
  writeFileSync(join(folder, 'work/deepest.mjs'), deepest);
  writeFileSync(join(folder, 'work/broken.mjs'), 'export default {about: 3};\n');
  writeFileSync(join(folder, 'work/throws.mjs'), "throw new Error('no such luck');\n");
  symlinkSync('../outside.mjs', join(folder, 'work/link.mjs'));
});
afterAll(() => rmSync(folder, {recursive: true, force: true}));

/** Loads a scenario of the folder with this eviction policy in HBM and DRAM. */
function load(eviction: string, allowCode = true) {
  const path = join(folder, 'work/a.yaml');
  writeFileSync(path, scenario(eviction));
  return loadScenario(path, {allowCode});
}

async function bytes(eviction: string): Promise<string> {
  const loaded = await load(eviction);
  return digest(simulate(loaded, planMemory(loaded), {replication: 0}));
}

describe('an eviction policy from a file', () => {
  it('is refused in one line without --allow-code, and nothing of it runs', async () => {
    await expect(load('./throws.mjs', false)).rejects.toThrow(
      /^\S+a\.yaml:4:\d+ kv\.tiers\.hbm\.eviction: \.\/throws\.mjs is a program, and a scenario runs none by itself; --allow-code allows it\n/,
    );
  });

  it('runs in every memory like a built-in one: the same bytes where it is the same policy', async () => {
    expect(await bytes('./mine.mjs')).toBe(await bytes('lru'));
    expect(await bytes('{policy: ./deepest.mjs, uses: 50}')).not.toBe(await bytes('lru'));
  });

  it('has its parameters checked by name, kind and unit', async () => {
    const {kv} = await load('{policy: ./deepest.mjs, uses: 5}');
    expect(kv).toMatchObject({eviction: './deepest.mjs', evictionParams: {uses: 5}});
    expect(await bytes('{policy: ./deepest.mjs, uses: 1000}')).not.toBe(await bytes('./deepest.mjs'));
    await expect(load('{policy: ./deepest.mjs, use: 5}')).rejects.toThrow(
      'unknown parameter of ./deepest.mjs "use" (did you mean "uses"?)',
    );
    await expect(load('{policy: ./deepest.mjs, uses: 0}')).rejects.toThrow('uses of ./deepest.mjs: 0 is not a whole number of at least 1');
  });

  it('counts from the file that wrote it, and lies in its folder, links followed', async () => {
    mkdirSync(join(folder, 'other'), {recursive: true});
    writeFileSync(join(folder, 'other/b.yaml'), 'extends: ../work/base.yaml\n');
    writeFileSync(join(folder, 'work/base.yaml'), scenario('./mine.mjs'));
    expect((await loadScenario(join(folder, 'work/base.yaml'), {allowCode: true})).kv.eviction).toBe('./mine.mjs');
    await expect(load('../outside.mjs')).rejects.toThrow('../outside.mjs lies outside the folder of the file that names it');
    await expect(load('./link.mjs')).rejects.toThrow('./link.mjs lies outside the folder of the file that names it');
    await expect(load('./none.mjs')).rejects.toThrow('none.mjs does not exist');
  });

  it('that does not run, or is none, is a fault of its key', async () => {
    await expect(load('./throws.mjs')).rejects.toThrow(/kv\.tiers\.hbm\.eviction: \S+throws\.mjs does not run: no such luck/);
    await expect(load('./broken.mjs')).rejects.toThrow(
      'kv.tiers.hbm.eviction: ./broken.mjs: about, what the policy does in one line, is missing',
    );
  });

  it('that waits for ever is given up', {timeout: 30_000}, async () => {
    writeFileSync(join(folder, 'work/waits.mjs'), 'await new Promise(() => {});\n');
    await expect(load('./waits.mjs')).rejects.toThrow(/waits\.mjs does not run: it waits for something that has not come in 10 s/);
  });

  it('is hashed into the result: another program is another scenario', async () => {
    const before = await load('./mine.mjs');
    expect(before.files.map(({path}) => path)).toEqual(['a.yaml', 'mine.mjs']);
    expect(before.yaml).toContain('policy: ./mine.mjs');
    writeFileSync(join(folder, 'work/mine.mjs'), `${leastRecent}// changed\n`);
    const after = await load('./mine.mjs');
    writeFileSync(join(folder, 'work/mine.mjs'), leastRecent);
    expect(after.files[1].sha256).not.toBe(before.files[1].sha256);
    expect(after.sha256).not.toBe(before.sha256);
  });

  it('is run as it is now, not as it was when it was loaded first', async () => {
    writeFileSync(join(folder, 'work/changes.mjs'), leastRecent);
    const first = await bytes('./changes.mjs');
    writeFileSync(join(folder, 'work/changes.mjs'), deepest);
    expect(await bytes('./changes.mjs')).not.toBe(first);
  });
});

describe('the command line', () => {
  const tiercast = (...args: string[]) => spawnSync(process.execPath, [main, ...args], {cwd: join(folder, 'work'), encoding: 'utf8'});

  it('runs it, in workers of a sweep too, and says what would run it again', {timeout: 120_000}, () => {
    writeFileSync(
      join(folder, 'work/study.yaml'),
      `${scenario('lru')}cost: {device: 2 USD/hour}
study:
  axes: {kv.tiers.hbm.eviction: [lru, ./mine.mjs, {policy: ./deepest.mjs, uses: 50}]}
  objectives: [{minimise: ttft_s.p95}]
`,
    );
    const {status, stderr} = tiercast('sweep', 'study.yaml', '--no-report', '--json', '--jobs', '2');
    expect([status, stderr.includes('--allow-code allows it')]).toEqual([2, true]);
    const swept = tiercast('sweep', 'study.yaml', '--allow-code', '--no-report', '--quiet', '--json', '--jobs', '2');
    expect(swept.status, swept.stderr).toBe(0);
    const [head, ...rows] = readFileSync(join(folder, 'work/tiercast-out/study/table.csv'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    const figures = rows.map((row) => row.slice(head.indexOf('ttft_s.n')));
    expect(figures).toHaveLength(3);
    expect(figures[1]).toEqual(figures[0]); // it is lru
    expect(figures[2]).not.toEqual(figures[0]);
    const out = tiercast(
      'run',
      'a.yaml',
      '--allow-code',
      '--no-report',
      '--json',
      '--set',
      'run.requests=20',
      '--set',
      'kv.tiers.hbm.eviction=./mine.mjs',
    );
    const {command, files_in: files} = JSON.parse(out.stdout);
    expect(command).toMatch(/ --allow-code$/);
    expect(files.map(({path}: {path: string}) => path)).toContain('mine.mjs');
  });

  it('puts it beside others on a trace', {timeout: 60_000}, () => {
    const trace = Array.from({length: 40}, (_, i) =>
      JSON.stringify({timestamp: i, input_length: 1024, output_length: 1, hash_ids: [i % 7, 100 + (i % 11)]}),
    );
    writeFileSync(join(folder, 'work/t.jsonl'), `${trace.join('\n')}\n`);
    const cache = (...more: string[]) =>
      tiercast('cache', 't.jsonl', '--policies', 'lru,./mine.mjs', '--sizes', '5,8', '--no-report', '--json', ...more);
    expect(cache()).toMatchObject({status: 2, stderr: '--policies: ./mine.mjs is a program; --allow-code lets it run\n'});
    const {policies, policy_files: files} = JSON.parse(cache('--allow-code').stdout);
    const hits = (name: string) => policies.find(({policy}: {policy: string}) => policy === name).sizes;
    expect(hits('./mine.mjs')).toEqual(hits('lru'));
    expect(files).toEqual([{path: './mine.mjs', sha256: expect.stringMatching(/^[0-9a-f]{64}$/)}]);
  });
});
