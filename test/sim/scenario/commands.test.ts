import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {loadScenario, scenarioFromFlags, scenarioText} from '../../../src/sim/scenario/load.js';
import {chat} from '../../support/scenario-text.js';

// Each test starts the program, which a busy machine may take seconds for.
vi.setConfig({testTimeout: 60_000});

const program = resolve('dist/main.js');
const examples = resolve('scenarios/examples');
const traces = resolve('../shared/data/traces');
const northstar = resolve('../shared/northstar/examples');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tiercast-scenario-'));
  writeFileSync(join(folder, 'chat.yaml'), chat);
});
afterEach(() => rmSync(folder, {recursive: true, force: true}));

function tiercast(...args: string[]): {status: number | null; stdout: string; stderr: string} {
  const {status, stdout, stderr} = spawnSync(process.execPath, [program, ...args], {cwd: folder, encoding: 'utf8'});
  return {status, stdout, stderr};
}

describe('tiercast validate', () => {
  it('says that a scenario is valid, and writes nothing', () => {
    expect(tiercast('validate', 'chat.yaml')).toEqual({status: 0, stdout: 'chat.yaml is valid\n', stderr: ''});
    expect(readdirSync(folder)).toEqual(['chat.yaml']);
  });

  it('prints every fault of every file on stderr and ends with 2', () => {
    writeFileSync(join(folder, 'a.yaml'), chat.replace('model', 'modle'));
    writeFileSync(join(folder, 'b.yaml'), chat.replace('2 session/s', '5 m'));
    expect(tiercast('validate', 'a.yaml', 'chat.yaml', 'b.yaml')).toEqual({
      status: 2,
      stdout: 'chat.yaml is valid\n',
      stderr:
        'a.yaml:1:1 modle: unknown key (did you mean "model"?)\n' +
        'b.yaml:6:13 workload.arrivals.rate: "5 m" is a length (minutes are "min"); a rate is wanted, e.g. "2 session/s"\n',
    });
  });

  it('prints the long form with --resolved, which is valid itself', () => {
    const {stdout} = tiercast('validate', 'chat.yaml', '--resolved', '--set', 'slo.ttft=1 s');
    expect(stdout).toContain('slo:\n  ttft: 1 s\n');
    writeFileSync(join(folder, 'long.yaml'), stdout);
    expect(tiercast('validate', 'long.yaml').status).toBe(0);
  });

  it('prints one JSON document with --json, faults included', () => {
    expect(JSON.parse(tiercast('validate', 'chat.yaml', '--json').stdout)).toMatchObject({
      valid: true,
      scenarios: [{path: 'chat.yaml', valid: true}],
    });
    const {status, stdout} = tiercast('validate', 'chat.yaml', '--json', '--set', 'run.seed=-1');
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      scenarios: [{faults: ['--set run.seed: -1 is not a whole number of at least 0']}],
    });
  });

  it('makes warnings errors with --strict', () => {
    const set = ['--set', 'cost.host=1 USD/hour'];
    expect(tiercast('validate', 'chat.yaml', ...set)).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^warning {2}chat\.yaml cost\.host: /),
    });
    expect(tiercast('validate', 'chat.yaml', ...set, '--strict')).toMatchObject({status: 2, stdout: ''});
  });

  it('names a file that does not exist, a folder, and one that is too large', () => {
    mkdirSync(join(folder, 'dir'));
    writeFileSync(join(folder, 'huge.yaml'), `description: ${'x'.repeat(16 * 1024 ** 2)}\n`);
    expect(tiercast('validate', 'none.yaml', 'dir', 'huge.yaml').stderr).toBe(
      'none.yaml does not exist\n' + 'dir is a folder; a file is wanted\n' + 'huge.yaml has 16 MiB; a scenario file has at most 4 MiB\n',
    );
  });

  it('does not follow a link out of the folders to a parent', () => {
    writeFileSync(join(folder, 'secret.yaml'), chat);
    mkdirSync(join(folder, 'a/b'), {recursive: true});
    symlinkSync('../../secret.yaml', join(folder, 'a/b/link.yaml'));
    writeFileSync(join(folder, 'a/b/s.yaml'), 'extends: ./link.yaml\n');
    expect(tiercast('validate', 'a/b/s.yaml').stderr).toMatch(/^a\/b\/s\.yaml:1:10 extends: \.\/link\.yaml lies outside; /);
  });

  it.each(readdirSync(examples).filter((name) => name.endsWith('.yaml')))('finds the example %s valid', (name) => {
    const text = readFileSync(join(examples, name), 'utf8');
    const needsTrace = text.includes('shared/data');
    const {status, stderr} = tiercast('validate', '--allow-code', join(examples, name));
    if (needsTrace && !existsSync(traces))
      expect(stderr).toContain('does not exist'); // the trace is not part of the repository
    else expect(status, stderr).toBe(0);
  });

  it.skipIf(!existsSync(northstar))('parses the planned examples, and stops only at what is not simulated (needs ../shared)', () => {
    const names = readdirSync(northstar).filter((name) => !['mooncake-replay.yaml', 'cpu-only.yaml'].includes(name)); // their data lie elsewhere
    for (const name of names) {
      const {stderr} = tiercast('validate', join(northstar, name));
      const lines = stderr.split('\n').filter((line) => line !== '' && !/^and \d+ more|^warning/.test(line));
      for (const line of lines) expect(line).toMatch(/known, not simulated by this version \(0\.1\)|has no counterpart/);
    }
  });
});

