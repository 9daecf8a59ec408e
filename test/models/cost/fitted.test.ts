import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {BatchSums, bounds, Prediction} from '../../../src/models/cost/cost.js';
import type {FitJson} from '../../../src/models/cost/fit/fit.js';
import {describeStep, roofline, type StepCost, type StepTerm, stepCost, stepTerms} from '../../../src/models/cost/index.js';
import type {FitChoice} from '../../../src/models/cost/kernel-time.js';
import type {Device} from '../../../src/models/devices/device.js';
import {builtinDevice, measuredOn} from '../../../src/models/devices/index.js';
import {engineProfile} from '../../../src/models/engines/index.js';
import {builtinLlm, kvFormat, withQuantization} from '../../../src/models/llms/index.js';
import type {Llm} from '../../../src/models/llms/llm.js';
import {InputError} from '../../../src/sim/core/errors.js';

const {fits: _measured, ...bare} = builtinDevice('h100-sxm');

/** An H100 with no fits but these. */
function device(kernels: Readonly<Record<string, FitJson>>): Device {
  return {...bare, fits: [measuredOn(bare, kernels)]};
}

/** t = o + F/P + B/W, in units that a head can multiply: 1 TFLOP/s, 1 GB/s, microseconds. */
function additive({P = 1e15, W = 1e15, o = 1, ...rest}: {P?: number; W?: number; o?: number; range?: object; form?: string}): FitJson {
  return {form: 'pnorm/1', P: `${P} TFLOP/s`, W: `${W} GB/s`, o: `${o} us`, p: 1, range: {}, grade: 'fitted', source: 'by hand', ...rest};
}

/** A kernel that takes `us` microseconds whatever its shape. */
const takes = (us: number, range: object = {}) => additive({o: us, range});

interface Setting {
  kernels?: Readonly<Record<string, FitJson>>;
  on?: Device;
  tensor?: number;
  engine?: string;
  llm?: Llm;
  fits?: FitChoice;
  kv?: string;
}

function model(name: string, {kernels = {}, on = device(kernels), tensor = 1, engine = 'vllm', fits = 'auto', ...rest}: Setting): StepCost {
  const llm = rest.llm ?? builtinLlm(name);
  const format = kvFormat(rest.kv ?? 'auto', llm);
  return stepCost(llm, on, {tensor, engine: engineProfile(engine, null), kvFormat: format, activationType: 'bf16', fits});
}

interface Shape {
  decodes?: number;
  context?: number;
  longest?: number;
  /** [prefix, tokens] of each. */
  chunks?: readonly (readonly [number, number])[];
}

function batch(window: number, {decodes = 0, context = 0, longest = context, chunks = []}: Shape): BatchSums {
  const sums = new BatchSums();
  sums.decodes = sums.emitting = decodes;
  sums.decodeContext = decodes * context;
  sums.decodeContextClipped = decodes * Math.min(context, window);
  sums.decodeLongest = decodes === 0 ? 0 : longest;
  for (const [prefix, tokens] of chunks) sums.addChunk(prefix, tokens, window);
  return sums;
}

function predict(cost: StepCost, shape: Shape): Prediction {
  const into = new Prediction(cost.terms.length);
  cost.predict(batch(cost.window, shape), into);
  return into;
}

function microseconds(prediction: Prediction, term: StepTerm): number {
  return prediction.terms[stepTerms.indexOf(term)] * 1e6;
}

const decode = {decodes: 32, context: 1000};

