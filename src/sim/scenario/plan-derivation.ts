import {checkExperts} from '../../models/cost/expert-layout.js';
import {checkTensor} from '../../models/cost/work.js';
import type {Device} from '../../models/devices/device.js';
import {kvBytesPerToken} from '../../models/llms/kv.js';
import type {Llm} from '../../models/llms/llm.js';
import {paramCounts} from '../../models/llms/params.js';
import {weightBytesPerDevice} from '../../models/llms/weights.js';
import {InputError} from '../core/errors.js';
import type {KvTier, MemoryPlan, PlanTerm, Scenario, TierPlan} from './scenario.js';
import {countText, gibText} from './text.js';

/** The plan of a scenario whether it fits or not: numbers of blocks may be 0 or below. */
export function derivePlan(scenario: Scenario): MemoryPlan {
  const {llm, device, engine, kv, parallel, count} = scenario;
  checkTensor(llm, parallel.tensor);
  checkExperts(llm, parallel);
  const deviceBytes = capacityOf(device);
  const usableBytes = (device.gpuLimit?.value ?? deviceBytes) * scenario.gpuMemoryUtilization;
  const weightsBytes = weightBytesPerDevice(llm, parallel.tensor);
  const overhead = overheadTerms(scenario);
  const overheadBytes = overhead.reduce((sum, term) => sum + term.bytes, 0);
  const left = usableBytes - weightsBytes - overheadBytes;
  const token = kvBytesPerToken(llm, kv.format, parallel.tensor);
  const blockBytesPerDevice = (token.growing + token.windowed) * kv.blockSize;
  const derived = Math.floor(left / blockBytesPerDevice);
  const {blocks, from} = chosenBlocks(scenario, Math.min(derived, upFrontBlocks(scenario)), blockBytesPerDevice);
  const kvBlocks = blocks - engine.reservedBlocks;
  const kvTokens = kvBlocks * kv.blockSize;
  const kvBytes = Math.max(0, blocks) * blockBytesPerDevice;
  const wanted = longestContext(scenario);
  const fitting = Math.floor(kvTokens / contexts(scenario));
  const maxModelLen = engine.needsFullContext ? wanted : Math.max(1, Math.min(wanted, fitting));
  return {
    memory: device.home,
    deviceBytes,
    usableBytes,
    terms: [
      ...gpuLimitTerms(device, deviceBytes),
      usableTerm(scenario, usableBytes),
      weightsTerm(llm, parallel.tensor, weightsBytes),
      ...overhead,
      kvTerm(scenario, {blocks, from, left, blockBytesPerDevice, kvBytes}),
    ],
    weightsBytes,
    overheadBytes,
    kvBytes,
    freeBytes: Math.max(0, left - kvBytes),
    blockBytesPerDevice,
    blockBytes: blockBytesPerDevice * count,
    kvBytesPerToken: (blockBytesPerDevice * count) / kv.blockSize,
    kvBlocks,
    kvTokens,
    blocksFrom: from,
    derivedBlocks: derived - engine.reservedBlocks,
    maxModelLen,
    maxContextTokens: Math.max(0, Math.min(maxModelLen, kvTokens)),
    maxBatch: Math.max(0, Math.min(scenario.scheduler.maxNumSeqs, Math.floor(kvBlocks / Math.ceil(maxModelLen / kv.blockSize)))),
    tiers: kv.tiers.map((tier) => tierPlan(scenario, tier, blockBytesPerDevice * count)),
  };
}

/** Contexts of the largest length that KV is divided into. */
function contexts({kv, scheduler}: Scenario): number {
  return kv.upFront === 'each' ? scheduler.maxNumSeqs : 1;
}

/** The longest context that was asked for; the model's is shared by the slots that have one each. */
function longestContext(scenario: Scenario): number {
  return scenario.maxModelLen ?? Math.floor(scenario.llm.maxPositions / contexts(scenario));
}

/** The most blocks that an engine which allocates at start asks for. */
function upFrontBlocks(scenario: Scenario): number {
  if (scenario.kv.upFront === null) return Number.POSITIVE_INFINITY;
  return Math.ceil((contexts(scenario) * longestContext(scenario)) / scenario.kv.blockSize) + scenario.engine.reservedBlocks;
}

/** Whole blocks of all devices of the replica that fit into a memory below. */
function tierPlan({host, kv}: Scenario, {name, capacity, scope}: KvTier, blockBytes: number): TierPlan {
  const kvBlocks = Math.floor(capacity / blockBytes);
  return {
    memory: name,
    sizeBytes: (name === 'page-cache' ? host.dram : host[name])!.capacity!,
    kvBytes: kvBlocks * blockBytes,
    kvBlocks,
    kvTokens: kvBlocks * kv.blockSize,
    ...(scope === undefined ? {} : {scope}),
  };
}

