import {describe, expect, it} from 'vitest';
import {build} from '../../../src/sim/scenario/build.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {derivePlan} from '../../../src/sim/scenario/plan-derivation.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {load, refusal} from '../../support/scenario-text.js';

const traffic = 'workload: {kind: chat, arrivals: 4 session/s}\nrun: {requests: 60}\n';
const scenario = (engine: string, more = '') => ({
  'a.yaml': `model: llama-3.1-8b\nhardware: h100-sxm\nengine: ${engine}\n${more}${traffic}`,
});
const withFlags = (preset: string, flags: string, more = '') => scenario(`{preset: ${preset}, args: {${flags}}}`, more);

describe('vLLM’s flags', () => {
  it('watermark is the share of blocks that an admission leaves free', async () => {
    const {scheduler} = await load(withFlags('vllm', 'watermark: 0.01'));
    expect(scheduler.admission).toEqual({policy: 'kv-pressure', value: 0.99});
    expect((await load(withFlags('vllm', 'watermark: 0.0'))).scheduler.admission.policy).toBe('none');
    expect(await refusal(withFlags('vllm', 'watermark: 1.5'))).toBe(
      'a.yaml:3:42 engine.args.watermark: 1.5 maps to no value of scheduler.admission.policy',
    );
  });

  it('scheduling_policy names the order of the queue', async () => {
    expect((await load(withFlags('vllm', 'scheduling_policy: priority'))).scheduler.policy).toBe('priority');
    expect(await refusal(withFlags('vllm', 'scheduling_policy: lpm'))).toBe(
      'a.yaml:3:50 engine.args.scheduling_policy: "lpm" maps to no value of scheduler.policy.policy',
    );
  });
});

describe('SGLang’s flags', () => {
  it('become keys', async () => {
    const flags =
      'mem_fraction_static: 0.8, chunked_prefill_size: 4096, page_size: 64, schedule_policy: lpm, max_running_requests: 32, context_length: 8192, kv_cache_dtype: fp8_e5m2, disable_radix_cache: true, enable_mixed_chunk: true, max_queued_requests: 5, dtype: half';
    const resolved = await load(withFlags('sglang', flags));
    expect(resolved).toMatchObject({
      gpuMemoryUtilization: 0.8,
      maxModelLen: 8192,
      activationType: 'fp16',
      scheduler: {policy: 'lpm', steps: 'mixed', maxNumBatchedTokens: 4096, maxNumSeqs: 32, queueLimit: 5, chunkedPrefill: true},
      kv: {blockSize: 64, prefixCache: false, format: {name: 'fp8_e5m2'}},
    });
    expect(resolved.yaml).not.toContain('args');
  });

  it.each(['tp: 2', 'tp_size: 2', 'tensor_parallel_size: 2'])('%s is the number of devices', async (flag) => {
    expect((await load(withFlags('sglang', flag))).count).toBe(2);
  });

  it.each([
    ['ep_size: 4', {tensor: 8, expert: 4, exchange: 'all-reduce'}],
    ['ep: 8, moe_a2a_backend: none', {tensor: 8, expert: 8, exchange: 'all-reduce'}],
    ['moe_a2a_backend: deepep', {tensor: 8, expert: 8, exchange: 'all-to-all'}], // spreads experts over all devices by itself
    ['moe_a2a_backend: deepep, expert_parallel_size: 8', {tensor: 8, expert: 8, exchange: 'all-to-all'}],
  ])('%s spreads experts', async (flags, parallel) => {
    expect((await load(withFlags('sglang', `tp: 8, ${flags}`))).parallel).toEqual(parallel);
  });

  it('a chunk of -1 computes whole prompts, as many as max_prefill_tokens has room for', async () => {
    const whole = (more: string) => load(withFlags('sglang', `chunked_prefill_size: -1${more}`));
    expect((await whole('')).scheduler).toMatchObject({chunkedPrefill: false, maxNumBatchedTokens: 16_384});
    expect((await whole(', max_prefill_tokens: 32768')).scheduler).toMatchObject({chunkedPrefill: false, maxNumBatchedTokens: 32_768});
  });

  it('max_prefill_tokens changes nothing above the chunk, and is refused below it', async () => {
    const {scheduler} = await load(withFlags('sglang', 'chunked_prefill_size: 4096, max_prefill_tokens: 8192'));
    expect(scheduler.maxNumBatchedTokens).toBe(4096);
    expect(await refusal(withFlags('sglang', 'chunked_prefill_size: 4096, max_prefill_tokens: 2048'))).toMatch(
      /engine\.args\.max_prefill_tokens: 2048 maps to no value of scheduler\.max_num_batched_tokens$/,
    );
  });

  it.each([
    ['schedule_policy: lof', 'engine.args.schedule_policy: the order lof is not simulated; fcfs, lpm, priority are'],
    ['schedule_conservativeness: 0.3', 'engine.args.schedule_conservativeness: room kept for tokens to come'],
    ['moe_a2a_backend: mooncake', '"mooncake" maps to no value of engine.parallel.exchange'],
    ['cuda_graph_max_bs: 16', 'engine.args.cuda_graph_max_bs: graphs follow the memory of the device'],
    ['radix_eviction_policy: mru', '"mru" maps to no value of kv.tiers.hbm.eviction.policy'],
    ['max_num_seqs: 8', 'engine.args.max_num_seqs: this SGLang flag maps to no key of this version'],
    ['tp: 2, tp_size: 2', 'engine.args.tp_size: set twice: also as engine.parallel.tensor (3:33); keep one'],
  ])('%s is refused by name', async (flags, message) => {
    expect(await refusal(withFlags('sglang', flags))).toContain(message);
  });
});

