import {execFileSync} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {afterAll, describe, expect, it} from 'vitest';
import {fakeLibraries, has} from '../support/fake-cuda.js';
import {type Line, missing, runProgram} from '../support/native.js';

const root = join(import.meta.dirname, '../..');
const native = join(root, 'native');
const folder = mkdtempSync(join(tmpdir(), 'cuda-build-'));
afterAll(() => rmSync(folder, {recursive: true}));

const nvcc = has('nvcc') && has('ptxas');
const text = (file: string) => readFileSync(join(native, file), 'utf8');
const entries = (ptx: string) => [...ptx.matchAll(/\.visible \.entry (\w+)\(/g)].map(([, name]) => name).sort();

interface Image {
  readonly cudaImage: (folder: string) => Promise<{path: string; reason: string | null}>;
  readonly freshPtx: (folder: string) => Promise<string>;
}
const image = (await import('../../native/cuda-image.mjs' as string)) as Image;

describe('the committed kernels.ptx', () => {
  const ptx = text('src/cuda/kernels.ptx');

  it('has every kernel that the host launches', () => {
    const launched = readdirSync(join(native, 'src/cuda/ops')).flatMap((file) => [
      ...text(`src/cuda/ops/${file}`).matchAll(/launch\(\s*"(\w+)"|"((?:fill|gemv_\w+_m|decode_g)\w*)"/g),
    ]);
    const names = [...new Set(launched.map(([, direct, part]) => direct ?? part ?? ''))];
    expect(names.length).toBeGreaterThan(15);
    for (const name of names)
      expect(
        entries(ptx).some((entry) => entry === name || (/_[mg]$/.test(name) && entry?.startsWith(name))),
        name,
      ).toBe(true);
  });

  it('is PTX 7.0 for compute capability 8.0, which drivers since R450 read', () => {
    expect(ptx).toMatch(/^\.version 7\.0$/m);
    expect(ptx).toMatch(/^\.target sm_80$/m);
  });

  it.skipIf(!nvcc)(`is what this source makes${nvcc ? '' : ' (no nvcc)'}`, async () => {
    const version = (all: string) => /release (\d+\.\d+)/.exec(all)?.[1];
    const here = version(execFileSync('nvcc', ['--version'], {encoding: 'utf8'}));
    const fresh = await image.freshPtx(folder);
    expect(entries(fresh)).toEqual(entries(ptx));
    // The file was made by release 13.0; another release orders instructions differently.
    if (here === '13.0') expect(fresh).toBe(ptx);
  });

  it.skipIf(!nvcc)(
    `assembles for every target from 8.0 on that nvcc knows${nvcc ? '' : ' (no nvcc)'}`,
    () => {
      const targets = execFileSync('nvcc', ['--list-gpu-code'], {encoding: 'utf8'}).trim().split(/\s+/);
      const newer = targets.filter((target) => Number(target.replace('sm_', '')) >= 80);
      expect(newer.length).toBeGreaterThanOrEqual(5);
      for (const target of newer)
        execFileSync('ptxas', [`-arch=${target}`, join(native, 'src/cuda/kernels.ptx'), '-o', join(folder, 'out.cubin')]);
    },
    240_000,
  );
});

describe.skipIf(missing.bench !== null || process.platform !== 'linux')('a build', () => {
  // A copy with the objects that were built already: only what the tools decide is made anew.
  const copy = join(folder, 'copy/native');
  mkdirSync(join(folder, 'copy'));
  cpSync(native, copy, {recursive: true, preserveTimestamps: true});
  symlinkSync(join(root, 'node_modules'), join(folder, 'copy/node_modules'));

  const install = (path: string) =>
    execFileSync(process.execPath, [join(copy, 'install.mjs')], {encoding: 'utf8', env: {...process.env, PATH: path, CXX: ''}});

  /** A folder with the tools of PATH but those of `without`. */
  const pathWithout = (without: RegExp) => {
    const tools = mkdtempSync(join(folder, 'path-'));
    for (const place of (process.env['PATH'] ?? '').split(delimiter)) {
      let names: string[] = [];
      try {
        names = readdirSync(place);
      } catch {
        // Not every folder of PATH is there.
      }
      for (const name of names.filter((each) => !without.test(each))) {
        try {
          symlinkSync(join(place, name), join(tools, name));
        } catch {
          // The first of a name counts, as in PATH.
        }
      }
    }
    return tools;
  };

  const imageOf = async () => {
    const {lines} = await runProgram(
      join(copy, 'build/Release/calib-bench'),
      ['--device', 'cuda:0', '--plan', 'tiny', '--op', 'launch.host'],
      {
        LD_LIBRARY_PATH: fakeLibraries('cuda'),
      },
    );
    return (lines[0] as Line & {gpu: {image: string}}).gpu.image;
  };

  it('without nvcc embeds the PTX, and the bench and the addon are built', async () => {
    rmSync(join(copy, 'build/kernels.fatbin'), {force: true});
    expect(install(pathWithout(/^nvcc/))).toBe('native: calib-bench is built\nnative: calib.node is built\n');
    expect(await imageOf()).toBe('ptx');
  }, 240_000);

  it.skipIf(!nvcc)(
    `with nvcc embeds a fat binary${nvcc ? '' : ' (no nvcc)'}`,
    async () => {
      expect(install(process.env['PATH'] ?? '')).toContain('native: calib-bench is built');
      expect(await imageOf()).toBe('fatbin');
    },
    240_000,
  );

  it('without a compiler says so and ends well', () => {
    expect(install(pathWithout(/^(nvcc|c\+\+|g\+\+|clang\+\+)/))).toMatch(/calib-bench skipped: no C\+\+ compiler was found/);
  });
});

describe.skipIf(!has('clang++'))(`metal.mm${has('clang++') ? '' : ' (no clang++)'}`, () => {
  const stub = join(import.meta.dirname, 'metal-stub');
  const check = (file: string, flags: string[]) =>
    execFileSync('clang++', ['-fsyntax-only', '-Werror', '-I', stub, ...flags, file], {encoding: 'utf8', stdio: 'pipe'});
  const objective = ['-x', 'objective-c++', '-std=c++17', '-fobjc-arc', '-fobjc-runtime=macosx-12', '-Wall'];

  it('is Objective-C++ that agrees with what we know of Apple’s frameworks; a wrong selector is an error', () => {
    const source = join(native, 'src/metal/metal.mm');
    check(source, objective);
    const wrong = join(folder, 'wrong.mm');
    const text = readFileSync(source, 'utf8').replaceAll('#include "', `#include "${native}/src/metal/`);
    execFileSync('sh', ['-c', 'cat > "$0"', wrong], {input: text.replace('[commands commit]', '[commands comit]')});
    expect(() => check(wrong, objective)).toThrow(/comit/);
  });

  it('has kernels that are C++14 of the right types, as Metal’s language is', () => {
    const source = /MSL\((.*)\)MSL/s.exec(text('src/metal/kernels_msl.h'))?.[1] ?? '';
    expect([...source.matchAll(/^kernel void (\w+)/gm)]).toHaveLength(8);
    const file = join(folder, 'kernels.cc');
    execFileSync('sh', ['-c', 'cat > "$0"', file], {input: source});
    check(file, ['-std=c++14', '-Wno-unknown-attributes', '-Wno-ignored-attributes']);
  });
});