/** Why the engine would not start, as one sentence, or null when it would. */
export function whyNot(scenario: Scenario, plan: MemoryPlan): string | null {
  const {llm, device, count, engine} = scenario;
  const model = `${llm.name} ${formatText(llm)}`;
  const offered = `${count} × ${device.id} offers ${gibText(plan.usableBytes * count)}${limitText(scenario, plan)}`;
  const room = plan.usableBytes - plan.overheadBytes;
  if (plan.weightsBytes > room) {
    const overhead = plan.weightsBytes <= plan.usableBytes ? `, ${gibText(plan.overheadBytes * count)} of it work space` : '';
    return `${model} needs ${gibText(plan.weightsBytes * count)} for weights; ${offered}${overhead}.`;
  }
  if (plan.kvBlocks < 1)
    return `${model} leaves no KV block: weights and work space take ${gibText((plan.weightsBytes + plan.overheadBytes) * count)}; ${offered}.`;
  if (engine.needsFullContext && plan.kvTokens < plan.maxModelLen) {
    const needed = Math.ceil(plan.maxModelLen / scenario.kv.blockSize) * plan.blockBytes;
    return `${model} needs ${gibText(needed)} of KV for one prompt of ${countText(plan.maxModelLen)} tokens (engine.max_model_len); ${gibText(Math.max(0, plan.kvBlocks) * plan.blockBytes)} are left, room for ${countText(plan.kvTokens)} tokens; ${offered}.`;
  }
  return null;
}

/** Says that the system, and not the size of the memory, is what limits the GPU. */
function limitText({device: {gpuLimit}, count}: Scenario, {deviceBytes}: MemoryPlan): string {
  return gpuLimit === null
    ? ''
    : ` of ${gibText(deviceBytes * count)}, of which the GPU may use ${gibText(gpuLimit.value * count)} (hardware.memory.unified.gpu_limit)`;
}

/** The weight format that most parameters have, for one-line descriptions. */
export function formatText(llm: Llm): string {
  const {byClass} = paramCounts(llm);
  return llm.formats[byClass.experts > byClass.mlp ? 'experts' : 'mlp'].name;
}

function capacityOf(device: Device): number {
  const capacity = device.memory[device.home]?.capacity ?? null;
  if (capacity !== null) return capacity.value;
  throw new InputError(`hardware.memory.${device.home}.capacity: required, because ${device.id} has no memory of its own; e.g. 512 GiB`);
}

/** Memory that is neither weights nor KV, for engines that have any. */
function overheadTerms(scenario: Scenario): PlanTerm[] {
  const {llm, engine, scheduler, parallel, activationType} = scenario;
  if (engine.ideal) return [];
  if (engine.utilizationOf === 'weights-and-kv') return beforeWeights(scenario);
  const bytes = activationType === 'fp32' ? 4 : 2;
  const tokens = scheduler.maxNumBatchedTokens;
  const width = widestFeedForward(llm);
  const activations = tokens * (3 * llm.hidden + (3 * width) / parallel.tensor) * bytes;
  const terms: PlanTerm[] = [
    {
      name: 'activations',
      bytes: activations,
      formula: `${countText(tokens)} tokens × (3 × ${countText(llm.hidden)} + 3 × ${countText(width)} / ${parallel.tensor}) × ${bytes} B`,
      grade: 'assumed',
    },
    {
      name: 'logits',
      bytes: scheduler.maxNumSeqs * llm.vocab * (bytes + 4 + 4),
      formula: `${countText(scheduler.maxNumSeqs)} sequences × ${countText(llm.vocab)} × (${bytes} + 4 + 4) B`,
      grade: 'assumed',
    },
    {name: 'context', bytes: engine.reserve.context.value, formula: engine.reserve.context.source, grade: engine.reserve.context.grade},
    {name: 'graphs', bytes: engine.reserve.graphs.value, formula: engine.reserve.graphs.source, grade: engine.reserve.graphs.grade},
  ];
  if (parallel.tensor > 1) terms.push(collectiveBuffers(parallel.tensor));
  return terms;
}