describe('each kernel takes its time from a fit where there is one', () => {
  it('products of Llama-3.1-8B: four of a layer by their shapes, in each of 32 layers', () => {
    const cost = model('llama-3.1-8b', {kernels: {'gemm.bf16': additive({P: 500, W: 2000, o: 5})}});
    const shapes = [
      [6144, 4096],
      [4096, 4096],
      [28_672, 4096],
      [4096, 14_336],
    ];
    const byHand = shapes.map(([n, k]) => 5e-6 + (2 * 32 * n * k) / 500e12 + (2 * (n * k + 32 * k + 32 * n)) / 2e12);
    expect(microseconds(predict(cost, decode), 'linear')).toBeCloseTo(32e6 * byHand.reduce((a, b) => a + b), 6);
  });

  it('the others stay on the roofline, with its grade and its wider interval', () => {
    const cost = model('llama-3.1-8b', {kernels: {'gemm.bf16': takes(10)}});
    const plain = roofline(builtinLlm('llama-3.1-8b'), bare, {
      tensor: 1,
      engine: engineProfile('vllm', null),
      kvFormat: kvFormat('auto', builtinLlm('llama-3.1-8b')),
      activationType: 'bf16',
    });
    expect(microseconds(predict(cost, decode), 'attention.decode')).toBe(microseconds(predict(plain, decode), 'attention.decode'));
    expect(cost.terms[stepTerms.indexOf('attention.decode')]).toEqual(plain.terms[stepTerms.indexOf('attention.decode')]);
    expect(cost.terms[stepTerms.indexOf('linear')]).toMatchObject({grade: 'fitted', source: 'by hand'});
    expect([cost.kind, plain.kind]).toEqual(['fitted', 'roofline']);
  });

  it('the engine ideal takes no fit: its kernels reach the peaks', () => {
    expect(model('llama-3.1-8b', {kernels: {'gemm.bf16': takes(1e6)}, engine: 'ideal'}).kind).toBe('roofline');
  });

  it('fp8 weights are multiplied by the fp8 kernel, and a format without one by the roofline', () => {
    const kernels = {'gemm.bf16': takes(7), 'gemm.fp8': takes(3)};
    const linear = (format: string) =>
      microseconds(predict(model('', {kernels, llm: withQuantization(builtinLlm('llama-3.1-8b'), format)}), decode), 'linear');
    expect(linear('fp8')).toBeCloseTo(32 * 4 * 3, 6);
    expect(linear('q4_k_m')).toBeGreaterThan(500);
  });

  it('norms, rotary embedding and activation are asked by tokens and width; cache writes stay on the roofline', () => {
    const kernels = {'add_rmsnorm.bf16': takes(2), 'rope.bf16': takes(3), 'silu_mul.bf16': takes(4), 'embedding.bf16': takes(5)};
    const written = (32 * 32 * 4096) / (3.35e12 * 0.78);
    const byHand = 32 * (2 * 2 + 3 + 4) + 5 + written * 1e6;
    expect(microseconds(predict(model('llama-3.1-8b', {kernels}), decode), 'elementwise')).toBeCloseTo(byHand, 6);
  });

  it('the itemised sum equals the prediction, whatever the batch', () => {
    const models = [
      model('llama-3.1-8b', {on: builtinDevice('rtx-4090')}),
      model('llama-3.1-70b', {on: builtinDevice('h100-sxm'), tensor: 4}),
      model('mixtral-8x7b', {on: builtinDevice('b200-sxm'), tensor: 2}),
      model('gpt-oss-20b', {on: builtinDevice('l40s')}),
      model('deepseek-v3', {on: builtinDevice('a100-sxm-80gb'), tensor: 8}),
      model('qwen3-30b-a3b', {on: builtinDevice('rtx-pro-6000-server')}),
    ];
    const anyShape = fc.record({
      decodes: fc.integer({min: 0, max: 600}),
      context: fc.integer({min: 1, max: 60_000}),
      chunks: fc.array(fc.tuple(fc.integer({min: 0, max: 20_000}), fc.integer({min: 1, max: 4000})), {maxLength: 4}),
    });
    fc.assert(
      fc.property(fc.constantFrom(...models), anyShape, (cost, shape) => {
        const prediction = predict(cost, shape);
        const items = describeStep(cost, batch(cost.window, shape));
        expect(items.reduce((sum, {seconds}) => sum + seconds, 0) / prediction.seconds).toBeCloseTo(1, 9);
        for (const parts of [prediction.bounds, prediction.terms]) {
          for (const part of parts) expect(part).toBeGreaterThanOrEqual(-1e-15);
          expect(parts.reduce((a, b) => a + b) / prediction.seconds).toBeCloseTo(1, 9);
        }
      }),
      {seed: 3, numRuns: 300},
    );
  });
});

