import {expect, it} from 'vitest';
import {engineProfile} from '../../src/models/engines/index.js';
import {grades} from '../../src/models/provenance.js';
import {InputError} from '../../src/sim/core/errors.js';

it.each([
  ['0.11', 0.9],
  ['0.19.0', 0.9],
  ['v0.19.1', 0.9],
  ['0.20', 0.92],
  ['0.24.0', 0.92],
])('vLLM %s uses %d of the memory', (version, share) => {
  expect(engineProfile('vllm', version).gpuMemoryUtilization.value).toBe(share);
});

it('vLLM plans one step at a time until 0.13, and the next while one runs from 0.14 on', () => {
  expect(engineProfile('vllm', '0.13.0').inFlight).toBe(1);
  expect(engineProfile('vllm', '0.14.0').inFlight).toBe(2);
});

it('without a version the newest known one is meant, and named', () => {
  expect(engineProfile('vllm', null).version).toBe('0.24');
});

it('vLLM plans two steps ahead, keeps one block to itself and must hold a whole prompt', () => {
  expect(engineProfile('vllm', null)).toMatchObject({inFlight: 2, blockSize: 16, reservedBlocks: 1, needsFullContext: true, ideal: false});
});

it.each([
  ['h200-sxm', 141, 8192, 1024],
  ['b200-sxm', 178, 16_384, 1024],
  ['h100-sxm', 79.6, 8192, 1024],
  ['a100-sxm-80gb', 80, 2048, 256],
  ['rtx-4090', 23.5, 2048, 256],
])('defaults of vLLM follow the memory: %s with %d GiB has %d tokens and %d sequences a step', (id, gib, tokens, sequences) => {
  expect(engineProfile('vllm', null).limits({id, memoryBytes: gib * 2 ** 30, tensor: 1})).toEqual({
    maxNumBatchedTokens: tokens,
    maxNumSeqs: sequences,
  });
});

it('the ideal engine costs nothing', () => {
  const {overhead, launchPerLayer, reserve, gpuMemoryUtilization, inFlight, reservedBlocks, needsFullContext} = engineProfile(
    'ideal',
    null,
  );
  const all = [...Object.values(overhead), launchPerLayer, ...Object.values(reserve)].map((figure) => figure.value);
  expect(all.every((value) => value === 0)).toBe(true);
  expect({utilisation: gpuMemoryUtilization.value, inFlight, reservedBlocks, needsFullContext}).toEqual({
    utilisation: 1,
    inFlight: 1,
    reservedBlocks: 0,
    needsFullContext: false,
  });
});

it('every overhead says how far it can be trusted', () => {
  const {overhead, launchPerLayer, reserve} = engineProfile('vllm', null);
  for (const figure of [...Object.values(overhead), launchPerLayer, ...Object.values(reserve)]) {
    expect(grades).toContain(figure.grade);
    expect(figure.source).not.toBe('');
  }
});

it.each(['0.10', '0.25', '1.0', 'newest', '0.2', '0.19.x y'])('refuses vLLM %s, naming what is known', (version) => {
  expect(() => engineProfile('vllm', version)).toThrow(InputError);
  expect(() => engineProfile('vllm', version)).toThrow(/known: 0\.11 to 0\.24/);
});
