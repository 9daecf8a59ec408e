import {describe, expect, it} from 'vitest';
import {missing, runBench} from '../support/native.js';

const ops = ['gemm', 'attn.decode', 'attn.prefill'];

describe.skipIf(missing.bench !== null)(`kernels on random numbers${missing.bench === null ? '' : ` (${missing.bench})`}`, async () => {
  const [env] = missing.bench === null ? (await runBench(['--plan', 'tiny', '--op', 'mem.latency'])).lines : [];
  const sets = (env?.['kernelsHere'] as string[] | undefined) ?? [];

  it('there is a set for every processor, and the best one is taken', () => {
    expect(sets).toContain('generic');
    expect(env['kernels']).toBe(sets[0]);
  });

  it.each(sets)('%s: every kernel agrees with sums in double precision, int8 exactly', async (set) => {
    const {code, lines} = await runBench(['--plan', 'tiny', ...ops.flatMap((op) => ['--op', op])], {CALIB_ISA: set});
    expect(code).toBe(0);
    const checks = lines.filter(({kind}) => kind === 'check') as unknown as {
      op: string;
      dtype: string;
      impl: string;
      error: number;
      tolerance: number;
    }[];
    expect(checks.map(({op, dtype}) => `${op}.${dtype}`).sort()).toEqual([
      'attn.decode.bf16',
      'attn.prefill.bf16',
      'gemm.bf16',
      'gemm.fp32',
      'gemm.int4_g32',
      'gemm.int8',
    ]);
    const limits: Record<string, number> = {fp32: 1e-5, int8: 0, int4_g32: 1e-4, bf16: 1e-2};
    for (const {impl, dtype, error, tolerance} of checks) {
      expect(impl).toBe(set);
      expect(error).toBeLessThanOrEqual(limits[dtype]);
      expect(tolerance).toBeLessThanOrEqual(limits[dtype]);
    }
    expect(lines.filter(({kind, status}) => kind === 'sample' && status !== 'ok')).toEqual([]);
  });

  it('a set that this processor has not is refused by name', async () => {
    const {code, lines} = await runBench(['--plan', 'tiny'], {CALIB_ISA: 'sse9'});
    expect([code, lines[0]]).toEqual([2, expect.objectContaining({code: 'UNSUPPORTED_ARCH', message: expect.stringContaining('it has')})]);
  });
});