describe('tiercast explain and schema', () => {
  it('print text, JSON, or what was meant', () => {
    expect(tiercast('explain', 'slo.ttft').stdout).toMatch(/^slo\.ttft\n/);
    expect(JSON.parse(tiercast('explain', 'slo.ttft', '--json').stdout)).toMatchObject({path: 'slo.ttft', type: 'duration'});
    expect(tiercast('explain', 'slo.tftt')).toEqual({
      status: 2,
      stdout: '',
      stderr: '"slo.tftt" is no key of a scenario (did you mean "slo.ttft"?)\n',
    });
    expect(JSON.parse(tiercast('schema').stdout)).toMatchObject({title: 'tiercast scenario', type: 'object'});
  });
});

describe('tiercast init', () => {
  const row = '{"timestamp": 0, "input_length": 600, "output_length": 5, "hash_ids": [0, 1]}\n';

  it.each(['chat', 'lengths', 'replay'])('writes a starter for %s that is valid, and names the schema beside it', (kind) => {
    writeFileSync(join(folder, 'trace.jsonl'), row);
    expect(tiercast('init', 's.yaml', '--for', kind).status).toBe(0);
    const [first] = readFileSync(join(folder, 's.yaml'), 'utf8').split('\n');
    expect(first).toBe('# yaml-language-server: $schema=./tiercast.schema.json');
    expect(JSON.parse(readFileSync(join(folder, 'tiercast.schema.json'), 'utf8'))).toMatchObject({title: 'tiercast scenario'});
    expect(tiercast('validate', 's.yaml')).toMatchObject({status: 0, stdout: 's.yaml is valid\n'});
  });

  it('prints without a file, takes model and device, and overwrites nothing', () => {
    const {stdout} = tiercast('init', '--model', 'llama-3.1-70b', '--device', 'h200-sxm');
    expect(stdout).toContain('model: "llama-3.1-70b"');
    expect(stdout).toContain('device: "h200-sxm"');
    expect(tiercast('init', 'chat.yaml')).toEqual({status: 2, stdout: '', stderr: 'chat.yaml exists; name another file\n'});
    expect(readFileSync(join(folder, 'chat.yaml'), 'utf8')).toBe(chat);
    expect(tiercast('init', '--model', 'llama-3.1-9b').stderr).toMatch(/^unknown model "llama-3\.1-9b" \(did you mean "llama-3\.1-8b"\?\)/);
    expect(JSON.parse(tiercast('init', '--json').stdout)).toMatchObject({file: null, yaml: expect.stringContaining('kind: chat')});
  });
});

describe('a scenario from flags', () => {
  it('is what the flags say, and loads like a file', async () => {
    const flags = {model: 'llama-3.1-70b', device: 'h100-sxm', quantization: 'mlp=fp8,default=bf16', tensor: 4, maxModelLen: 8192};
    const scenario = await scenarioFromFlags(flags, {set: ['kv.dtype=fp8']});
    expect(scenario).toMatchObject({count: 4, maxModelLen: 8192, llm: {name: 'llama-3.1-70b'}, kv: {format: {name: 'fp8'}}});
    expect(scenario.llm.formats.mlp.name).toBe('fp8');
    writeFileSync(join(folder, 'flags.yaml'), scenarioText(flags));
    expect((await loadScenario(join(folder, 'flags.yaml'), {set: ['kv.dtype=fp8']})).sha256).toBe(scenario.sha256);
  });

  it('refuses what is no name', async () => {
    await expect(scenarioFromFlags({model: 'x: [', device: 'h100-sxm'})).rejects.toThrow('flags:3:9 model.name: unknown model "x: ["');
  });
});
