import {describe, expect, it} from 'vitest';
import {withQuantization} from '../../../src/models/llms/index.js';
import {InfeasibleError, InputError} from '../../../src/sim/core/errors.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import type {MemoryPlan, Scenario} from '../../../src/sim/scenario/scenario.js';
import {plainScenario} from '../../support/plain-scenario.js';
import {noSharedData, sharedData} from '../../support/shared-data.js';

/** The vLLM 0.19.0 run of 2026-08-20 on an RTX 4090 with its recorded settings; the engine reported 2,588 blocks. */
function recordedRun(changed: Partial<Scenario> = {}): Scenario {
  const scenario = plainScenario({device: 'rtx-4090', version: '0.19.0'}, {maxModelLen: 32_768, ...changed});
  return {...scenario, scheduler: {...scenario.scheduler, maxNumBatchedTokens: 2048, maxNumSeqs: 256}};
}

function term(plan: MemoryPlan, name: string): number {
  const found = plan.terms.find((t) => t.name === name);
  if (found === undefined) throw new Error(`no term ${name}`);
  return found.bytes;
}

function refusal(scenario: Scenario): InfeasibleError {
  try {
    planMemory(scenario);
  } catch (error) {
    if (error instanceof InfeasibleError) return error;
    throw error;
  }
  throw new Error('it fits');
}

describe('the recorded RTX 4090 run, term by term', () => {
  const plan = planMemory(recordedRun());

  it('may use 0.9 of what the driver reports, not of 24 GB', () => {
    expect(plan.deviceBytes).toBe(25_250_627_584);
    expect(term(plan, 'usable')).toBeCloseTo(22_725_564_825.6, 0);
  });

  it('holds 8,030,261,248 parameters in two bytes', () => {
    expect(term(plan, 'weights')).toBe(16_060_522_496);
  });

  it('peaks at 2048 × (3 × 4096 + 3 × 14336) × 2 B of activations', () => {
    expect(term(plan, 'activations')).toBe(226_492_416);
  });

  it('keeps logits for 256 sequences in bf16, fp32 and as probabilities', () => {
    expect(term(plan, 'logits')).toBe(256 * 128_256 * (2 + 4 + 4));
  });

  it('leaves 0.45 GB to the CUDA context and 0.3 GB to graphs, both assumed', () => {
    expect(term(plan, 'context')).toBe(0.45e9);
    expect(term(plan, 'graphs')).toBe(0.3e9);
    expect(plan.terms.filter((t) => t.name === 'context' || t.name === 'graphs').map((t) => t.grade)).toEqual(['assumed', 'assumed']);
  });

  it('has blocks of 16 tokens, 2 MiB each', () => {
    expect(plan.blockBytes).toBe(2 * 1024 ** 2);
  });

  it('derives 2,555 blocks, one of them the null block: within 3 % of the 2,588 measured', () => {
    expect(plan.kvBlocks).toBe(2554);
    expect(Math.abs(plan.kvBlocks - 2588) / 2588).toBeLessThan(0.03);
    expect(plan.blocksFrom).toBe('derived');
    expect(plan.kvTokens).toBe(2554 * 16);
  });

  it('parts add up to the device', () => {
    const rest = plan.deviceBytes - plan.usableBytes;
    expect(plan.weightsBytes + plan.overheadBytes + plan.kvBytes + plan.freeBytes + rest).toBeCloseTo(plan.deviceBytes, -1);
  });

  it('a measured number of blocks replaces the derived one and is said to', () => {
    const scenario = recordedRun();
    const measured = planMemory({...scenario, kv: {...scenario.kv, blocks: 2588}});
    expect(measured.kvBlocks).toBe(2587);
    expect(measured.derivedBlocks).toBe(2554);
    expect(measured.blocksFrom).toBe('measured');
  });

  it('a cap below the derived number holds, one above it does nothing', () => {
    const scenario = recordedRun();
    const capped = (bytes: number) => planMemory({...scenario, maxModelLen: 8192, kv: {...scenario.kv, capacityCap: bytes}});
    expect(capped(2 * 1024 ** 3).kvBlocks).toBe(1023);
    expect(capped(2 * 1024 ** 3).blocksFrom).toBe('capped');
    expect(capped(100e9).blocksFrom).toBe('derived');
  });
});

