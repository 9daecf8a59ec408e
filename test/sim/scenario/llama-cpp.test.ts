import {describe, expect, it} from 'vitest';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {load, refusal} from '../../support/scenario-text.js';

const traffic = 'workload: {kind: chat, arrivals: 1 session/s}\nrun: {requests: 60}\n';
const scenario = (engine: string, more = '', device = 'rtx-4090') => ({
  'a.yaml': `model: llama-3.1-8b\nhardware: ${device}\nengine: ${engine}\n${more}${traffic}`,
});
const withFlags = (flags: string, more = '', device = 'rtx-4090') => scenario(`{preset: llama.cpp, args: {${flags}}}`, more, device);
const tokens = async (flags: string, device = 'h100-sxm') => {
  const {kvTokens, maxModelLen, maxBatch} = planMemory(await load(withFlags(flags, '', device)));
  return {kvTokens, maxModelLen, maxBatch};
};

describe('llama.cpp’s defaults', () => {
  it('are four slots over one context: the model’s, allocated at start', async () => {
    const resolved = await load(scenario('llama.cpp', '', 'h100-sxm'));
    expect(resolved.kv).toMatchObject({upFront: 'one', blockSize: 1, prefixCache: true});
    expect(resolved.scheduler).toMatchObject({maxNumSeqs: 4, maxNumBatchedTokens: 2048, steps: 'mixed', preemption: 'none'});
    const plan = planMemory(resolved);
    expect(plan).toMatchObject({kvTokens: 131_072, maxModelLen: 131_072});
    expect(plan.freeBytes).toBeGreaterThan(30 * 2 ** 30);
    expect(plan.terms.at(-1)!.formula).toBe('1 × 131,072 tokens, allocated at start');
  });

  it('shrink the context to what leaves 1 GiB of the device free', async () => {
    const resolved = await load(scenario('llama.cpp'));
    const {deviceBytes, usableBytes, kvTokens, maxModelLen} = planMemory(resolved);
    expect((deviceBytes - usableBytes) / 2 ** 30).toBeCloseTo(1, 2);
    expect(kvTokens).toBeLessThan(131_072);
    expect(maxModelLen).toBe(kvTokens);
  });
});

describe('llama-server’s flags', () => {
  it.each([
    ['ctx_size: 32768', {kvTokens: 32_768, maxModelLen: 32_768, maxBatch: 1}],
    ['c: 32768, np: 4', {kvTokens: 32_768, maxModelLen: 8192, maxBatch: 4}],
    ['ctx_size: 32768, parallel: 4, kv_unified: true', {kvTokens: 32_768, maxModelLen: 32_768, maxBatch: 1}],
    ['ctx_size: 0, parallel: 8', {kvTokens: 131_072, maxModelLen: 16_384, maxBatch: 8}],
    ['ctx_size: 32768, parallel: -1', {kvTokens: 32_768, maxModelLen: 32_768, maxBatch: 1}],
  ])('%s', async (flags, expected) => {
    expect(await tokens(flags)).toEqual(expected);
  });

  it('have the formats of ggml for KV: q8_0 is 34 bytes for 32 values', async () => {
    const {kv} = await load(withFlags('ctk: q8_0, ctv: q8_0, b: 512, ngl: 99, cont_batching: true'));
    expect(kv.format).toMatchObject({name: 'q8_0', bytesPerParam: 34 / 32});
    expect((await load(withFlags('b: 512'))).scheduler.maxNumBatchedTokens).toBe(512);
  });

  it.each([
    ['cache_type_k: q8_0', 'engine.args.cache_type_k: keys in q8_0 with values in f16: kv.dtype is one format for both'],
    ['ngl: 20', 'engine.args.ngl: 20 layers on the device: weights on the CPU are not simulated'],
    ['n_cpu_moe: 4', 'engine.args.n_cpu_moe: weights on the CPU are not simulated'],
    ['ub: 512', 'engine.args.ub: the pieces that a step is computed in are not simulated'],
    ['cont_batching: false', 'engine.args.cont_batching: false maps to no value of scheduler.batching'],
    ['max_num_seqs: 4', 'engine.args.max_num_seqs: this llama.cpp flag maps to no key of this version'],
  ])('%s is refused by name', async (flags, message) => {
    expect(await refusal(withFlags(flags))).toContain(message);
  });
});

it('kv.unified is the same again from a resolved file, and without effect on engines that page', async () => {
  const first = await load(scenario('llama.cpp'));
  expect(first.yaml).toContain('unified: true');
  const again = await load({'a.yaml': first.yaml});
  expect([again.kv.upFront, again.sha256]).toEqual(['one', first.sha256]);
  expect((await load(scenario('llama.cpp', 'scheduler: {max_num_seqs: 4}\n'))).kv.upFront).toBe('each');
  const {warnings, kv} = await load(scenario('{preset: vllm, max_model_len: 8192}', 'kv: {unified: true}\n'));
  expect(kv.upFront).toBeNull();
  expect(warnings.map(({path}) => path)).toContain('kv.unified');
});

it('runs at most four at a time, with the same bytes with fast-forward on and off', async () => {
  const resolved = await load(scenario('llama.cpp'));
  const plan = planMemory(resolved);
  const on = simulate(resolved, plan, {replication: 0, audit: true});
  expect(on.eventLog).toBe(simulate(resolved, plan, {replication: 0, fastForward: false}).eventLog);
  expect(on.requests.hit.some((hit) => hit > 0)).toBe(true);
  const {arrival, scheduled, finished} = on.requests;
  const delivered = 4 * 20e-6 * 1e9; // ns that tokens of a step with four need to their clients, after it
  const most = Math.max(
    ...[...scheduled].map((at) => [...scheduled].filter((from, i) => from <= at && finished[i] - delivered > at).length),
  );
  expect(arrival.length).toBeGreaterThanOrEqual(60);
  expect(most).toBe(4);
});
