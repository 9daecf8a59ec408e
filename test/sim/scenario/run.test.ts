import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {Worker} from 'node:worker_threads';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';

// Each test starts the program, which a busy machine may take seconds for.
vi.setConfig({testTimeout: 60_000});

const program = resolve('dist/main.js');
const library = resolve('dist/index.js');
const scenario = `model: llama-3.1-8b
hardware: {device: h100-sxm}
engine: vllm
workload: {kind: chat, arrivals: 2 session/s}
slo: {ttft: 500 ms, tpot: 50 ms}
run: {requests: 200}
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiercast-run-'));
  writeFileSync(join(folder, 'chat.yaml'), scenario);
});
afterEach(() => {
  rmSync(folder, {recursive: true, force: true});
});

/** Runs the built command line as a user does. */
function tiercast(...args: string[]): {status: number | null; stdout: string; stderr: string} {
  return spawnSync(program, args, {cwd: folder, encoding: 'utf8', env: {...process.env, NO_COLOR: '1'}});
}

describe('tiercast run', () => {
  it('prints what fits first, then verdict and table, and writes four files', () => {
    const {status, stdout, stderr} = tiercast('run', 'chat.yaml');
    expect(stderr).toMatch(/wrote +tiercast-out\/chat\/\{report.html, result.json, requests.csv, timeline.csv\} {2}in [\d.]+ s\n$/);
    expect(status).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^chat +llama-3\.1-8b bf16 · 1 × /);
    expect(lines.findIndex((line) => line.startsWith('fits'))).toBeLessThan(3);
    expect(stdout).toContain('MEETS THE GOAL: ');
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(readdirSync(join(folder, 'tiercast-out')).sort()).toEqual(['chat']);
    expect(readdirSync(join(folder, 'tiercast-out/chat')).sort()).toEqual(['report.html', 'requests.csv', 'result.json', 'timeline.csv']);
  });

  it('writes a trace with --perfetto, whole, with as many steps as the result says', () => {
    const {status, stdout} = tiercast('run', 'chat.yaml', '--json', '--no-report', '--perfetto', 'trace.json');
    expect(status).toBe(0);
    const {traceEvents} = JSON.parse(readFileSync(join(folder, 'trace.json'), 'utf8')) as {traceEvents: {ph: string}[]};
    const {prefill, mixed, decode} = JSON.parse(stdout).time.steps;
    expect(traceEvents.filter(({ph}) => ph === 'X')).toHaveLength(prefill + mixed + decode);
    expect(readdirSync(folder).sort()).toEqual(['chat.yaml', 'tiercast-out', 'trace.json']);
  });

  it.each([
    [['chat.yaml', '--perfetto', 'none/trace.json'], '--perfetto none/trace.json: its folder does not exist\n'],
    [['chat.yaml', '--jobs', '0'], '--jobs: 0 is not a whole number from 1 to 1024\n'],
    [['chat.yaml', '--perfetto', '.'], '--perfetto "." is no file; name one\n'],
    [['chat.yaml', 'chat.yaml', '--perfetto', 't.json'], '--perfetto names one file; run scenarios one at a time with it\n'],
  ])('refuses %j before anything is run', (args, message) => {
    expect(tiercast('run', ...args)).toEqual(expect.objectContaining({status: 2, stdout: '', stderr: message}));
    expect(readdirSync(folder)).toEqual(['chat.yaml']);
  });

  it('prints the bytes of result.json with --json, and nothing else on stdout', () => {
    const {stdout} = tiercast('run', 'chat.yaml', '--json', '--no-report');
    expect(stdout).toBe(readFileSync(join(folder, 'tiercast-out/chat/result.json'), 'utf8'));
    expect(JSON.parse(stdout)).toMatchObject({schema: 'tiercast.result/1', name: 'chat', status: 'ok', command: 'tiercast run chat.yaml'});
  });

  it('writes the same bytes again, from another folder too', () => {
    tiercast('run', 'chat.yaml', '--out', 'one');
    mkdirSync(join(folder, 'deep'));
    spawnSync(program, ['run', '../chat.yaml', '--out', 'two', '-q'], {cwd: join(folder, 'deep')});
    for (const name of readdirSync(join(folder, 'one'))) {
      expect(readFileSync(join(folder, 'deep/two', name), 'utf8'), name).toBe(readFileSync(join(folder, 'one', name), 'utf8'));
    }
  });

  it('writes the same bytes with any number of threads, with a policy from a file too', () => {
    writeFileSync(join(folder, 'mine.mjs'), "export default {about: 'lru again', score: (block, {readAt}) => readAt[block]};\n");
    const tiers = '{dram: {capacity: 1 GiB, eviction: ./mine.mjs}, ssd: 4 GiB}';
    const long = scenario.replace('h100-sxm}', 'h100-sxm, memory: {dram: 1 TiB, ssd: nvme-gen4-4tb}}').replace('200}', '600}');
    writeFileSync(join(folder, 'long.yaml'), `${long}kv: {blocks: 9000, prefetch: queue, tiers: ${tiers}}\n`);
    for (const jobs of ['1', '3']) {
      const {status, stderr} = tiercast('run', 'long.yaml', '--allow-code', '--bounds', 'full', '--jobs', jobs, '--out', jobs);
      expect(status, stderr).toBe(0);
    }
    for (const name of readdirSync(join(folder, '1')))
      expect(readFileSync(join(folder, '3', name)).equals(readFileSync(join(folder, '1', name))), name).toBe(true);
  });

  it('gives the same result inside a worker thread', async () => {
    const path = join(folder, 'chat.yaml');
    const {stdout} = tiercast('run', 'chat.yaml', '--json', '--no-report', '--no-requests');
    const inWorker = await new Promise<string>((done, failed) => {
      const code = `
        const {parentPort} = require('node:worker_threads');
        import(${JSON.stringify(pathToFileURL(library).href)}).then(async ({loadScenario, planMemory, simulate, summarise, canonicalJson}) => {
          const scenario = await loadScenario(${JSON.stringify(path)});
          const plan = planMemory(scenario);
          parentPort.postMessage(canonicalJson(summarise(scenario, plan, [simulate(scenario, plan, {replication: 0})])));
        });`;
      new Worker(code, {eval: true}).on('message', done).on('error', failed);
    });
    const [here, there] = [JSON.parse(stdout), JSON.parse(inWorker)];
    // The command line ran it twice more for the prediction, kept all accesses for the bound that knows the future, and knows its own words.
    expect(here.hits.bounds.belady).toBeGreaterThan(0);
    here.hits.bounds.belady = null;
    for (const metric of Object.values<{interval80: unknown}>(here.metrics)) metric.interval80 = {mean: null, p95: null};
    expect({...there, command: here.command, files: here.files}).toEqual(here);
  });

  it('changes one key with --set and another with --seed, and says so in the command', () => {
    const {stdout} = tiercast('run', 'chat.yaml', '--set', 'workload.arrivals=4 session/s', '--seed', '7', '--json', '--no-report');
    const document = JSON.parse(stdout);
    expect(document.headline).toContain('chat 4 session/s · seed 7');
    expect(document.command).toBe("tiercast run chat.yaml --set 'workload.arrivals=4 session/s' --seed 7");
  });

  it('pools replications', () => {
    const {stdout} = tiercast('run', 'chat.yaml', '--replications', '3', '--json', '--no-report');
    expect(JSON.parse(stdout)).toMatchObject({replications: 3, metrics: {ttft_s: {n: expect.any(Number)}}});
    expect(JSON.parse(stdout).metrics.ttft_s.n).toBeGreaterThanOrEqual(600);
  });

  it('says with --bounds full what the prefix cache is worth', () => {
    const {stdout} = tiercast('run', 'chat.yaml', '--bounds', 'full', '--no-report', '--no-requests');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /TTFT p95 would be \d+ ms without a prefix cache \(\+[\d.]+ %\) and \d+ ms with endless KV memory/,
    );
  });

  it('runs several scenarios, each into its own folder', () => {
    writeFileSync(join(folder, 'other.yaml'), scenario);
    const {stdout} = tiercast('run', 'chat.yaml', 'other.yaml', '--out', 'both', '--json', '--no-report');
    expect(JSON.parse(stdout).map((document: {name: string}) => document.name)).toEqual(['chat', 'other']);
    expect(readdirSync(join(folder, 'both')).sort()).toEqual(['chat', 'other']);
  });
});

describe('tiercast run writes nothing and exits', () => {
  it('with 3 when the model does not fit, naming what does', () => {
    const {status, stdout, stderr} = tiercast('run', 'chat.yaml', '--set', 'model.name=llama-3.1-405b');
    expect({status, stdout}).toEqual({status: 3, stdout: ''});
    expect(stderr).toMatch(/needs .* Nearest that fit: /s);
    expect(existsSync(join(folder, 'tiercast-out'))).toBe(false);
  });

  it('with 2 when the folder holds something else', () => {
    mkdirSync(join(folder, 'mine'));
    writeFileSync(join(folder, 'mine/thesis.tex'), '');
    const {status, stdout, stderr} = tiercast('run', 'chat.yaml', '--out', 'mine');
    expect({status, stdout, stderr}).toEqual({
      status: 2,
      stdout: '',
      stderr: '--out mine holds "thesis.tex", which is no result of ours; name an empty or new folder\n',
    });
    expect(readdirSync(join(folder, 'mine'))).toEqual(['thesis.tex']);
  });

  it('with 2 when one of several scenarios is wrong, before the first is run', () => {
    writeFileSync(join(folder, 'wrong.yaml'), 'modle: x\n');
    const {status, stdout} = tiercast('run', 'chat.yaml', 'wrong.yaml');
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    expect(existsSync(join(folder, 'tiercast-out'))).toBe(false);
  });

  it('with 2 for a warning when --strict is given', () => {
    const {status, stderr} = tiercast('run', 'chat.yaml', '--strict', '--set', 'run.requests=50');
    expect(status).toBe(2);
    expect(stderr).toContain('p95 interval wider than 10 %');
    expect(existsSync(join(folder, 'tiercast-out'))).toBe(false);
  });

  it.each(['--seed', '--replications'])('with 2 for %s that is no whole number', (flag) => {
    expect(tiercast('run', 'chat.yaml', flag, 'many').status).toBe(2);
    expect(tiercast('run', 'chat.yaml', flag, '1.5').status).toBe(2);
  });

  it('as interrupted, leaving nothing behind', async () => {
    const child = spawn(program, ['run', 'chat.yaml', '--set', 'run.requests=3000000'], {cwd: folder});
    child.stdout.once('data', () => child.kill('SIGINT'));
    const [code, signal] = await new Promise<[number | null, string | null]>((done) => child.once('exit', (c, s) => done([c, s])));
    // A shell reports the signal as 130.
    expect(code === 130 || signal === 'SIGINT').toBe(true);
    expect(readdirSync(folder)).toEqual(['chat.yaml']);
  });
});
