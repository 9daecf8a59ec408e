import {execFileSync} from 'node:child_process';
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {type Line, runBench} from './native.js';

const sources = join(import.meta.dirname, '../native/fake');
const libraries = {cuda: 'libcuda.so.1', cublas: 'libcublas.so.13', nvml: 'libnvidia-ml.so.1'} as const;

/** Builds the fake libraries that are named into a new folder and returns it. */
export function fakeLibraries(...names: (keyof typeof libraries)[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'fake-cuda-'));
  for (const name of names) {
    const flags = ['-std=c++17', '-O2', '-shared', '-fPIC', '-fvisibility=hidden', '-Wno-unknown-pragmas'];
    execFileSync('g++', [...flags, join(sources, `${name}.cc`), '-o', join(folder, libraries[name])]);
  }
  return folder;
}

/** Runs calib-bench on the fake GPU of `folder`, in the mode that test/native/fake/cuda.cc knows. */
export function runOnFake(
  folder: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{code: number | null; lines: Line[]; err: string}> {
  return runBench(['--device', 'cuda:0', '--plan', 'tiny', ...argv], {LD_LIBRARY_PATH: folder, CALIB_CUBLAS: undefined, ...env});
}

/** Whether a program can be started here. */
export function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
}
