import {BatchSums, Prediction} from '../../models/cost/cost.js';
import type {Route} from '../memory/hierarchy-config.js';
import {costOf} from './build.js';
import {hierarchyOf} from './hierarchy-of.js';
import type {ResultDocument} from './result.js';
import type {MemoryPlan, Scenario} from './scenario.js';

/**
 * From how many tokens on a load from each memory below is sooner than computing them, both alone: the rule of `kv.load: cheaper`.
 *
 * Null: not up to the largest context.
 */
export function breakEven(scenario: Scenario, plan: MemoryPlan): ResultDocument['break_even_tokens'] {
  const below = hierarchyOf(scenario, plan);
  if (below === null) return {};
  const size = scenario.kv.blockSize;
  const most = Math.floor(plan.maxContextTokens / size);
  const compute = computeSeconds(scenario);
  return Object.fromEntries(
    below.hierarchy.tiers.map(({name, load}) => {
      const sooner = (blocks: number) => loadSeconds(load, blocks, plan.blockBytes) < compute(blocks * size);
      return [name, firstTrue(most, sooner) * size || null];
    }),
  );
}

/** Computing a prefix of each length, and loading it from each memory below, alone; nothing without memories below. Lengths are whole blocks. */
export function loadOrCompute(
  scenario: Scenario,
  plan: MemoryPlan,
  lengths = doubled(scenario.kv.blockSize, plan),
): Pick<ResultDocument, 'load_or_compute'> {
  const below = hierarchyOf(scenario, plan);
  if (below === null || lengths.length === 0) return {};
  const compute = computeSeconds(scenario);
  const loads = below.hierarchy.tiers.map(
    ({name, load}) => [name, lengths.map((tokens) => loadSeconds(load, tokens / scenario.kv.blockSize, plan.blockBytes))] as const,
  );
  return {load_or_compute: {tokens: lengths, compute_s: lengths.map(compute), load_s: Object.fromEntries(loads)}};
}

/** A block, two, four …, up to the largest context, which is the last. */
function doubled(blockSize: number, {maxContextTokens}: MemoryPlan): number[] {
  const most = Math.floor(maxContextTokens / blockSize) * blockSize;
  const lengths: number[] = [];
  for (let tokens = blockSize; tokens < most; tokens *= 2) lengths.push(tokens);
  return most > 0 ? [...lengths, most] : [];
}

function loadSeconds({latency, perBlock, bandwidth}: Route, blocks: number, blockBytes: number): number {
  return (latency + blocks * perBlock) * 1e-9 + (blocks * blockBytes) / bandwidth;
}

function computeSeconds(scenario: Scenario): (tokens: number) => number {
  const cost = costOf(scenario);
  const sums = new BatchSums();
  const prediction = new Prediction(cost.terms.length);
  return (tokens) => {
    sums.clear();
    sums.addChunk(0, tokens, cost.window);
    cost.predict(sums, prediction);
    return prediction.seconds;
  };
}

/** The least of 1 … most for which `holds` is true, given that it stays true; 0: none. */
function firstTrue(most: number, holds: (n: number) => boolean): number {
  if (most < 1 || !holds(most)) return 0;
  let low = 1;
  let high = most;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
