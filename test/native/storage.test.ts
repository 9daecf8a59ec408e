import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, rmSync, statfsSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, it} from 'vitest';
import {bench, type Line, missing, runBench} from '../support/native.js';

const folder = mkdtempSync(join(tmpdir(), 'tiercast-storage-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));
const tiny = ['--device', 'storage', '--plan', 'tiny'];
const samples = (lines: readonly Line[]) => lines.filter(({kind}) => kind === 'sample');
const TMPFS = 0x01021994;

// Without a disk that has 5 GB free there is nothing to measure, and the refusals below say so.
const {bavail, bsize, type} = statfsSync(folder);
const measurable = bavail * bsize > 6e9 && type !== TMPFS;

describe.skipIf(missing.bench !== null)(`storage${missing.bench === null ? '' : ` (${missing.bench})`}`, () => {
  describe.skipIf(!measurable)('in a folder on a disk with 6 GB free', () => {
    it.each([
      ['io_uring, or pread where the kernel refuses it', {}],
      ['pread where io_uring is refused', {CALIB_NO_URING: '1'}],
    ])('reads by %s, and leaves nothing behind', async (_what, env) => {
      const {code, lines} = await runBench([...tiny, '--folder', folder], env);
      expect(code).toBe(0);
      const {storage} = lines[0] as unknown as {storage: {engine: string; fallback?: string; direct: boolean}};
      expect(storage.engine).toBe(storage.fallback === undefined ? 'io_uring' : 'pread');
      if ('CALIB_NO_URING' in env) expect(storage.engine).toBe('pread');
      expect(samples(lines)).toHaveLength(4);
      for (const sample of samples(lines)) expect(sample).toMatchObject({status: 'ok', impl: storage.engine});
      expect(readdirSync(folder)).toEqual([]);
    });

    it('keeps its file without a name while it runs, so that even a killed run leaves nothing', async () => {
      const child = spawn(bench, ['--device', 'storage', '--plan', 'full', '--op', 'storage.read', '--folder', folder]);
      await new Promise((resolve) => child.stdout.once('data', resolve));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(readdirSync(folder)).toEqual([]);
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('close', resolve));
      expect(readdirSync(folder)).toEqual([]);
    });

    it('writes no more than a run may: the file, and one point of 64 MiB at most; the next is skipped', async () => {
      const points = [4096, 8192, 16384].map((bytes) => `storage.write - bytes=${bytes} depth=1`).join('\n');
      const allowed = 8 * 2 ** 20 + 64 * 2 ** 20;
      const {lines} = await runBench([...tiny, '--folder', folder, '--most-written', String(allowed), '--points', '-'], {}, points);
      expect(
        samples(lines)
          .map(({status}) => status)
          .sort(),
      ).toEqual(['ok', 'skipped', 'skipped']);
      for (const skipped of samples(lines).filter(({status}) => status === 'skipped'))
        expect(skipped).toMatchObject({code: 'BUDGET', message: expect.stringContaining(`${allowed} bytes`)});
    });

    it('a file that may not grow (ulimit -f) is NO_SPACE, not the end of the process', () => {
      const {stdout} = spawnSync('sh', ['-c', `ulimit -f 100; exec "${bench}" ${tiny.join(' ')} --folder "${folder}"`], {encoding: 'utf8'});
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
      expect(samples(lines)).toHaveLength(4);
      for (const sample of samples(lines)) expect(sample).toMatchObject({status: 'skipped', code: 'NO_SPACE'});
      expect(lines.at(-1)).toMatchObject({kind: 'end'});
    });

    it.each([
      ['storage.read - bytes=5000 depth=1', 'bytes are a multiple of 4096'],
      ['storage.read - bytes=4096 depth=1000', 'the depth is 1 to 256'],
    ])('skips "%s"', async (point, message) => {
      const {lines} = await runBench([...tiny, '--folder', folder, '--points', '-'], {}, point);
      expect(samples(lines)[0]).toMatchObject({status: 'skipped', code: 'USAGE', message: expect.stringContaining(message)});
    });
  });

  it('a folder that is not there is said, with 2', async () => {
    const {code, lines} = await runBench([...tiny, '--folder', join(folder, 'nowhere')]);
    expect([code, lines[0]]).toEqual([
      2,
      expect.objectContaining({kind: 'error', code: 'PERMISSION', message: expect.stringContaining('nowhere cannot be used')}),
    ]);
  });

  const memory = '/dev/shm';
  it.skipIf(!existsSync(memory) || statfsSync(memory).type !== TMPFS)('a file system in memory is refused as a disk', async () => {
    const {lines} = await runBench([...tiny, '--folder', memory]);
    for (const sample of samples(lines))
      expect(sample).toMatchObject({status: 'skipped', code: 'NO_O_DIRECT', message: expect.stringContaining('--buffered')});
    expect(samples(lines)).toHaveLength(4);
  });

  it.skipIf(!existsSync(memory) || statfsSync(memory).type !== TMPFS || statfsSync(memory).bavail * statfsSync(memory).bsize < 6e9)(
    'is measured through the page cache when that is asked for',
    async () => {
      const {lines} = await runBench([...tiny, '--folder', memory, '--buffered']);
      for (const sample of samples(lines)) expect(sample).toMatchObject({status: 'ok'});
    },
  );
});