describe('CUDA graphs', () => {
  const perGap = engineProfile('vllm', null).launchPerLayer.value;
  const gemm = {'gemm.bf16': additive({P: 500, W: 1e15, o: 0.01})};
  const linear = (decodes: number) => microseconds(predict(model('llama-3.1-8b', {kernels: gemm}), {decodes, context: 10}), 'linear');

  it('a step is padded to the next captured size: 33 tokens take as long as 40, and 513 as they are', () => {
    expect(linear(33)).toBe(linear(40));
    expect(linear(32)).toBeLessThan(linear(33));
    expect(linear(513)).toBeGreaterThan(linear(512));
    expect(linear(514)).toBeGreaterThan(linear(513));
  });

  it('a step beyond the largest is launched kernel by kernel: the device waits for the host when it computes faster', () => {
    const quick = model('qwen3-0.6b', {});
    const waiting = predict(quick, {chunks: [[0, 520]]});
    const perLayer = engineProfile('vllm', null).graphs!.eagerLaunchPerLayer.value;
    expect(waiting.seconds - waiting.bounds[bounds.indexOf('host')]).toBeCloseTo(28 * perLayer, 12);
    expect(waiting.bounds[bounds.indexOf('launch')]).toBeGreaterThan(0.1 * waiting.seconds);
    const busy = predict(model('llama-3.1-70b', {}), {chunks: [[0, 4096]]});
    expect(busy.bounds[bounds.indexOf('launch')]).toBeCloseTo(80 * perGap, 12);
  });

  it('gaps count the kernels that were not measured: one of ten when only cache writes were not', () => {
    const measured = {
      'gemm.bf16': takes(10),
      'attn.decode.bf16': takes(10),
      'attn.prefill.bf16': takes(10),
      'add_rmsnorm.bf16': takes(2),
      'rope.bf16': takes(2),
      'silu_mul.bf16': takes(2),
      'embedding.bf16': takes(2),
    };
    const launch = (kernels: Readonly<Record<string, FitJson>>) =>
      microseconds(predict(model('llama-3.1-8b', {kernels}), decode), 'launch');
    expect(launch({})).toBeCloseTo(32e6 * perGap, 9);
    // 4 products, attention, 2 norms, rotary, activation, cache writes in each of 32 layers, and one embedding.
    expect(launch(measured)).toBeCloseTo(32e6 * perGap * (32 / (32 * 10 + 1)), 9);
  });
});

describe('collectives', () => {
  const links = {
    'all_reduce.vllm_graph.4gpu.4pernode': {...additive({}), form: 'alpha-beta/1', a: ['4 us'], W: ['100 GB/s']},
    'all_reduce.vllm_eager.4gpu.4pernode': {...additive({}), form: 'alpha-beta/1', a: ['20 us'], W: ['100 GB/s']},
    'all_gather.nccl.4gpu.4pernode': {...additive({}), form: 'alpha-beta/1', a: ['10 us'], W: ['50 GB/s']},
  };
  const cost = model('llama-3.1-70b', {kernels: links, tensor: 4});

  it('inside a graph 161 sums of tokens × hidden × 2 bytes and one gather of logits', () => {
    const reduce = 4 + ((32 * 8192 * 2) / 100e9) * 1e6;
    const gather = 10 + ((32 * 128_256 * 2) / 50e9) * 1e6;
    expect(microseconds(predict(cost, decode), 'collective')).toBeCloseTo(161 * reduce + gather, 6);
  });

  it('outside graphs each is launched by itself, and large messages take their bytes', () => {
    const prefill = predict(cost, {chunks: [[0, 2048]]});
    expect(microseconds(prefill, 'collective')).toBeCloseTo(161 * (20 + ((2048 * 8192 * 2) / 100e9) * 1e6), 6);
    expect(prefill.bounds[bounds.indexOf('link')] * 1e6).toBeCloseTo(microseconds(prefill, 'collective'), 9);
  });

  it('a link of half the bandwidth carries a message like one of twice the bytes', () => {
    const peer = bare.links.peer!;
    const links2 = {...bare.links, peer: {...peer, bandwidth: {...peer.bandwidth, value: peer.bandwidth.value / 2}}};
    const slow = model('llama-3.1-70b', {on: {...device(links), links: links2}, tensor: 4});
    const both = (shape: Shape) => [slow, cost].map((one) => microseconds(predict(one, shape), 'collective'));
    const [halved, full] = both({chunks: [[0, 2048]]});
    expect(halved - full).toBeCloseTo(161 * ((2048 * 8192 * 2) / 100e9) * 1e6, 6);
  });

  it('of another number of devices are not these', () => {
    const two = model('llama-3.1-70b', {kernels: links, tensor: 2});
    expect(two.terms[stepTerms.indexOf('collective')].source).not.toBe('by hand');
  });
});

