import {expect, it} from 'vitest';
import {engineProfile} from '../../src/models/engines/index.js';
import {grades} from '../../src/models/provenance.js';

const MIB = 2 ** 20;
const sglang = engineProfile('sglang', null);

/** The defaults on a device of so many MiB, as `nvidia-smi` gives them. */
function defaults(memory: number, tensor: number) {
  const on = {memoryBytes: memory * MIB, id: 'a device', tensor};
  const {maxNumBatchedTokens, maxNumSeqs} = sglang.limits(on);
  const {gpuMemoryUtilization, graphs} = sglang.placed!(on, maxNumBatchedTokens);
  return {chunk: maxNumBatchedTokens, share: gpuMemoryUtilization.value, largest: graphs!.sizes.at(-1), maxNumSeqs};
}

it.each([
  // 512 + 1.5 × 2048 + 2 × 8 + 128 = 3728 MiB of 16384
  ['T4', 16_384, 1, 2048, 0.772, 8],
  // 512 + 1.5 × 2048 + 2 × 24 + 128 = 3760 of 24564
  ['RTX 4090', 24_564, 1, 2048, 0.847, 24],
  // 512 + 3072 + 2 × 80 + 512 = 4256 of 24564
  ['4 × RTX 4090', 24_564, 4, 2048, 0.827, 80],
  // 512 + 1.5 × 4096 + 2 × 32 + 128 = 6848 of 46068
  ['L40S', 46_068, 1, 4096, 0.851, 32],
  // 512 + 1.5 × 8192 + 2 × 256 + 128 = 13440 of 81559
  ['H100', 81_559, 1, 8192, 0.835, 256],
  // 512 + 12288 + 2 × 512 + 1024 = 14848 of 81559
  ['8 × H100', 81_559, 8, 8192, 0.818, 512],
  // 13440 of 143771
  ['H200', 143_771, 1, 8192, 0.907, 256],
  // 512 + 1.5 × 16384 + 2 × 512 + 128 = 26240 of 183359
  ['B200', 183_359, 1, 16_384, 0.857, 512],
])(
  'SGLang on %s (%d MiB, tensor %d): chunks of %d tokens, %d of the memory for weights and KV, graphs of up to %d sequences',
  (_, memory, tensor, chunk, share, largest) => {
    expect(defaults(memory, tensor)).toEqual({chunk, share, largest, maxNumSeqs: 2048});
  },
);

it('keeps at least 10 GiB free of a device of more than 60', () => {
  const on = {memoryBytes: 81_559 * MIB, id: 'h100', tensor: 1};
  expect(sglang.placed!(on, 1024).gpuMemoryUtilization.value).toBe(0.874); // 512 + 3072 + 512 + 128 = 4224 MiB would do; 10240 of 81559 are kept
});

it('captures graphs as SGLang lists them', () => {
  const on = {memoryBytes: 24_564 * MIB, id: 'rtx-4090', tensor: 4};
  expect(sglang.placed!(on, 2048).graphs!.sizes).toEqual([1, 2, 4, 8, 12, 16, 24, 32, 40, 48, 56, 64, 72, 80]);
  const large = sglang.placed!({...on, memoryBytes: 81_559 * MIB}, 8192).graphs!.sizes;
  expect([large.length, large.slice(-3)]).toEqual([5 + 31 + 15 + 1, [480, 496, 512]]);
});

it('runs prompts alone, retracts, publishes a block after its step, and writes generated blocks below', () => {
  expect(sglang).toMatchObject({
    version: '0.5',
    steps: 'prefill-first',
    preemption: 'retract',
    publishes: 'step',
    inFlight: 2,
    blockSize: 1,
    offloads: 'all',
    overlap: 'layer',
    reservedBlocks: 0,
    needsFullContext: false,
  });
});

it('claims no measured overhead', () => {
  const {overhead, launchPerLayer, reserve} = sglang;
  for (const figure of [...Object.values(overhead), launchPerLayer, ...Object.values(reserve)]) {
    expect(grades).toContain(figure.grade);
    expect(figure.grade).toBe('assumed');
    expect(figure.source).not.toBe('');
  }
});

it('refuses releases whose defaults were others', () => {
  expect(engineProfile('sglang', '0.5.8').version).toBe('0.5.8');
  expect(() => engineProfile('sglang', '0.4.10')).toThrow('engine.version: sglang 0.4.10 is not known; known: 0.5');
});
