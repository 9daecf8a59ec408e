import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {fakeLibraries, has, runOnFake} from '../support/fake-cuda.js';
import {bench, type Line, missing, runBench} from '../support/native.js';

// The fake driver runs the kernels' own source on the CPU (test/native/fake/host_cuda.h): indices, reductions, barriers and arguments are tested,
// and so is the host's side. What nvcc makes of the source, and every time, can only be seen on a GPU (native/gpu-check.sh).
const reason = missing.bench ?? (process.platform !== 'linux' ? 'CUDA is for Linux here' : has('g++') ? null : 'no g++');
const of = (lines: readonly Line[], kind: string) => lines.filter((line) => line.kind === kind);
const statuses = (lines: readonly Line[]) => of(lines, 'sample').map(({op, dtype, status, code}) => [op, dtype, status, code]);

describe.skipIf(reason !== null)(`calib-bench --device cuda:0${reason === null ? '' : ` (${reason})`}`, () => {
  let whole: string;
  let driverOnly: string;
  beforeAll(() => {
    whole = fakeLibraries('cuda', 'cublas', 'nvml');
    driverOnly = fakeLibraries('cuda');
  }, 120_000);

  it('says NO_CUDA_DRIVER and ends with 2 where there is no driver', async () => {
    const {code, lines} = await runBench(['--device', 'cuda:0', '--plan', 'tiny'], {LD_LIBRARY_PATH: '/nowhere'});
    if (code === 0) return; // a machine with a GPU
    expect(code).toBe(2);
    expect(lines).toEqual([expect.objectContaining({kind: 'error', ok: false, code: expect.stringMatching(/^NO_(CUDA_DRIVER|DEVICE)$/)})]);
  });

  it.each([
    ['no-device', 'NO_DEVICE', /finds no device/],
    ['init-failure', 'NO_CUDA_DRIVER', /does not start/],
    ['old-driver', 'DRIVER_TOO_OLD', /CUDA 10\.2; the kernels need 11\.0/],
  ])('a driver in state %s is one error line and 2', async (mode, code, message) => {
    const ended = await runOnFake(driverOnly, [], {FAKE_CUDA: mode});
    expect(ended.code).toBe(2);
    expect(ended.lines).toEqual([expect.objectContaining({kind: 'error', ok: false, code, message: expect.stringMatching(message)})]);
  });

  it.each([
    ['cuda:1', 'NO_DEVICE', /the driver has cuda:0/],
    ['cuda:x', 'USAGE', /a number is due/],
  ])('%s is an error line', async (device, code, message) => {
    const ended = await runBench(['--device', device], {LD_LIBRARY_PATH: driverOnly});
    expect(ended.lines).toEqual([expect.objectContaining({kind: 'error', code, message: expect.stringMatching(message)})]);
  });

  it('compares every kernel with its reference, then times it: memory, links, launches, elementwise', async () => {
    const ops = ['mem.read', 'mem.write', 'mem.copy', 'mem.triad', 'mem.copy_engine', 'link.h2d', 'link.d2h', 'link.both'];
    ops.push('link.h2d_pageable', 'link.d2h_pageable', 'rmsnorm', 'silu_mul', 'add', 'rope');
    const launches = ['launch.kernel', 'launch.graph_kernel', 'launch.host', 'launch.round_trip'];
    const {code, lines, err} = await runOnFake(
      driverOnly,
      [...ops, ...launches].flatMap((op) => ['--op', op]),
    );
    expect([code, err]).toEqual([0, '']);
    expect(new Set(of(lines, 'check').map(({op}) => op))).toEqual(new Set(ops));
    for (const check of of(lines, 'check')) expect(check['error']).toBeLessThanOrEqual(check['tolerance'] as number);
    expect(of(lines, 'sample').map(({op}) => op)).toHaveLength(ops.length + launches.length);
    expect(of(lines, 'sample').filter(({status}) => status !== 'ok')).toEqual([]);
    expect(lines.at(-1)).toMatchObject({kind: 'end', ending: 'done'});
  });

  it('compares and times GEMV in bf16 and int4, decode attention with one split and several, and prefill attention', async () => {
    const {code, lines, err} = await runOnFake(
      driverOnly,
      ['gemv', 'attn.decode', 'attn.prefill'].flatMap((op) => ['--op', op]),
    );
    expect([code, err]).toEqual([0, '']);
    expect(of(lines, 'sample').filter(({status}) => status !== 'ok')).toEqual([]);
    const splits = of(lines, 'sample')
      .filter(({op}) => op === 'attn.decode')
      .map((line) => line['splits'] as number);
    expect([Math.min(...splits), Math.max(...splits)]).toEqual([1, 3]);
    expect(
      of(lines, 'check')
        .map(({op, dtype}) => `${op} ${dtype}`)
        .sort(),
    ).toEqual(['attn.decode bf16', 'attn.prefill bf16', 'gemv bf16', 'gemv int4_g32', 'mem.triad '].sort());
  }, 120_000);

  it('multiplies by cuBLAS in bf16, fp16, int8 and fp8, row by row as a linear layer does', async () => {
    const {lines, err} = await runOnFake(whole, ['--op', 'gemm']);
    expect(err).toBe('');
    expect(statuses(lines).sort()).toEqual(['bf16', 'fp16', 'fp8', 'int8'].map((dtype) => ['gemm', dtype, 'ok', null]));
    for (const line of of(lines, 'sample')) expect(line).toMatchObject({impl: 'cublas 13.0', flops: 2 * 16 * 32 * 64});
  });

  it('says NO_LIBRARY and how to name one where cuBLAS is not found', async () => {
    const {code, lines} = await runOnFake(driverOnly, ['--op', 'gemm'], {CALIB_CUBLAS: '/nowhere/libcublas.so.13'});
    expect(code).toBe(0);
    expect(statuses(lines)).toEqual([['gemm', 'bf16', 'skipped', 'NO_LIBRARY']]);
    expect(of(lines, 'sample')[0]?.['message']).toContain('CALIB_CUBLAS=');
  });

  it('skips a product in fp8 whose sizes cuBLASLt does not take, and goes on', async () => {
    const points = 'gemm fp8 m=16 n=24 k=64\ngemm fp8 m=16 n=32 k=64\n';
    const {lines} = await runBench(['--device', 'cuda:0', '--plan', 'tiny', '--points', '-'], {LD_LIBRARY_PATH: whole}, points);
    expect(
      statuses(lines)
        .map(([, , status, code]) => [status, code])
        .sort(),
    ).toEqual([
      ['ok', null],
      ['skipped', 'UNSUPPORTED_DTYPE'],
    ]);
  });

  it('writes clocks, power and temperature beside each sample, and a throttle that three pauses did not end', async () => {
    const [point] = of((await runOnFake(whole, ['--op', 'add'])).lines, 'sample');
    expect(point).toMatchObject({smMHz: 1400, memoryMHz: 1593, celsius: 55, watts: 123.456, throttle: 0});
    const [hot] = of((await runOnFake(whole, ['--op', 'add'], {FAKE_NVML: 'hot'})).lines, 'sample');
    expect(hot).toMatchObject({status: 'ok', throttle: 0x40});
  }, 120_000);

  it('writes a line for each second of a sustained load', async () => {
    const {lines} = await runOnFake(whole, ['--op', 'sustained']);
    expect(of(lines, 'sustained').map(({second}) => second)).toEqual(Array.from({length: 20}, (_, second) => second));
    expect(statuses(lines)).toEqual([['sustained', 'bf16', 'ok', null]]);
  });

  it('holds fewer copies where memory is short, skips what does not fit at all, and goes on', async () => {
    const env = {FAKE_CUDA: 'out-of-memory'};
    const {code, lines} = await runOnFake(whole, ['--op', 'gemm', '--op', 'mem.read', '--op', 'mem.triad'], env);
    expect(code).toBe(0);
    // The fake gives at most 192 KiB at once: 41 copies of 4 KiB fit without halving, 144 KiB fit, cuBLASLt's workspace does not.
    expect(statuses(lines).sort()).toEqual([
      ['gemm', 'bf16', 'ok', null],
      ['gemm', 'fp16', 'ok', null],
      ['gemm', 'fp8', 'skipped', 'OUT_OF_MEMORY'],
      ['gemm', 'int8', 'ok', null],
      ['mem.read', '', 'ok', null],
      ['mem.triad', '', 'ok', null],
    ]);
    const copies = Object.fromEntries(of(lines, 'sample').map(({dtype, rot}) => [dtype, rot]));
    expect(copies['bf16']).toBeLessThan(81);
    expect((copies['bf16'] as number) * 4096).toBeLessThanOrEqual(192 << 10);
  });

  it('takes no more than a quarter of the free memory', async () => {
    const small = {LD_LIBRARY_PATH: driverOnly, FAKE_CUDA_MEMORY: String(1 << 20)};
    const argv = ['--device', 'cuda:0', '--plan', 'tiny', '--points', '-'];
    const {lines} = await runBench(argv, small, `mem.read - bytes=${256 << 10}\nmem.read - bytes=${200 << 10}\n`);
    expect(
      statuses(lines)
        .map(([, , status, code]) => [status, code])
        .sort(),
    ).toEqual([
      ['ok', null],
      ['skipped', 'OUT_OF_MEMORY'],
    ]);
  });

  it('keeps its lines whole when a launch fails in the middle', async () => {
    const {code, lines} = await runOnFake(driverOnly, ['--op', 'mem.read', '--op', 'add'], {FAKE_CUDA: 'launch-failure'});
    expect(code).toBe(0);
    expect(of(lines, 'sample')).toHaveLength(2);
    for (const line of of(lines, 'sample'))
      expect(line).toMatchObject({status: 'failed', code: 'INTERNAL', message: expect.stringContaining('CUDA_ERROR_LAUNCH_FAILED')});
    expect(lines.at(-1)).toMatchObject({kind: 'end'});
  });

  it.each([
    ['gemv bf16 m=3 n=32 k=64', /m is 1, 2, 4 or 8/],
    ['attn.decode bf16 batch=1 context=64 heads=6 kv_heads=2 head_dim=128 window=0', /1, 4 or 8 heads/],
    ['attn.prefill bf16 batch=1 tokens=100 prefix=0 heads=2 kv_heads=1 head_dim=128 window=0', /steps of 64/],
    ['rmsnorm bf16 tokens=1 width=100', /multiple of 128/],
  ])('%s is refused with the shapes that can be measured', async (point, message) => {
    const {lines} = await runBench(['--device', 'cuda:0', '--plan', 'tiny', '--points', '-'], {LD_LIBRARY_PATH: driverOnly}, point);
    expect(of(lines, 'sample')).toEqual([
      expect.objectContaining({status: 'skipped', code: 'USAGE', message: expect.stringMatching(message)}),
    ]);
  });

  it.skipIf(!has('python3'))(
    `gpu-check's list passes what held and fails what did not${has('python3') ? '' : ' (no python3)'}`,
    async () => {
      const listOf = async (mode: string) => {
        const folder = mkdtempSync(join(tmpdir(), 'gpu-check-'));
        const {lines} = await runOnFake(whole, ['--op', 'mem.read', '--op', 'gemm'], {FAKE_CUDA: mode});
        writeFileSync(join(folder, 'bench.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
        writeFileSync(
          join(folder, 'torch.json'),
          JSON.stringify([
            {op: 'gemm', bench: 1.04, torch: 1},
            {op: 'copy', bench: 1, torch: 1.2},
          ]),
        );
        const script = join(import.meta.dirname, '../../native/gpu_check.py');
        return spawnSync('python3', [script, 'list', folder], {encoding: 'utf8'});
      };
      const held = await listOf('ok');
      expect(held.stdout).toMatch(/pass {2}no point failed \(0\)\n/);
      expect(held.stdout).toMatch(/pass {2}\d kernels agree/);
      expect(held.stdout).toMatch(/pass {2}gemm: 1 shapes within 5 %/);
      expect(held.stdout).toMatch(/FAIL {2}copy: 1 shapes within 5 % of PyTorch \(median -16\.7%/);
      const failed = await listOf('launch-failure');
      expect(failed.stdout).toMatch(/FAIL {2}no point failed \(\d\)\n[\s\S]*mem\.read .*CUDA_ERROR_LAUNCH_FAILED/);
      expect([held.status, failed.status]).toEqual([1, 1]);
    },
  );

  it('never asks for a setter: no symbol of it changes clocks, power, MIG or resets', () => {
    const text = execFileSync('strings', ['-a', bench], {encoding: 'utf8', maxBuffer: 64 << 20});
    expect(text).toContain('nvmlDeviceGetPowerUsage');
    expect(text).not.toMatch(/nvmlDevice(Set|Reset)|nvmlGpuInstance|cuDevicePrimaryCtxReset|cuMemAllocManaged/);
  });
});
