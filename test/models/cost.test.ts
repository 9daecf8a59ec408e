import {readFileSync} from 'node:fs';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {BatchSums, bounds, Prediction} from '../../src/models/cost/cost.js';
import {constant, describeStep, roofline, type StepCost, stepTerms} from '../../src/models/cost/index.js';
import {distinctExperts} from '../../src/models/cost/work.js';
import type {Device} from '../../src/models/devices/device.js';
import {builtinDevice} from '../../src/models/devices/index.js';
import {engineProfile} from '../../src/models/engines/index.js';
import {builtinLlm, kvFormat, withQuantization} from '../../src/models/llms/index.js';
import type {Llm} from '../../src/models/llms/llm.js';
import {InputError} from '../../src/sim/core/errors.js';

interface Setting {
  device?: Device;
  tensor?: number;
  engine?: string;
  llm?: Llm;
}

function model(
  name: string,
  {device = builtinDevice('h100-sxm'), tensor = 1, engine = 'ideal', llm = builtinLlm(name)}: Setting = {},
): StepCost {
  return roofline(llm, device, {tensor, engine: engineProfile(engine, null), kvFormat: kvFormat('auto', llm), activationType: 'bf16'});
}

interface Shape {
  decodes?: number;
  context?: number;
  chunk?: number;
  prefix?: number;
}

function batch(window: number, {decodes = 0, context = 0, chunk = 0, prefix = 0}: Shape): BatchSums {
  const sums = new BatchSums();
  sums.decodes = decodes;
  sums.decodeContext = decodes * context;
  sums.decodeContextClipped = decodes * Math.min(context, window);
  if (chunk > 0) sums.addChunk(prefix, chunk, window);
  sums.emitting = decodes;
  return sums;
}

function predict(cost: StepCost, shape: Shape): Prediction {
  const into = new Prediction(cost.terms.length);
  cost.predict(batch(cost.window, shape), into);
  return into;
}

function microseconds(prediction: Prediction, term: (typeof stepTerms)[number]): number {
  return prediction.terms[stepTerms.indexOf(term)] * 1e6;
}

/** A device with one bandwidth of its memory. */
function withBandwidth(id: string, factor: number): Device {
  const device = builtinDevice(id);
  const own = device.memory[device.home]!;
  return {
    ...device,
    memory: {...device.memory, [device.home]: {...own, bandwidth: {...own.bandwidth, value: own.bandwidth.value * factor}}},
  };
}

const document = readFileSync('docs/cost-model.md', 'utf8');

/** Microseconds worked out by hand in docs/cost-model.md, which shows the same digits. */
function expectByHand(prediction: Prediction, byTerm: Partial<Record<(typeof stepTerms)[number], number>>, total: number): void {
  for (const [term, expected] of Object.entries(byTerm)) {
    expect(microseconds(prediction, term as never) / expected, term).toBeCloseTo(1, 9);
  }
  expect((prediction.seconds * 1e6) / total).toBeCloseTo(1, 9);
  for (const value of [...Object.values(byTerm), total]) expect(document, `docs/cost-model.md shows ${value}`).toContain(value.toFixed(3));
}

describe('step times by hand, ideal engine', () => {
  it('dense: Llama-3.1-8B on one H100, 32 sequences decode at 1,000 tokens', () => {
    expectByHand(
      predict(model('llama-3.1-8b'), {decodes: 32, context: 1000}),
      {
        linear: 487.040076418 + 325.528071642 + 2263.672128955 + 1133.088095522,
        'attention.decode': 1257.039168955,
        head: 316.162292537,
        elementwise: 53.993838806,
      },
      5836.523672836,
    );
  });

  it('experts: Qwen3-30B-A3B on one H100, 16 sequences decode at 500 tokens and touch 82.4 of 128 experts', () => {
    expectByHand(
      predict(model('qwen3-30b-a3b'), {decodes: 16, context: 500}),
      {
        linear: 303.774032239 + 243.207030448 + 8.509898507,
        experts: 11168.594219472,
        'attention.decode': 238.51191403,
        head: 187.240998209,
        elementwise: 29.148847761,
      },
      12178.986940666,
    );
  });

  it('latent attention: DeepSeek-V3 on eight H200, 64 sequences at 4,096 tokens and a chunk of 1,024 after 1,024', () => {
    const cost = model('deepseek-v3', {device: builtinDevice('h200-sxm'), tensor: 8});
    expectByHand(
      predict(cost, {decodes: 64, context: 4096, chunk: 1024, prefix: 1024}),
      {
        linear: 3337.239767735,
        experts: 20210.107733333,
        'attention.prefill': 1258.631536599,
        'attention.decode': 3866.105173333,
        head: 48.886613333,
        elementwise: 3552.18944,
        collective: 7493.013048889,
      },
      39766.173313222,
    );
  });
});