it('more tokens a step, more sequences, and a lower utilisation each leave fewer blocks', () => {
  const base = planMemory(recordedRun()).kvBlocks;
  const scheduler = recordedRun().scheduler;
  expect(planMemory({...recordedRun(), maxModelLen: 8192, scheduler: {...scheduler, maxNumBatchedTokens: 8192}}).kvBlocks).toBeLessThan(
    base,
  );
  expect(planMemory({...recordedRun(), maxModelLen: 8192, scheduler: {...scheduler, maxNumSeqs: 512}}).kvBlocks).toBeLessThan(base);
  expect(planMemory(recordedRun({gpuMemoryUtilization: 0.89})).kvBlocks).toBeLessThan(base);
});

it('the version decides the utilisation: 0.19 has 0.9, 0.20 has 0.92', () => {
  expect(
    planMemory(plainScenario({version: '0.19.0'})).usableBytes / planMemory(plainScenario({version: '0.20.0'})).usableBytes,
  ).toBeCloseTo(0.9 / 0.92, 12);
});

it('tensor parallelism splits weights and KV heads; a block over all devices keeps its size', () => {
  const one = planMemory(plainScenario({}));
  const four = planMemory(plainScenario({tensor: 4}));
  expect(four.blockBytesPerDevice).toBe(one.blockBytesPerDevice / 4);
  expect(four.blockBytes).toBe(one.blockBytes);
  expect(four.weightsBytes).toBeLessThan(one.weightsBytes / 4 + 2e6);
  expect(four.terms.map((t) => t.name)).toContain('collective buffers');
});

it('devices beyond the key/value heads copy them: Qwen3-235B has 4 heads, so 8 devices hold 385,024 B a token', () => {
  const plan = planMemory(plainScenario({model: 'qwen3-235b-a22b', device: 'h200-sxm', tensor: 8}));
  expect(plan.kvBytesPerToken).toBe(385_024);
});

it('a latent cache is whole on every device', () => {
  const plan = planMemory(plainScenario({model: 'deepseek-v3', device: 'h200-sxm', tensor: 8}));
  expect(plan.kvBytesPerToken).toBe(8 * 70_272);
});

it('tied embeddings are held once', () => {
  expect(planMemory(plainScenario({model: 'gemma-2-9b'})).weightsBytes).toBe(2 * 9_241_705_984);
});

it('counts layers with a window at every token, and says so', () => {
  const plan = planMemory(plainScenario({model: 'gpt-oss-20b'}));
  expect(plan.kvBytesPerToken).toBe(24_576 + 24_576);
  expect(plan.terms.find((t) => t.name === 'kv')?.formula).toContain('window of 128');
});

it('the ideal engine has no overhead, uses everything, and cuts the context to what fits', () => {
  const plan = planMemory(plainScenario({device: 'rtx-4090', engine: 'ideal'}));
  expect(plan.overheadBytes).toBe(0);
  expect(plan.usableBytes).toBe(plan.deviceBytes);
  expect(plan.kvBlocks).toBe(Math.floor((25_250_627_584 - 16_060_522_496) / 2 ** 21));
  expect(plan.maxModelLen).toBe(plan.kvTokens);
});

it('the largest batch is how many prompts of the largest length fit at once', () => {
  const plan = planMemory(recordedRun({maxModelLen: 16_000}));
  expect(plan.maxBatch).toBe(2); // 1,000 blocks each, of 2,554
});