describe('the head', () => {
  it('runs on the rows that emit, with the sampler where it was measured', () => {
    const kernels = {'gemm.bf16': additive({P: 100, W: 1e15, o: 0.01}), 'sampler.bf16': takes(30)};
    const cost = model('llama-3.1-8b', {kernels});
    expect(microseconds(predict(cost, {chunks: [[0, 2048]]}), 'head')).toBe(0);
    const product = 0.01 + ((2 * 32 * 4096 * 128_256) / 100e12) * 1e6;
    expect(microseconds(predict(cost, decode), 'head')).toBeCloseTo(product + 30, 3);
  });
});

it('a vocabulary wider than any matrix that was measured takes as long as its parts one after the other', () => {
  const head = (n: number) => {
    const cost = model('llama-3.1-8b', {kernels: {'gemm.bf16': takes(100, {n: [1, n]})}});
    const prediction = predict(cost, decode);
    return [Math.round(microseconds(prediction, 'head')), (prediction.outside >> stepTerms.indexOf('head')) & 1];
  };
  expect(head(128_256)).toEqual([100, 0]);
  expect(head(65_536)).toEqual([200, 0]);
  expect(head(40_000)).toEqual([400, 0]);
  expect(head(1000)).toEqual([100, 1]);
});

describe('attention of decodes', () => {
  const kernels = {'attn.decode.bf16': additive({W: 1000, o: 5}), 'attn.prefill.bf16': takes(1)};

  it('is asked for sequences and mean context', () => {
    const bytes = 2 * 32 * 128 * (32 * 2 + 8 * 1000 * 2);
    const time = microseconds(predict(model('llama-3.1-8b', {kernels}), decode), 'attention.decode');
    expect(time).toBeCloseTo(32 * (5 + (bytes / 1e12) * 1e6), 6);
  });

  it('of unequal length costs 5 % of the way from the mean to the longest more', () => {
    const cost = model('llama-3.1-8b', {kernels});
    const at = (context: number, longest = context) => microseconds(predict(cost, {decodes: 32, context, longest}), 'attention.decode');
    expect(at(1000, 9000) - at(1000)).toBeCloseTo(0.05 * (at(9000) - at(1000)), 6);
    expect(at(1000, 9000)).toBeGreaterThan(at(1000));
  });

  it('also on the roofline', () => {
    const cost = model('llama-3.1-8b', {});
    const at = (context: number, longest = context) => microseconds(predict(cost, {decodes: 32, context, longest}), 'attention.decode');
    expect(at(1000, 9000) - at(1000)).toBeCloseTo(0.05 * (at(9000) - at(1000)), 6);
  });

  it('is remembered at eighths of octaves, within a thousandth of the fit between them', () => {
    const cost = model('llama-3.1-8b', {on: builtinDevice('h100-sxm')});
    const [kernel] = cost.attention;
    for (const decodes of [1, 7, 64, 300]) {
      for (const context of [1, 17, 333, 1025, 5000, 33_333]) {
        const direct = 32 * kernel.decodeTime!.seconds([decodes, context, 32, 8, 128, 0]);
        const remembered = predict(cost, {decodes, context}).terms[stepTerms.indexOf('attention.decode')];
        expect(Math.abs(remembered / direct - 1), `${decodes} × ${context}`).toBeLessThan(2e-3);
      }
    }
  });

  it('with a sliding window reads no more than the window', () => {
    const cost = model('gpt-oss-20b', {kernels});
    const at = (context: number) => microseconds(predict(cost, {decodes: 1, context}), 'attention.decode');
    // Only the 12 full layers grow beyond 128 tokens: 2 · 8 heads · 64 · 2 bytes a token each.
    expect(at(2000) - at(1000)).toBeCloseTo(12 * 1000 * 2 * 8 * 64 * 2 * 1e-6, 6);
  });
});

