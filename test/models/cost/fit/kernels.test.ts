import {describe, expect, it} from 'vitest';
import {causalArea} from '../../../../src/models/cost/fit/kernels/attention.js';
import {kernelNamed} from '../../../../src/models/cost/fit/kernels/index.js';
import type {KernelWork} from '../../../../src/models/cost/fit/kernels/kernel.js';
import {touchedExperts} from '../../../../src/models/cost/fit/kernels/moe.js';

function workOf(name: string, shape: readonly number[]): KernelWork {
  const work = {flops: Number.NaN, bytes: Number.NaN};
  kernelNamed(name).work(shape, work);
  return work;
}

describe('the work of a kernel', () => {
  it('gemm: 2mnk FLOP; weights, inputs and outputs once', () => {
    // 2 rows through 3 × 5 weights: 2·2·3·5 = 60; 15 + 10 + 6 = 31 numbers of 2 bytes.
    expect(workOf('gemm.bf16', [2, 3, 5])).toEqual({flops: 60, bytes: 62});
  });

  it('gemm in fp8: weights and inputs of 1 byte, outputs of 2', () => {
    expect(workOf('gemm.fp8', [2, 3, 5])).toEqual({flops: 60, bytes: 15 + 10 + 12});
  });

  it.each([
    ['a whole prompt of 4', 4, 0, 0, 1 + 2 + 3 + 4],
    ['2 tokens behind a prefix of 3', 2, 3, 0, 4 + 5],
    ['a window of 2 over a prompt of 4', 4, 0, 2, 1 + 2 + 2 + 2],
    ['a window that the prefix fills', 3, 5, 4, 4 + 4 + 4],
    ['a window that the chunk runs into', 3, 2, 4, 3 + 4 + 4],
  ])('the causal area of %s', (_what, tokens, prefix, window, area) => {
    expect(causalArea(tokens, prefix, window)).toBe(area);
  });

  it('prefill attention: 4 × area × heads × head dim; queries and outputs, keys and values once', () => {
    // 1 prompt, 2 tokens behind 3, 4 heads, 2 KV heads, head dim 8: area 9; 2·8·(4·2 + 2·5) numbers.
    expect(workOf('attn.prefill.bf16', [1, 2, 3, 4, 2, 8, 0])).toEqual({flops: 4 * 9 * 4 * 8, bytes: 2 * 8 * (8 + 10) * 2});
  });

  it('prefill attention with a window reads only what the chunk can reach', () => {
    // Window 2, 2 tokens behind 3: the first reaches back 1, so 3 of the 5 keys are read.
    expect(workOf('attn.prefill.bf16', [1, 2, 3, 4, 2, 8, 2]).bytes).toBe(2 * 8 * (4 * 2 + 2 * 3) * 2);
  });

  it('decode attention: keys and values of the context once, clipped at the window', () => {
    // 3 sequences over 10 tokens, 4 heads, 2 KV heads, head dim 8.
    expect(workOf('attn.decode.bf16', [3, 10, 4, 2, 8, 0])).toEqual({flops: 4 * 3 * 4 * 8 * 10, bytes: 2 * 3 * 8 * (4 + 20) * 2});
    expect(workOf('attn.decode.bf16', [3, 10, 4, 2, 8, 5]).flops).toBe(4 * 3 * 4 * 8 * 5);
  });

  it('decode attention over an fp8 cache reads half the bytes of it', () => {
    expect(workOf('attn.decode.bf16.kv_fp8', [3, 10, 4, 2, 8, 0]).bytes).toBe(2 * 3 * 8 * (4 * 2 + 20 * 1));
  });

  it('a mixed call is the chunk and the decodes together', () => {
    const chunk = workOf('attn.prefill.bf16', [1, 2, 3, 4, 2, 8, 0]);
    const decodes = workOf('attn.decode.bf16', [3, 10, 4, 2, 8, 0]);
    expect(workOf('attn.mixed.bf16', [2, 3, 3, 10, 4, 2, 8])).toEqual({
      flops: chunk.flops + decodes.flops,
      bytes: chunk.bytes + decodes.bytes,
    });
    expect(workOf('attn.mixed.bf16', [0, 0, 3, 10, 4, 2, 8])).toEqual(decodes);
  });

  it('balanced routing touches min(E, k·t) experts, independent draws E(1 − (1 − k/E)^t)', () => {
    expect(touchedExperts('balanced', 8, 2, 3)).toBe(6);
    expect(touchedExperts('balanced', 8, 2, 5)).toBe(8);
    // 8 experts, 2 of them taken by each of 2 tokens: 8·(1 − 0.75²) = 3.5.
    expect(touchedExperts('uniform', 8, 2, 2)).toBe(3.5);
  });

  it('experts: three matrices of each touched one, rows of every token for each expert it takes', () => {
    // 3 tokens, hidden 4, width 5, 2 of 8 experts, 4 on this device: 3 of 6 touched, 3 of 6 rows.
    expect(workOf('moe.bf16.balanced', [3, 4, 5, 2, 8, 4])).toEqual({
      flops: 6 * 3 * 4 * 5,
      bytes: 3 * (3 * 4 * 5) * 2 + 3 * (4 * 4 + 3 * 5 * 2),
    });
    expect(workOf('moe.bf16.stated', [3, 4, 5, 2, 8, 8, 1]).bytes).toBe(60 * 2 + 6 * (16 + 30));
  });

  it('latent attention decodes over the latent: 576 numbers of each cached token', () => {
    // 1 sequence, 10 tokens, 2 heads: 2·2·10·(2·512 + 64).
    expect(workOf('mla.decode.bf16', [1, 10, 2])).toEqual({flops: 43_520, bytes: (10 * 576 + 2 * 1088) * 2});
  });

  it('the module of latent attention has the weights of its projections too', () => {
    const inner = workOf('mla.decode.bf16', [1, 10, 2]);
    const down = 7168 * (1536 + 576);
    const heads = 2 * (1536 * 192 + 512 * 256 + 128 * 7168);
    expect(workOf('mla_module.decode.bf16.bf16', [1, 10, 2])).toEqual({
      flops: inner.flops + 2 * (down + heads),
      bytes: inner.bytes + 2 * (down + heads) + 2 * 7168 * 2,
    });
  });

  it('elementwise operators stream: 3 numbers for each output of an addition', () => {
    expect(workOf('add.bf16', [10, 4])).toEqual({flops: 40, bytes: 10 * 4 * 3 * 2});
  });

  it('a collective moves the bytes of its message', () => {
    expect(workOf('all_reduce.nccl.16gpu.8pernode', [1024])).toEqual({flops: 0, bytes: 1024});
  });
});

describe('the name of a kernel', () => {
  it.each([
    'gemm.fp8_block',
    'attn.prefill.bf16.kv_fp8',
    'attn.mixed.bf16',
    'moe.fp8.power_law_1_2',
    'mla_module.prefill.fp8.bf16',
    'rmsnorm.fp16',
    'all_gather.nccl.8gpu.8pernode',
    'storage.read',
  ])('%s names itself', (name) => {
    expect(kernelNamed(name).name).toBe(name);
  });

  it.each([
    ['gem.bf16', 'unknown kernel "gem" (did you mean "gemm"?)'],
    ['gemm.bf61', 'unknown kernel format "bf61" (did you mean "bf16"?)'],
    ['attn.decode.bf16.fp8', 'unknown kernel "attn.decode.bf16.fp8" (did you mean "attn.decode.bf16.kv_fp8"?)'],
  ])('%s is refused with the nearest one', (name, message) => {
    expect(() => kernelNamed(name)).toThrow(message);
  });
});
