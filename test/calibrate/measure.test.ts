import {spawn} from 'node:child_process';
import {chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, describe, expect, it, vi} from 'vitest';
import {readMeasurements} from '../../calibrate/machine/lines.js';
import {measure, type Request} from '../../calibrate/machine/runner.js';
import {run} from '../../src/cli.js';
import {inventedLines, plainMachine} from '../support/bench-lines.js';
import {missing} from '../support/native.js';

const folder = mkdtempSync(join(tmpdir(), 'tiercast-measure-'));
const temporary = mkdtempSync(join(tmpdir(), 'tiercast-measure-tmp-'));
afterAll(() => [folder, temporary].map((path) => rmSync(path, {recursive: true, force: true})));
afterEach(() => vi.restoreAllMocks());

/** Runs the command line with its output caught. */
async function caught(...argv: string[]): Promise<{code: number; out: string; err: string}> {
  const texts = {out: '', err: ''};
  for (const [stream, name] of [
    [process.stdout, 'out'],
    [process.stderr, 'err'],
  ] as const) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      texts[name] += text;
      return true;
    });
  }
  const code = await run(['calibrate', ...argv]);
  return {code, ...texts};
}

const tiny = ['--plan', 'tiny', '--no-storage', '--quiet'];

describe.skipIf(missing.bench !== null)(
  `tiercast calibrate, with real kernels${missing.bench === null ? '' : ` (${missing.bench})`}`,
  () => {
    it('a plan too small to fit anything is grade D: refused with 4, and nothing is written', async () => {
      const out = join(folder, 'refused.json');
      const {code, err} = await caught(...tiny, '--out', out);
      expect(code).toBe(4);
      expect(err).toMatch(/^REJECTED: .*--force writes it as it is\n$/);
      expect(existsSync(out)).toBe(false);
    });

    it('--force writes it, with the figures of this machine and every measurement where --lines says', async () => {
      const [out, lines] = [join(folder, 'forced.json'), join(folder, 'forced.jsonl')];
      const {code, out: text, err} = await caught(...tiny, '--out', out, '--lines', lines, '--force');
      expect(code).toBe(0);
      expect(err).toContain(`wrote ${out} (sha256 `);
      expect(text).toMatch(/^grade D: /m);
      const profile = JSON.parse(readFileSync(out, 'utf8'));
      expect(profile).toMatchObject({
        profile: 1,
        id: 'forced',
        kind: 'cpu',
        memory: {dram: {bandwidth: {grade: 'measured'}}},
        quality: {grade: 'D'},
      });
      expect(profile.environment.runs[0].machine.processors).toBeGreaterThan(0);
      expect(readMeasurements(readFileSync(lines, 'utf8'), lines)[0]).toMatchObject({device: 'cpu', ending: 'done'});
      expect((await caught('show', out, '--no-report')).out).toContain(profile.name);
    });

    it('a budget that leaves points out gives a whole profile that says so, with 5', async () => {
      const out = join(folder, 'partial.json');
      const {code, err} = await caught(...tiny, '--out', out, '--budget', '3.2s', '--force');
      expect(code).toBe(5);
      expect(err).toMatch(/partial: the budget of 3\.2 s left out \d+ points; --budget raises it/);
      expect(JSON.parse(readFileSync(out, 'utf8')).id).toBe('partial');
    });

    it.each([
      [['--device', 'abacus'], 'NO_DEVICE: no devices of the class "abacus"'],
      [['--budget', 'soon'], '--budget: "soon" is no duration above 0'],
      [['--model', 'llama-9'], 'unknown model "llama-9"'],
      [['--storage', '--folder', '/nowhere/at/all'], 'PERMISSION: /nowhere/at/all cannot be used'],
      [['--out', '/nowhere/at/all.json', '--force'], '/nowhere/at/all.json cannot be written'],
    ])('%j ends with 2', async (argv, message) => {
      const {code, err} = await caught('--plan', 'tiny', '--quiet', ...(argv.includes('--storage') ? [] : ['--no-storage']), ...argv);
      expect(err).toContain(message);
      expect(code).toBe(2);
    });

    it.skipIf(!existsSync('dist/main.js'))(
      'an interrupt ends it with 130: no profile, no half of one, no file in the folder for temporary ones',
      async () => {
        const out = join(folder, 'interrupted.json');
        const child = spawn(process.execPath, ['dist/main.js', 'calibrate', '--full', '--out', out], {
          env: {...process.env, TMPDIR: temporary},
        });
        await new Promise((resolve) => setTimeout(resolve, 3000));
        child.kill('SIGINT');
        const code = await new Promise((resolve) => child.on('close', resolve));
        expect(code).toBe(130);
        expect(readdirSync(folder).filter((name) => name.startsWith('interrupted'))).toEqual([]);
        expect(readdirSync(temporary)).toEqual([]);
      },
    );

    it('doctor says what works here and why the rest does not', async () => {
      const {checks} = JSON.parse((await caught('doctor', '--json')).out) as {checks: {part: string; ok: boolean; text: string}[]};
      const of = (part: string) => checks.find((check) => check.part === part)!;
      expect(of('calib-bench')).toMatchObject({ok: true});
      expect(of('cpu').text).toMatch(/^\d+ points in the full plan$/);
      for (const {ok, text} of checks.filter(({part}) => part === 'metal' || part === 'cuda:0'))
        if (!ok) expect(text).toMatch(/^[A-Z_]+: /);
    });
  },
);