describe('attention of chunks', () => {
  const kernels = {'attn.prefill.bf16': additive({P: 100, o: 3}), 'attn.decode.bf16': takes(1)};
  const cost = model('llama-3.1-8b', {kernels});
  const flops = (tokens: number, prefix: number) => 4 * 32 * 128 * (tokens * prefix + (tokens * (tokens + 1)) / 2);
  const at = (chunks: Shape['chunks'] & object) => microseconds(predict(cost, {chunks}), 'attention.prefill');

  it('is asked for tokens behind a prefix', () => {
    expect(at([[3000, 512]])).toBeCloseTo(32 * (3 + (flops(512, 3000) / 100e12) * 1e6), 3);
  });

  it('of equal chunks is one launch of that many, and of unequal ones has their causal area', () => {
    expect(
      at([
        [0, 600],
        [0, 600],
        [0, 600],
      ]),
    ).toBeCloseTo(32 * (3 + (3 * flops(600, 0) * 1e6) / 100e12), 3);
    const area = flops(100, 0) + flops(900, 50) + flops(30, 4000);
    expect(
      at([
        [0, 100],
        [50, 900],
        [4000, 30],
      ]),
    ).toBeCloseTo(32 * (3 + (area / 100e12) * 1e6), 2);
  });
});

describe('attention of mixed batches, where one call was measured for both', () => {
  // 10 µs, and a second per TFLOP: any chunk makes the decodes dearer here, because all runs at the slower rate.
  const cost = model('llama-3.1-8b', {kernels: {'attn.mixed.bf16': additive({P: 50, W: 1000, o: 10})}});
  const both = (shape: Shape) =>
    ['attention.prefill', 'attention.decode'].map((term) => microseconds(predict(cost, shape), term as StepTerm));

  it('decodes alone are the call without a chunk', () => {
    const seconds = (4 * 32 * 128 * 32_000) / 50e12 + (2 * 32 * 128 * (32 * 2 + 8 * 1000 * 2)) / 1e12;
    const [prefill, decodes] = both(decode);
    expect(prefill).toBe(0);
    expect(decodes).toBeCloseTo(32 * (10 + seconds * 1e6), 4);
  });

  it('a chunk takes what the call takes beyond its decodes: its launch is theirs', () => {
    const [alone] = both({chunks: [[1000, 256]]});
    const [beside] = both({...decode, chunks: [[1000, 256]]});
    expect(beside).toBeCloseTo(alone - 320, 4);
  });

  it('several chunks take no longer than one after the other', () => {
    const [two] = both({
      chunks: [
        [0, 1000],
        [0, 1000],
      ],
    });
    const [one] = both({chunks: [[0, 1000]]});
    const [whole] = both({chunks: [[0, 2000]]});
    expect(two).toBeLessThanOrEqual(2 * one * (1 + 1e-9));
    expect(two).toBeLessThan(whole);
  });
});

