import {expect, it} from 'vitest';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {summarise} from '../../../src/sim/scenario/summarise.js';
import {load} from '../../support/scenario-text.js';

async function result(costModel: string, inputTokens: number) {
  const scenario = await load({
    'a.yaml': `model: llama-3.1-8b
hardware: {device: h100-sxm, cost_model: ${costModel}}
engine: {preset: vllm, version: "0.24"}
workload: {kind: lengths, arrivals: 0.2 req/s, input_tokens: ${inputTokens}, output_tokens: 20}
run: {requests: 10, warmup: 0}
`,
  });
  const plan = planMemory(scenario);
  return summarise(scenario, plan, [simulate(scenario, plan, {replication: 0})]);
}

it('prompts computed in two chunks ask prefill attention beyond its table, which has no prefix: the share is stated and warned of', async () => {
  const {provenance, warnings} = await result('auto', 15_000);
  const prefill = provenance.find(({term}) => term === 'attention.prefill')!;
  expect(prefill.extrapolated_share).toBeGreaterThan(0.3);
  expect(prefill.extrapolated_share).toBeLessThan(1);
  expect(provenance.find(({term}) => term === 'linear')!.extrapolated_share).toBe(0);
  const warning = warnings.find(({code}) => code === 'extrapolated');
  expect(warning?.text).toMatch(/^\S+ % of busy time was predicted for shapes beyond those measured: attention\.prefill /);
});

it('prompts of one chunk lie within it, and a vocabulary of 128,256 is taken in two halves', async () => {
  const {provenance, warnings} = await result('auto', 1000);
  expect(provenance.map(({extrapolated_share}) => extrapolated_share)).toEqual(provenance.map(() => 0));
  expect(warnings.map(({code}) => code)).not.toContain('extrapolated');
});

it('a roofline has no range to leave', async () => {
  const {provenance, warnings} = await result('roofline', 15_000);
  expect(provenance.map(({extrapolated_share}) => extrapolated_share)).toEqual(provenance.map(() => 0));
  expect(warnings.map(({code}) => code)).not.toContain('extrapolated');
});
