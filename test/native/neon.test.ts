import {execFile, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, statSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, it} from 'vitest';
import {runProgram} from '../support/native.js';

const run = promisify(execFile);
const compiler = 'aarch64-linux-gnu-g++';
const emulator = 'qemu-aarch64-static';
const has = (name: string) => spawnSync(name, ['--version']).status === 0;
const reason = process.platform !== 'linux' ? 'not on Linux' : !has(compiler) ? `no ${compiler}` : !has(emulator) ? `no ${emulator}` : null;

const folder = 'native/build/aarch64';

/** calib-bench for 64-bit ARM; objects that are newer than every source are kept. */
async function crossBuild(): Promise<string> {
  const {headers, sharedSources} = (await import('../../native/sources.mjs' as string)) as {
    headers(): string[];
    sharedSources(platform: string): string[];
  };
  const sources = [...sharedSources('linux'), 'src/main.cc'];
  const newest = Math.max(...[...headers(), ...sources].map((file) => statSync(join('native', file)).mtimeMs));
  mkdirSync(folder, {recursive: true});
  const ptx = join(process.cwd(), 'native/src/cuda/kernels.ptx');
  const image = existsSync(ptx) ? [`-DCALIB_CUDA_IMAGE="${ptx}"`] : [];
  const objects = sources.map((source) => join(folder, `${source.replaceAll('/', '-')}.o`));
  const waiting = sources
    .map((source, i) => ({source, object: objects[i]}))
    .filter(({object}) => !existsSync(object) || statSync(object).mtimeMs < newest);
  const work = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      await run(compiler, [
        '-std=c++17',
        '-O1',
        '-ffp-contract=fast',
        '-Wno-psabi',
        '-pthread',
        ...image,
        '-c',
        join('native', job.source),
        '-o',
        job.object,
      ]);
    }
  };
  await Promise.all(Array.from({length: availableParallelism()}, work));
  const bench = join(folder, 'calib-bench');
  await run(compiler, ['-static', '-pthread', ...objects, '-ldl', '-o', bench]);
  return bench;
}

const bench = reason === null ? await crossBuild() : '';

/** Emulated: what is shown is that the results are right, not how fast they come. */
const check = (cpu: string, isa: string, ops: readonly string[]) =>
  runProgram(emulator, ['-cpu', cpu, bench, '--plan', 'tiny', '--threads', '1', ...ops.flatMap((op) => ['--op', op])], {CALIB_ISA: isa});

it.skipIf(reason !== null).each(['neon-dot', 'neon', 'generic'])(
  `%s on an emulated ARM processor agrees with sums in double precision${reason === null ? '' : ` (${reason})`}`,
  async (isa) => {
    const {code, lines} = await check('max', isa, ['gemm', 'attn.decode', 'attn.prefill']);
    expect(code).toBe(0);
    const checks = lines.filter(({kind}) => kind === 'check');
    expect(checks).toHaveLength(6);
    for (const line of checks) expect(line).toMatchObject({impl: isa, ok: true});
  },
);

it.skipIf(reason !== null)('an ARM processor without dot products is not given kernels that need them', async () => {
  const {lines} = await check('cortex-a72', 'neon-dot', ['gemm']);
  expect(lines).toEqual([
    expect.objectContaining({kind: 'error', code: 'UNSUPPORTED_ARCH', message: expect.stringContaining('it has neon, generic')}),
  ]);
});