describe('experts', () => {
  const llm = builtinLlm('mixtral-8x7b'); // 8 experts, 2 a token, width 14,336
  const bytesOf = (touched: number, tokens: number) => touched * 3 * 4096 * 14_336 * 2 + tokens * 2 * (4096 * 4 + 3 * 14_336 * 2);

  it('balanced tables touch min(E, k·t); routing at random leaves 8 · 0.75^t of them out', () => {
    const cost = model('', {llm, kernels: {'moe.bf16.balanced': additive({P: 1e15, W: 1000, o: 1e-6})}, engine: 'vllm'});
    const balanced = 32 * (bytesOf(8, 4) / 1e12);
    const distinct = 8 * (1 - 0.75 ** 4);
    const activations = 4 * 2 * (2 * 4096 + 3 * 14_336) * 2;
    const saved = (distinct * 3 * 4096 * 14_336 * 2 + activations) / (8 * 3 * 4096 * 14_336 * 2 + activations);
    expect(microseconds(predict(cost, {decodes: 4, context: 10}), 'experts') / (balanced * saved * 1e6)).toBeCloseTo(1, 6);
  });

  it('a skewed table is taken as it is', () => {
    const cost = model('', {llm, kernels: {'moe.bf16.power_law_1_01': takes(77)}});
    expect(microseconds(predict(cost, {decodes: 4, context: 10}), 'experts')).toBeCloseTo(32 * 77, 6);
  });

  it('do their activation inside the measured kernel', () => {
    const elementwise = (kernels: Readonly<Record<string, FitJson>>) =>
      microseconds(predict(model('', {llm, kernels}), {chunks: [[0, 1024]]}), 'elementwise');
    const streamed = (32 * 1024 * 2 * (3 * 2 * 14_336 + 3 * 4096)) / (3.35e12 * 0.78);
    expect(elementwise({}) - elementwise({'moe.bf16.balanced': takes(1)})).toBeCloseTo(streamed * 1e6, 6);
  });
});

describe('latent attention', () => {
  const kernels = {'mla.prefill.bf16': takes(50), 'mla.decode.bf16': takes(20)};
  const cost = model('deepseek-v3', {kernels, tensor: 8});

  it('decodes and prefills in its own kernels', () => {
    const prediction = predict(cost, {decodes: 64, context: 4096, chunks: [[0, 1024]]});
    expect(microseconds(prediction, 'attention.decode')).toBeCloseTo(61 * 20, 6);
    expect(microseconds(prediction, 'attention.prefill')).toBeCloseTo(61 * 50, 6);
  });

  it('a prefix, which the tables do not have, adds its share of the work: its area, and its latent expanded again', () => {
    const [heads, tokens, prefix] = [16, 1024, 1024];
    const alone = (2 * heads * 320 * tokens * (tokens + 1)) / 2;
    const expanded = 2 * 512 * heads * 256 * prefix;
    const time = microseconds(predict(cost, {chunks: [[prefix, tokens]]}), 'attention.prefill');
    expect(time / (61 * 50)).toBeCloseTo((alone + 2 * heads * 320 * tokens * prefix + expanded) / alone, 9);
  });

  it('of other ranks than those measured stays on the roofline', () => {
    const other = builtinLlm('deepseek-v3');
    const layers = other.layers.map((group) => ({...group, attention: {...group.attention, kvLoraRank: 256}}));
    const own = model('', {llm: {...other, layers} as Llm, kernels, tensor: 8});
    expect(own.terms[stepTerms.indexOf('attention.decode')].source).not.toBe('by hand');
  });
});