const decode = {decodes: 32, context: 1000};
const names = ['llama-3.1-8b', 'qwen3-30b-a3b', 'gpt-oss-20b', 'gemma-2-9b', 'opt-6.7b'];

describe.each(names)('%s, whatever the figures', (name) => {
  it.each(['ideal', 'vllm'])('more prefill tokens, a longer context and more sequences cost strictly more (%s)', (engine) => {
    const cost = model(name, {engine});
    for (let chunk = 16; chunk <= 16_384; chunk *= 2) {
      expect(predict(cost, {chunk: chunk + 1}).seconds).toBeGreaterThan(predict(cost, {chunk}).seconds);
      expect(predict(cost, {chunk: 64, prefix: chunk + 512}).seconds).toBeGreaterThan(predict(cost, {chunk: 64, prefix: chunk}).seconds);
    }
    for (let context = 16; context <= 16_384; context *= 2) {
      expect(predict(cost, {decodes: 8, context: context + 64}).seconds).toBeGreaterThan(predict(cost, {decodes: 8, context}).seconds);
    }
    for (let decodes = 1; decodes < 512; decodes *= 2) {
      expect(predict(cost, {decodes: decodes + 1, context: 500}).seconds).toBeGreaterThan(predict(cost, {decodes, context: 500}).seconds);
    }
  });

  it('more layers cost strictly more', () => {
    const llm = builtinLlm(name);
    const taller = {...llm, layers: llm.layers.map((group) => ({...group, count: group.count + 1}))};
    expect(predict(model(name, {llm: taller}), decode).seconds).toBeGreaterThan(predict(model(name), decode).seconds);
    expect(predict(model(name, {llm: taller}), {chunk: 2048}).seconds).toBeGreaterThan(predict(model(name), {chunk: 2048}).seconds);
  });

  it('halving the bandwidth doubles a memory-bound step exactly', () => {
    const full = predict(model(name), decode);
    expect(full.bounds[bounds.indexOf('hbm')]).toBe(full.seconds);
    expect(predict(model(name, {device: withBandwidth('h100-sxm', 0.5)}), decode).seconds).toBe(2 * full.seconds);
  });

  it.each(['ideal', 'vllm'])('halving the bandwidth never lowers the memory-bound share (%s)', (engine) => {
    for (const shape of [decode, {chunk: 512}, {chunk: 4096, prefix: 4096}, {decodes: 64, context: 2000, chunk: 1024}]) {
      const share = (factor: number) => {
        const prediction = predict(model(name, {engine, device: withBandwidth('h100-sxm', factor)}), shape);
        return prediction.bounds[bounds.indexOf('hbm')] / prediction.seconds;
      };
      expect(share(0.5)).toBeGreaterThanOrEqual(share(1) - 1e-12);
    }
  });
});

it('tensor parallelism shortens a step and adds link time', () => {
  const step = (tensor: number) => predict(model('llama-3.1-70b', {tensor, engine: 'vllm'}), decode);
  expect(step(2).seconds).toBeLessThan(step(1).seconds);
  expect(step(4).seconds).toBeLessThan(step(2).seconds);
  expect(microseconds(step(1), 'collective')).toBe(0);
  expect(microseconds(step(2), 'collective')).toBeGreaterThan(0);
  expect(step(2).seconds).toBeGreaterThan(step(1).seconds / 2);
});

it('a step of 70B on four H100 holds 160 all-reduces of layers and one of the embedding: 1–2 ms', () => {
  const items = describeStep(model('llama-3.1-70b', {tensor: 4, engine: 'vllm'}), batch(Number.POSITIVE_INFINITY, decode));
  const reduces = items.find((item) => item.name === 'all-reduces');
  expect(reduces?.formula).toMatch(/^161 × /);
  expect(reduces!.seconds).toBeGreaterThan(1e-3);
  expect(reduces!.seconds).toBeLessThan(2e-3);
});

it('a sliding window caps what decode reads: beyond it a longer context costs only the full layers', () => {
  const cost = model('gpt-oss-20b'); // window 128 in half of the layers, 12,288 B a token in each half… of 24,576
  const at = (context: number) => microseconds(predict(cost, {decodes: 1, context}), 'attention.decode');
  expect((at(2000) - at(1000)) / ((1000 * 24_576) / 3.35e12 / 1e-6)).toBeCloseTo(1, 9);
  expect((at(100) - at(50)) / ((50 * 49_152) / 3.35e12 / 1e-6)).toBeCloseTo(1, 9);
});

it('emitting rows pass the head, prompt tokens that emit nothing do not', () => {
  const cost = model('llama-3.1-8b');
  expect(microseconds(predict(cost, {chunk: 2048}), 'head')).toBe(0);
  expect(microseconds(predict(cost, {decodes: 1, context: 10}), 'head')).toBeGreaterThan(300);
});

