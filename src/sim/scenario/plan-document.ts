import {paramCounts} from '../../models/llms/params.js';
import type {PlanDocument} from './result.js';
import type {MemoryPlan, Scenario, TierPlan} from './scenario.js';
import {residentTokens} from './session-figures.js';

/** The memory plan in the words of result.json; sizes of memories are over all devices of the replica, terms on one device. */
export function planDocument(scenario: Scenario, plan: MemoryPlan): PlanDocument {
  const {count} = scenario;
  const params = paramCounts(scenario.llm);
  return {
    replicas: scenario.cluster.replicas,
    memories: {
      [plan.memory]: {
        size_bytes: plan.deviceBytes * count,
        usable_bytes: plan.usableBytes * count,
        weights_bytes: plan.weightsBytes * count,
        overhead_bytes: plan.overheadBytes * count,
        kv_bytes: plan.kvBytes * count,
        free_bytes: plan.freeBytes * count,
        devices: count,
      },
      ...Object.fromEntries(plan.tiers.map((tier) => [tier.memory, tierMemory(tier)])),
    },
    terms: plan.terms.map(({name, bytes, formula, grade}) => ({name, bytes, formula, grade})),
    block_bytes: plan.blockBytes,
    block_tokens: scenario.kv.blockSize,
    kv_bytes_per_token: plan.kvBytesPerToken,
    kv_blocks: plan.kvBlocks,
    kv_tokens: plan.kvTokens,
    resident_tokens: residentTokens(scenario, plan),
    tiers: Object.fromEntries(
      plan.tiers.map(({memory, kvBlocks, kvTokens, scope}) => [
        memory,
        {kv_blocks: kvBlocks, kv_tokens: kvTokens, ...(scope === undefined ? {} : {scope})},
      ]),
    ),
    blocks_from: plan.blocksFrom,
    derived_blocks: plan.derivedBlocks,
    max_model_len_tokens: plan.maxModelLen,
    max_context_tokens: plan.maxContextTokens,
    max_batch: plan.maxBatch,
    params_total: params.total,
    params_active: params.active,
  };
}

function tierMemory({sizeBytes, kvBytes}: TierPlan): PlanDocument['memories'][string] {
  return {
    size_bytes: sizeBytes,
    usable_bytes: sizeBytes,
    weights_bytes: 0,
    overhead_bytes: 0,
    kv_bytes: kvBytes,
    free_bytes: sizeBytes - kvBytes,
    devices: 1,
  };
}
