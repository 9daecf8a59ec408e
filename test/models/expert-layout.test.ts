import {describe, expect, it} from 'vitest';
import {BatchSums, Prediction} from '../../src/models/cost/cost.js';
import {busiest, checkExperts, type Layout} from '../../src/models/cost/expert-layout.js';
import {describeStep, roofline, type StepCost, stepCost} from '../../src/models/cost/index.js';
import {builtinDevice} from '../../src/models/devices/index.js';
import {engineProfile} from '../../src/models/engines/index.js';
import {builtinLlm, kvFormat} from '../../src/models/llms/index.js';
import {stream} from '../../src/sim/core/random.js';

const llm = builtinLlm('qwen3-235b-a22b'); // 94 layers, hidden 4,096, 128 experts of 1,536, 8 a token
const h100 = builtinDevice('h100-sxm');
const split: Layout = {tensor: 8, expert: 1, exchange: 'all-reduce'};
const spread: Layout = {tensor: 8, expert: 8, exchange: 'all-reduce'};
const sent: Layout = {tensor: 8, expert: 8, exchange: 'all-to-all'};
const common = {engine: engineProfile('ideal', null), kvFormat: kvFormat('auto', llm), activationType: 'bf16'} as const;

const ideal = (layout: Layout) => roofline(llm, h100, {...common, ...layout});

function chunk(tokens: number): BatchSums {
  const batch = new BatchSums();
  batch.addChunk(0, tokens, Number.POSITIVE_INFINITY);
  return batch;
}

function predict(cost: StepCost, tokens: number): Prediction {
  const into = new Prediction(cost.terms.length);
  cost.predict(chunk(tokens), into);
  return into;
}

const itemOf = (cost: StepCost, name: string, tokens = 1024) => describeStep(cost, chunk(tokens)).find((item) => item.name.includes(name));

describe('experts spread over devices', () => {
  it('are whole on their device: 16 of 128, eight times as wide, and all devices together do the same', () => {
    expect(ideal(split).work.experts[0]).toMatchObject({local: 128, width: 192});
    expect(ideal(spread).work.experts[0]).toMatchObject({local: 16, width: 1536});
    expect(ideal({...split, expert: 2}).work.experts[0]).toMatchObject({local: 64, width: 384});
    expect(predict(ideal(spread), 512).flops).toBeCloseTo(predict(ideal(split), 512).flops, -3);
  });

  it('take as long as the busiest device does: 1,024 tokens leave it 1 + 1.4236 √((128 − 8) / 127 / 1,024) of the mean', () => {
    const [own, all] = [ideal(spread), ideal(split)].map((cost) => cost.tokenKernels.find(({term}) => term === 'experts')!);
    const mean = Math.max(own.computeSeconds(1024), own.memorySeconds(1024));
    expect(own.seconds(1024) / mean).toBeCloseTo(1 + 1.4236 * Math.sqrt(120 / 127 / 1024), 4);
    expect(all.seconds(1024)).toBe(Math.max(all.computeSeconds(1024), all.memorySeconds(1024)));
  });

  it('meet as under tensor parallelism, by one sum a layer', () => {
    expect(ideal(spread).work).toMatchObject({reduces: 189, sends: 0});
    expect(itemOf(ideal(spread), 'all-to-alls')).toBeUndefined();
  });

  it('or tokens are sent to their experts and back: tokens · k · h · b / EP bytes from each device, and no sum after', () => {
    const cost = ideal(sent);
    expect(cost.work).toMatchObject({reduces: 95, sends: 188, sendBytes: (8 * 4096 * 2) / 8});
    // 1,024 tokens: 8,388,608 B from each device, 7/8 of it to others, over 450 GB/s.
    const seconds = (188 * (7 / 8) * 1024 * 8192) / 450e9;
    expect(itemOf(cost, 'all-to-alls')!.seconds).toBeCloseTo(seconds, 9);
    const without = itemOf(ideal(spread), 'all-reduces')!.seconds * (95 / 189);
    expect(predict(cost, 1024).bounds[2]).toBeCloseTo(without + seconds, 9);
  });

  it('are priced by the kernels that were measured with as many experts on a device', () => {
    const fitted = (layout: Layout) => stepCost(llm, h100, {...common, engine: engineProfile('sglang', null), fits: 'auto', ...layout});
    expect(itemOf(fitted(spread), 'experts')!.formula).toContain('width 1536, top_k 8, experts 128, local 16');
    expect(itemOf(fitted(split), 'experts')!.formula).toContain('width 192, top_k 8, experts 128, local 128');
  });

  it.each([
    ['do not divide the devices', {...spread, expert: 3}, 'engine.parallel.expert: 3 does not divide the 8 devices'],
    ['divide no experts', {tensor: 3, expert: 3, exchange: 'all-reduce'}, 'engine.parallel.expert: 3 does not divide the 128 experts'],
    [
      'exchange tokens with fewer groups than devices',
      {...sent, expert: 4},
      'engine.parallel.exchange: all-to-all needs experts on every device',
    ],
  ] as [string, Layout, string][])('are refused when they %s', (_what, layout, message) => {
    expect(() => checkExperts(llm, layout)).toThrow(message);
  });

  it('are refused of a model without any', () => {
    const dense = builtinLlm('llama-3.1-8b');
    expect(() => checkExperts(dense, spread)).toThrow('engine.parallel.expert: llama-3.1-8b has no experts to spread');
    expect(() => checkExperts(dense, {...sent, expert: 1})).toThrow(
      'engine.parallel.exchange: llama-3.1-8b has no experts to send tokens to',
    );
    expect(() => checkExperts(dense, {tensor: 1, expert: 1, exchange: 'all-to-all'})).not.toThrow();
  });
});

describe('busiest', () => {
  /** Mean over draws of the most picks on one device, over the mean. */
  function drawn(experts: number, topK: number, devices: number, tokens: number): number {
    const random = stream(1, 'test/experts');
    const all = Array.from({length: experts}, (_, i) => i);
    let sum = 0;
    const draws = 400;
    for (let draw = 0; draw < draws; draw++) {
      const picks = new Array<number>(devices).fill(0);
      for (let token = 0; token < tokens; token++)
        for (let k = 0; k < topK; k++) {
          const other = k + Math.floor(random() * (experts - k));
          [all[k], all[other]] = [all[other]!, all[k]!];
          picks[Math.floor((all[k]! * devices) / experts)]!++;
        }
      sum += Math.max(...picks);
    }
    return (sum / draws) * (devices / (tokens * topK));
  }

  it.each([
    [128, 8, 8, 1],
    [128, 8, 8, 16],
    [128, 8, 8, 512],
    [64, 6, 2, 32],
    [256, 8, 64, 64],
  ])('of %i experts, %i a token, on %i devices with %i tokens is what draws give, within 7 %%', (experts, topK, devices, tokens) => {
    const ratio = busiest({experts, topK}, devices, tokens) / drawn(experts, topK, devices, tokens);
    expect(Math.abs(ratio - 1)).toBeLessThan(0.07);
  });

  it('is no more than all picks of every token on one device, and 1 on one', () => {
    expect(busiest({experts: 8, topK: 2}, 8, 1)).toBeLessThanOrEqual(4);
    expect(busiest({experts: 128, topK: 8}, 1, 100)).toBe(1);
  });
});