describe('what does not fit', () => {
  it('weights: says what is needed, what is offered, and what would fit, each tried', () => {
    const error = refusal(plainScenario({model: 'llama-3.1-70b'}));
    expect(error.message).toBe('llama-3.1-70b bf16 needs 131.4 GiB for weights; 1 × h100-sxm offers 73.3 GiB.');
    expect(error.nearest.some((line) => line.startsWith('bf16 with engine.parallel.tensor 2 and engine.max_model_len '))).toBe(true);
    expect(error.nearest.some((line) => line.startsWith('int4 here and engine.max_model_len '))).toBe(true);
    expect(error.nearest.some((line) => / on 1 × gh200-141 /.test(line))).toBe(true);
  });

  it('every configuration that is named as near does fit', () => {
    const scenario = plainScenario({model: 'llama-3.1-70b'});
    for (const line of refusal(scenario).nearest) {
      const tensor = Number(/tensor (\d)/.exec(line)?.[1] ?? 1);
      const format = line.split(' ')[0];
      const device = / × (\S+) /.exec(line)?.[1] ?? 'h100-sxm';
      const changed = plainScenario({model: 'llama-3.1-70b', tensor, device});
      const shorter = /max_model_len (\d+)/.exec(line)?.[1];
      const llm = format === 'bf16' ? changed.llm : withQuantization(changed.llm, format);
      expect(
        () => planMemory({...changed, llm, scheduler: scenario.scheduler, maxModelLen: shorter === undefined ? null : Number(shorter)}),
        line,
      ).not.toThrow();
    }
  });

  it('a context longer than the KV that is left: the largest that fits is exact', () => {
    const error = refusal(recordedRun({maxModelLen: null}));
    expect(error.message).toContain('needs 16 GiB of KV for one prompt of 131,072 tokens (engine.max_model_len)');
    expect(error.nearest[0]).toBe('engine.max_model_len 40864 here');
    expect(planMemory(recordedRun({maxModelLen: 40_864})).maxModelLen).toBe(40_864);
    expect(() => planMemory(recordedRun({maxModelLen: 40_865}))).toThrow(InfeasibleError);
  });

  it('a CPU without a stated memory is asked for it, and heads that do not divide are refused', () => {
    expect(() => planMemory(plainScenario({device: 'epyc-9554', engine: 'ideal'}))).toThrow(/hardware\.memory\.dram\.capacity: required/);
    expect(() => planMemory(plainScenario({tensor: 3}))).toThrow(InputError);
  });
});

it.skipIf(noSharedData !== null)(
  `is within 3 % of every recorded vLLM run that states its blocks (${noSharedData ?? 'data are there'})`,
  () => {
    const file = sharedData('e2e/vllm_runs/RTX4090/Llama-3.1-8B/vllm/meta.json.gz');
    const {hardware, kv_cache, engine_kwargs, vllm_version} = JSON.parse(new TextDecoder().decode(file));
    const base = plainScenario({device: 'rtx-4090', version: vllm_version}, {maxModelLen: engine_kwargs.max_model_len});
    const plan = planMemory({
      ...base,
      scheduler: {...base.scheduler, maxNumBatchedTokens: engine_kwargs.max_num_batched_tokens, maxNumSeqs: engine_kwargs.max_num_seqs},
    });
    expect(plan.deviceBytes).toBe(hardware.device_total_memory_bytes);
    expect(plan.usableBytes / plan.deviceBytes).toBeCloseTo(kv_cache.gpu_memory_utilization, 12);
    expect(Math.abs(plan.kvBlocks - kv_cache.num_gpu_blocks) / kv_cache.num_gpu_blocks).toBeLessThan(0.03);
  },
);

it('a prompt that may not be cut must fit into one step', () => {
  const scenario = recordedRun({maxModelLen: 4096});
  const unchunked = (maxNumBatchedTokens: number) => ({
    ...scenario,
    scheduler: {...scenario.scheduler, chunkedPrefill: false, maxNumBatchedTokens},
  });
  expect(planMemory(unchunked(4096)).maxModelLen).toBe(4096);
  expect(() => planMemory(unchunked(4095))).toThrow(
    'scheduler.chunked_prefill: false needs scheduler.max_num_batched_tokens ≥ 4096 (engine.max_model_len), got 4095',
  );
});
