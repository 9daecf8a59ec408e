/** A fit of a roofline with its error, as a profile writes it. */
function rooflineFit(P: string, W: string, o: string, range: object, error: object, source = 'a hand-made table') {
  return {form: 'max/1', P, W, o, p: 64, range, error, grade: 'fitted', source};
}

/** Errors with a mean of `mape`; 80 % of measured/predicted lies between `low` and `high`. */
function error(mape: number, low: number, high: number, n: number) {
  return {mape, p50: mape / 2, p90: 2 * mape, bias: mape / 10, interval: [low, high], n};
}

/** A profile small enough to work by hand: one kernel of each kind, on an H100's figures; `name` stands wherever a file may have text of its own. */
export function exampleProfile(name = 'Toy accelerator') {
  return {
    profile: 1,
    id: 'toy',
    kind: 'gpu',
    name,
    extends: 'h100-sxm',
    fits: {
      'gemm.bf16': rooflineFit(
        '400 TFLOP/s',
        '2000 GB/s',
        '10 us',
        {m: [1, 4], n: [4096, 4096], k: [4096, 4096]},
        error(0.04, 0.8, 1.25, 225),
        name,
      ),
      'gemm.fp8': rooflineFit('800 TFLOP/s', '2000 GB/s', '10 us', {m: [1, 8192], n: [64, 8192], k: [64, 8192]}, error(0.08, 0.9, 1.1, 50)),
      'add_rmsnorm.bf16': rooflineFit(
        '100 TFLOP/s',
        '3000 GB/s',
        '3 us',
        {tokens: [1, 8192], width: [4096, 4096]},
        error(0.02, 0.95, 1.05, 40),
      ),
      'all_reduce.nccl.2gpu.2pernode': {
        form: 'alpha-beta/1',
        a: ['10 us'],
        W: ['100 GB/s'],
        range: {bytes: [1_000_000, 4_000_000]},
        error: error(0.03, 0.9, 1.2, 12),
        grade: 'fitted',
        source: 'a hand-made table',
      },
    },
    quality: {
      grade: 'B',
      reasons: ['made by hand', `worst kernel: gemm.fp8 of ${name}`],
      dropped: [{kernel: 'gemm.bf16', reason: `faster than the memory allows, says ${name}`, rows: 7}],
    },
    kernels: {'gemm.bf16': name},
  };
}