it('a flag that says what --set says too names the other', async () => {
  const told = await refusal(withFlags('sglang', 'tp_size: 2'), ['engine.parallel.tensor=2']);
  expect(told).toMatch(/engine\.args\.tp_size: set twice: also as engine\.parallel\.tensor \(--set\); keep one$/);
});

describe('vLLM’s enable_expert_parallel', () => {
  it('spreads experts over all devices', async () => {
    expect((await load(withFlags('vllm', 'tensor_parallel_size: 8, enable_expert_parallel: true'))).parallel).toMatchObject({expert: 8});
    expect((await load(withFlags('vllm', 'tensor_parallel_size: 8, enable_expert_parallel: false'))).parallel).toMatchObject({expert: 1});
    expect(await refusal(withFlags('vllm', 'enable_expert_parallel: true'))).toContain(
      'write tensor_parallel_size here, or engine.parallel.expert',
    );
  });
});

describe('the sglang preset', () => {
  it('plans memory as SGLang does: the share is of what is free before weights, and work space lies outside', async () => {
    const resolved = await load(scenario('sglang'));
    const plan = planMemory(resolved);
    const {terms, usableBytes, weightsBytes, deviceBytes, kvBlocks} = plan;
    expect(resolved.gpuMemoryUtilization).toBe(0.835);
    expect(terms.map(({name}) => name)).toEqual(['usable', 'weights', 'context', 'kv']);
    expect(usableBytes).toBe(deviceBytes * 0.835);
    // (device − context) × share − weights, in tokens of 131,072 B
    expect(kvBlocks).toBe(Math.floor(((deviceBytes - 0.45e9) * 0.835 - weightsBytes) / 131_072));
    expect(resolved.scheduler).toMatchObject({steps: 'prefill-first', preemption: 'retract', maxNumBatchedTokens: 8192, maxNumSeqs: 2048});
  });

  it('keeps more free for larger chunks, and for more devices', async () => {
    const share = async (more: string) => (await load(scenario(`{preset: sglang${more}}`))).gpuMemoryUtilization;
    expect(await share(', args: {chunked_prefill_size: 16384}')).toBe(0.685); // 25,728 of 81,559 MiB
    expect(await share(', parallel: {tensor: 8}')).toBe(0.818);
  });

  it('loses buffers of collectives before weights are loaded, too', async () => {
    const plan = derivePlan(await load(scenario('{preset: sglang, parallel: {tensor: 2}}')));
    expect(plan.terms.map(({name}) => name)).toEqual(['usable', 'weights', 'context', 'collective buffers', 'kv']);
  });

  it('is the same again from its resolved file', async () => {
    const first = await load(scenario('sglang'));
    const again = await load({'a.yaml': first.yaml});
    expect(again.sha256).toBe(first.sha256);
    expect(again.engine.graphs).toEqual(first.engine.graphs);
  });

  it('runs, with the same bytes with fast-forward on and off, and names blocks after their step', async () => {
    const resolved = await load(scenario('{preset: sglang, args: {page_size: 16}}'));
    const plan = planMemory(resolved);
    expect(build(resolved, plan, {replication: 0}).config.kv.publishes).toBe('step');
    const on = simulate(resolved, plan, {replication: 0, audit: true});
    const off = simulate(resolved, plan, {replication: 0, fastForward: false});
    expect(on.eventLog).toBe(off.eventLog);
    expect(on.requests.rows).toBeGreaterThanOrEqual(60);
  });
});