/** What is taken before weights are loaded: the engine's share is one of the rest, so it loses that share of it. */
function beforeWeights({engine, parallel, gpuMemoryUtilization: share}: Scenario): PlanTerm[] {
  const {context} = engine.reserve;
  const of = (term: PlanTerm): PlanTerm => ({
    ...term,
    bytes: term.bytes * share,
    formula: `${share} × ${countText(term.bytes)} B taken before weights are loaded: ${term.formula}`,
  });
  const terms = [of({name: 'context', bytes: context.value, formula: context.source, grade: context.grade})];
  if (parallel.tensor > 1) terms.push(of(collectiveBuffers(parallel.tensor)));
  return terms;
}

/** Feed-forward width that one token passes: the experts it is sent to, side by side. */
function widestFeedForward(llm: Llm): number {
  return Math.max(
    ...llm.layers.map(({feedForward}) =>
      feedForward.kind === 'dense' ? feedForward.width : feedForward.topK * feedForward.width + feedForward.sharedWidth,
    ),
  );
}

/** Buffers of NCCL on one device, as ai-dynamo/aiconfigurator@095f58a51c4c observed them (systems/*.yaml, nccl_mem). */
function collectiveBuffers(devices: number): PlanTerm {
  const bytes = devices === 2 ? 358_612_992 : 411_041_792;
  return {name: 'collective buffers', bytes, formula: `NCCL on ${devices} devices, observed by aiconfigurator`, grade: 'assumed'};
}

function chosenBlocks(
  {kv, count}: Scenario,
  derived: number,
  blockBytesPerDevice: number,
): {blocks: number; from: MemoryPlan['blocksFrom']} {
  if (kv.blocks !== null) return {blocks: kv.blocks, from: 'measured'};
  const cap = kv.capacityCap === null ? Number.POSITIVE_INFINITY : Math.floor(kv.capacityCap / count / blockBytesPerDevice);
  return cap < derived ? {blocks: cap, from: 'capped'} : {blocks: derived, from: 'derived'};
}

/** What the system keeps of a unified memory, where it keeps any. */
function gpuLimitTerms({gpuLimit}: Device, deviceBytes: number): PlanTerm[] {
  if (gpuLimit === null) return [];
  return [
    {
      name: 'GPU limit',
      bytes: gpuLimit.value,
      formula: `of ${countText(deviceBytes)} B of unified memory; ${gpuLimit.source}`,
      grade: gpuLimit.grade,
    },
  ];
}

function usableTerm({device, gpuMemoryUtilization}: Scenario, usableBytes: number): PlanTerm {
  const {value, grade} = device.gpuLimit ?? device.memory[device.home]!.capacity!;
  return {name: 'usable', bytes: usableBytes, formula: `${countText(value)} B × ${gpuMemoryUtilization}`, grade};
}

function weightsTerm(llm: Llm, tensor: number, bytes: number): PlanTerm {
  const {total} = paramCounts(llm);
  const formats = [...new Set(Object.values(llm.formats).map(({name}) => name))].join(', ');
  const split = tensor === 1 ? '' : `, split over ${tensor} devices`;
  return {name: 'weights', bytes, formula: `${countText(total)} parameters in ${formats}${split}`, grade: 'datasheet'};
}

function kvTerm(
  scenario: Scenario,
  {
    blocks,
    from,
    left,
    blockBytesPerDevice,
    kvBytes,
  }: {blocks: number; from: MemoryPlan['blocksFrom']; left: number; blockBytesPerDevice: number; kvBytes: number},
): PlanTerm {
  const {kv, engine, llm, parallel} = scenario;
  const {windowed, window} = kvBytesPerToken(llm, kv.format, parallel.tensor);
  const size = `${kv.blockSize} token${kv.blockSize === 1 ? '' : 's'}`;
  const asked = upFrontBlocks(scenario);
  const counts = {
    derived:
      from === 'derived' && blocks === asked
        ? `${countText(contexts(scenario))} × ${countText(longestContext(scenario))} tokens, allocated at start`
        : `⌊${countText(Math.max(0, left))} B / ${countText(blockBytesPerDevice)} B⌋ = ${countText(Math.max(0, blocks))} blocks of ${size}`,
    measured: `kv.blocks: ${countText(blocks)} measured blocks of ${size}`,
    capped: `kv.tiers.hbm.capacity: ${countText(blocks)} blocks of ${size}`,
  };
  const own = engine.reservedBlocks > 0 ? `, ${engine.reservedBlocks} of them the engine's own` : '';
  const sliding =
    windowed > 0 ? `; layers with a window of ${countText(window!)} are counted at every token, which is what they need at most` : '';
  return {name: 'kv', bytes: kvBytes, formula: `${counts[from]}${own}${sliding}`, grade: from === 'measured' ? 'measured' : 'assumed'};
}