describe('a child process', () => {
  const request: Request = {
    device: 'cpu',
    plan: 'tiny',
    points: ['gemm bf16 m=1 n=64 k=64'],
    budget: 1,
    seed: 1,
    folder: undefined,
    buffered: false,
  };
  const watch = {signal: new AbortController().signal, patience: 20, onProgress: () => {}};
  const env = '{"v":1,"kind":"env","device":"cpu","threads":1}';
  const sample =
    '{"v":1,"kind":"sample","op":"mem.read","dtype":"","shape":{"bytes":64},"threads":1,"status":"ok","t":{"p25":1,"p50":1,"n":1,"clean":1,"cv":0}}';

  function script(name: string, text: string): string {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  it('that crashes leaves what it wrote, as a run without an end', async () => {
    const text = await measure(script('crash', `echo '${env}'; echo '${sample}'; printf '{"v":1,"ki'; kill -SEGV $$`), request, watch);
    const [run] = readMeasurements(text, 'x');
    expect(run).toMatchObject({ending: null, samples: [{op: 'mem.read'}]});
    expect(text).toContain('"code":"CRASHED","message":"ended by SIGSEGV"');
  });

  it('that hangs is ended', async () => {
    const text = await measure(script('hang', `echo '${env}'; exec sleep 60`), request, {...watch, patience: 0.5});
    expect(text).toContain('"code":"TIMEOUT","message":"no line for 0.5 s"');
  });

  it('that writes nothing is a message with what it said', async () => {
    await expect(measure(script('mute', 'echo cannot start >&2; exit 3'), request, watch)).rejects.toThrow(
      'CRASHED: calib-bench ended with 3 and wrote nothing: cannot start',
    );
  });

  it('that is not there is a message', async () => {
    await expect(measure(join(folder, 'absent'), request, watch)).rejects.toThrow('absent cannot be run');
  });

  it('is given the points, and its progress is told', async () => {
    const told: number[] = [];
    const path = script(
      'echo',
      `echo '${env}'; read -r line; echo "{\\"v\\":1,\\"kind\\":\\"crash\\",\\"message\\":\\"$line\\"}"; echo '{"v":1,"kind":"progress","done":1,"of":2}'`,
    );
    const text = await measure(path, request, {...watch, onProgress: ({done, of}) => told.push(done / of)});
    expect(text).toContain('"message":"gemm bf16 m=1 n=64 k=64"');
    expect(told).toEqual([0.5]);
  });
});

describe('lines from another machine', () => {
  it('are imported as a profile, and two of those compared', async () => {
    const [quick, slow, halved] = ['quick', 'slow', 'halved'].map((name) => join(folder, `${name}.jsonl`));
    writeFileSync(quick, inventedLines());
    writeFileSync(slow, inventedLines({...plainMachine, W: 2e10, P: {fp32: 5e10, bf16: 2e11, int8: 4e11}}));
    writeFileSync(halved, inventedLines(plainMachine, {end: false}));
    const profiles = [quick, slow].map((path) => path.replace('.jsonl', '.json'));
    const {code, out} = await caught('import', quick, '--out', profiles[0]);
    expect([code, out]).toEqual([0, expect.stringMatching(/^gemm\.bf16 +16 /m)]);
    await caught('import', slow, '--out', profiles[1]);
    const diff = await caught('diff', ...profiles);
    expect(diff.out).toMatch(/^gemm\.bf16 +\+\d+\.\d % .* slower$/m);
    const refused = await caught('import', halved, '--out', profiles[0]);
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('the run on cpu has no end, so points are missing; --partial takes it as it is'),
    ]);
    expect((await caught('import', halved, '--out', profiles[0], '--partial')).code).toBe(0);
  });

  it('a table without --device is refused', async () => {
    const {code, err} = await caught('import', 'scenarios/examples/synthetic-gemm.csv', '--out', join(folder, 'x.json'));
    expect([code, err]).toEqual([2, '--device is missing: a kernel table does not say what it was measured on\n']);
  });
});