describe('distinct experts', () => {
  it('are k for one token, below k·t and E for more, and E in the end', () => {
    expect(distinctExperts(128, 8, 1)).toBeCloseTo(8, 12);
    for (const tokens of [2, 7, 40, 300]) {
      expect(distinctExperts(128, 8, tokens)).toBeLessThan(Math.min(128, 8 * tokens));
    }
    expect(distinctExperts(128, 8, 5000)).toBe(128);
    expect(distinctExperts(8, 8, 3)).toBe(8);
  });
});

describe('number formats', () => {
  it('int4 weights halve a memory-bound step twice, and multiply at the bf16 peak', () => {
    const llm = withQuantization(builtinLlm('llama-3.1-8b'), 'int4');
    const four = microseconds(predict(model('', {llm}), {decodes: 1, context: 1}), 'linear');
    const sixteen = microseconds(predict(model('llama-3.1-8b'), {decodes: 1, context: 1}), 'linear');
    expect(four / sixteen).toBeCloseTo((4 + 20 / 128) / 16, 3);
    const prefill = (l: Llm) => microseconds(predict(model('', {llm: l}), {chunk: 8192}), 'linear');
    expect(prefill(llm)).toBe(prefill(builtinLlm('llama-3.1-8b')));
  });

  it('fp8 doubles the peak where the device has it, and not on an A100', () => {
    const bf16 = builtinLlm('llama-3.1-8b');
    const llm = withQuantization(bf16, 'fp8');
    const prefill = (l: Llm, id: string) => microseconds(predict(model('', {llm: l, device: builtinDevice(id)}), {chunk: 8192}), 'linear');
    expect(prefill(bf16, 'h100-sxm') / prefill(llm, 'h100-sxm')).toBeCloseTo(1979 / 989, 6);
    expect(prefill(bf16, 'a100-sxm-80gb')).toBe(prefill(llm, 'a100-sxm-80gb'));
  });

  it('a device without a peak for the activations is refused by name', () => {
    const device = {...builtinDevice('h100-sxm'), compute: {}};
    expect(() => model('llama-3.1-8b', {device})).toThrow(/h100-sxm states no peak for bf16/);
  });

  it('devices without a peer link cannot share a model', () => {
    expect(() => model('llama-3.1-8b', {device: builtinDevice('m4-max-64'), tensor: 2})).toThrow(InputError);
    expect(() => model('llama-3.1-8b', {tensor: 3})).toThrow(/3 does not divide the 32 heads/);
  });
});

describe('the host', () => {
  it('hides behind the device with two steps in flight, and its excess is bound `host`', () => {
    const cost = model('llama-3.1-8b', {engine: 'vllm'});
    expect(predict(cost, decode).bounds[bounds.indexOf('host')]).toBe(0);
    const small = model('qwen3-0.6b', {engine: 'vllm'});
    const prediction = predict(small, {decodes: 512, context: 10});
    const host = 1e-3 + 512 * 4e-6;
    expect(prediction.seconds).toBeCloseTo(host, 12);
    expect(prediction.bounds[bounds.indexOf('host')]).toBeGreaterThan(0);
  });

  it('adds to the step with one in flight', () => {
    const engine = {...engineProfile('vllm', null), inFlight: 1};
    const llm = builtinLlm('llama-3.1-8b');
    const options = {tensor: 1, kvFormat: kvFormat('auto', llm), activationType: 'bf16'} as const;
    const serial = roofline(llm, builtinDevice('h100-sxm'), {...options, engine});
    expect(predict(serial, decode).seconds - predict(model('llama-3.1-8b', {engine: 'vllm'}), decode).seconds).toBeCloseTo(
      1e-3 + 32 * 4e-6,
      12,
    );
  });
});

const anyShape = fc.record({
  decodes: fc.integer({min: 0, max: 600}),
  context: fc.integer({min: 1, max: 100_000}),
  chunk: fc.integer({min: 0, max: 20_000}),
  prefix: fc.integer({min: 0, max: 50_000}),
});
const anyModel = fc.constantFrom(
  model('llama-3.1-8b', {engine: 'vllm'}),
  model('mixtral-8x7b', {engine: 'vllm', tensor: 2}),
  model('deepseek-v3', {engine: 'vllm', tensor: 8, device: builtinDevice('h200-sxm')}),
  model('gpt-oss-120b', {engine: 'vllm'}),
  model('gemma-3-12b', {engine: 'ideal', device: builtinDevice('mi300x')}),
  model('phi-2', {engine: 'vllm', device: builtinDevice('epyc-9554')}),
);