describe('what if the device were another', () => {
  const kernels = {'gemm.bf16': additive({P: 1e15, W: 1000, o: 5})};

  it('half the bandwidth doubles what the memory takes and leaves the launch', () => {
    const own = bare.memory.hbm!;
    const slow = {...device(kernels), memory: {hbm: {...own, bandwidth: {...own.bandwidth, value: own.bandwidth.value / 2}}}};
    const [half, full] = [slow, device(kernels)].map((on) => microseconds(predict(model('llama-3.1-8b', {on}), decode), 'linear'));
    expect(half - full).toBeCloseTo(full - 32 * 4 * 5, 6);
  });

  it('more arithmetic does not help what waits for the memory', () => {
    const fast = {...device(kernels), compute: {...bare.compute, bf16: {...bare.compute.bf16!, value: 2 * bare.compute.bf16!.value}}};
    const [doubled, full] = [fast, device(kernels)].map((on) => microseconds(predict(model('llama-3.1-8b', {on}), decode), 'linear'));
    expect(doubled).toBeCloseTo(full, 9);
  });
});

describe('beyond what was measured', () => {
  it('each term that was asked there is marked, and only those', () => {
    const kernels = {
      'gemm.bf16': takes(10, {m: [1, 256]}),
      'attn.decode.bf16': takes(10, {context: [1, 4096]}),
      'attn.prefill.bf16': takes(10, {prefix: [0, 0]}),
    };
    const cost = model('llama-3.1-8b', {kernels});
    const marked = (shape: Shape) => stepTerms.filter((_, i) => (predict(cost, shape).outside >> i) & 1);
    expect(marked(decode)).toEqual([]);
    expect(marked({decodes: 300, context: 100})).toEqual(['linear', 'head']);
    expect(marked({decodes: 8, context: 5000})).toEqual(['attention.decode']);
    expect(marked({chunks: [[0, 200]]})).toEqual([]);
    expect(marked({chunks: [[16, 200]]})).toEqual(['attention.prefill']);
  });
});

describe('which fits are taken', () => {
  const kernels = {
    'gemm.bf16': {form: 'table/1', axes: ['m', 'n', 'k'], rows: [1, 4096, 4096, 1e-5], grade: 'fitted', source: 'a table'} as FitJson,
    'attn.decode.bf16': takes(9),
  };

  it('table takes tables alone, roofline none', () => {
    const sources = (fits: FitChoice) => model('llama-3.1-8b', {kernels, fits}).terms.map(({source}) => source);
    expect(sources('auto')).toEqual(expect.arrayContaining(['a table', 'by hand']));
    expect(sources('table')).toContain('a table');
    expect(sources('table')).not.toContain('by hand');
    expect(sources('roofline')).not.toContain('a table');
  });

  it('a form that the device has no fit of is refused with those it has', () => {
    expect(() => model('llama-3.1-8b', {kernels, fits: 'forest'})).toThrow(InputError);
    expect(() => model('llama-3.1-8b', {kernels, fits: 'forest'})).toThrow(/has no fit of the form forest; it has table\/1, pnorm\/1/);
    expect(() => model('llama-3.1-8b', {on: bare, fits: 'table'})).toThrow(/it has no fits/);
  });

  it('fits stated first win over those of the device that a profile extends', () => {
    const on = {
      ...bare,
      fits: [measuredOn(bare, {'gemm.bf16': takes(1)}), measuredOn(bare, {'gemm.bf16': takes(2), 'rope.bf16': takes(3)})],
    };
    const prediction = predict(model('llama-3.1-8b', {on}), decode);
    expect(microseconds(prediction, 'linear')).toBeCloseTo(32 * 4, 6);
  });
});

describe('the interval of a term', () => {
  it('is the signed one of its fit, the widest when several kernels make it, and follows from the mean error alone', () => {
    const error = {mape: 0.05, p50: 0.04, p90: 0.1, bias: 0, interval: [0.95, 1.2], n: 100};
    const interval = (json: FitJson) => model('llama-3.1-8b', {kernels: {'gemm.bf16': json}}).terms[stepTerms.indexOf('linear')].interval;
    expect(interval({...takes(1), error})).toEqual([0.95, 1.2]);
    const [low, high] = interval({...takes(1), error: {mape: 0.1}});
    expect([low * high, high]).toEqual([expect.closeTo(1, 12), expect.closeTo(1.16, 12)]);
  });
});