describe('on random batches', () => {
  it('the fast prediction equals the itemised sum, and bounds and terms sum to seconds', () => {
    fc.assert(
      fc.property(anyModel, anyShape, (cost, shape) => {
        const sums = batch(cost.window, shape);
        const prediction = predict(cost, shape);
        const items = describeStep(cost, sums);
        const slow = items.reduce((total, item) => total + item.seconds, 0);
        expect(Math.abs(prediction.seconds - slow)).toBeLessThanOrEqual(1e-12 + slow * 1e-12);
        for (const [i, term] of stepTerms.entries()) {
          const itemised = items.filter((item) => item.term === term).reduce((total, item) => total + item.seconds, 0);
          expect(Math.abs(prediction.terms[i] - itemised), term).toBeLessThanOrEqual(1e-12 + itemised * 1e-11);
        }
        for (const parts of [prediction.bounds, prediction.terms]) {
          expect(Math.abs(parts.reduce((a, b) => a + b, 0) - prediction.seconds)).toBeLessThanOrEqual(prediction.seconds * 1e-12);
        }
        for (const [sum, total] of [
          [items.reduce((t, i) => t + i.flops, 0) * cost.work.tensor, prediction.flops],
          [items.reduce((t, i) => t + i.bytes, 0) * cost.work.tensor, prediction.bytes],
        ]) {
          expect(Math.abs(sum - total)).toBeLessThanOrEqual(total * 1e-12);
        }
      }),
      {seed: 1, numRuns: 300},
    );
  });

  it('no peak is exceeded, and equal batches give equal seconds whatever came before', () => {
    fc.assert(
      fc.property(anyModel, anyShape, (cost, shape) => {
        if (shape.decodes + shape.chunk === 0) return;
        const {seconds, bytes, flops} = predict(cost, shape);
        const peak = Math.max(...cost.work.matrices.map((m) => m.peak), ...cost.work.experts.map((e) => e.peak), cost.work.attentionPeak);
        expect(bytes / seconds).toBeLessThanOrEqual(cost.bandwidth * cost.work.tensor * (1 + 1e-12));
        expect(flops / seconds).toBeLessThanOrEqual(peak * cost.work.tensor * (1 + 1e-12));
        predict(cost, {chunk: shape.chunk + 7, decodes: 3, context: 5});
        expect(predict(cost, shape).seconds).toBe(seconds);
      }),
      {seed: 2, numRuns: 300},
    );
  });
});

it('every term has a grade, a source and an interval around or above what is predicted', () => {
  for (const {grade, source, interval} of model('llama-3.1-8b', {engine: 'vllm'}).terms) {
    expect(['measured', 'fitted', 'datasheet', 'extrapolated', 'assumed']).toContain(grade);
    expect(source.length).toBeGreaterThan(10);
    expect(interval[0]).toBeLessThan(interval[1]);
    expect(interval[0]).toBeLessThanOrEqual(1);
    expect(interval[1]).toBeGreaterThanOrEqual(1);
  }
});

it('near the measured time per token of vLLM on H100 (inference-sim/training): within 15 % at eleven loads of three models', () => {
  // TPOT in ms at the mean number of running sequences and mean context of each load, early 2026.
  const measured: readonly (readonly [name: string, tensor: number, running: number, context: number, ms: number])[] = [
    ['llama-2-7b', 1, 9, 690, 7.26],
    ['llama-2-7b', 1, 22, 690, 8.89],
    ['llama-2-7b', 1, 16, 671, 8.22],
    ['llama-2-7b', 1, 83, 671, 16.62],
    ['llama-2-70b', 4, 37, 671, 18.71],
    ['llama-2-70b', 4, 111, 671, 22.09],
    ['llama-2-70b', 4, 27, 876, 18.03],
    ['mixtral-8x7b', 2, 23, 690, 18.11],
    ['mixtral-8x7b', 2, 47, 690, 19.09],
    ['mixtral-8x7b', 2, 38, 671, 19.16],
    ['mixtral-8x7b', 2, 103, 671, 20.51],
  ];
  for (const [name, tensor, decodes, context, ms] of measured) {
    const predicted = predict(model(name, {tensor, engine: 'vllm'}), {decodes, context}).seconds * 1e3;
    expect(Math.abs(predicted - ms) / ms, `${name} ${decodes}: ${predicted}`).toBeLessThan(0.15);
  }
});

it('a constant cost takes its seconds whatever the batch', () => {
  const cost = constant(0.25);
  const into = new Prediction(cost.terms.length);
  cost.predict(batch(cost.window, {decodes: 500, context: 1e5}), into);
  expect([into.seconds, into.flops, into.bytes, into.terms[0], into.bounds.reduce((a, b) => a + b, 0)]).toEqual([0.25, 0, 0, 0.25, 0.25]);
});
