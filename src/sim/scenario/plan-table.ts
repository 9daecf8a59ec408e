import {BatchSums, bounds, Prediction} from '../../models/cost/cost.js';
import {roofline} from '../../models/cost/roofline.js';
import {engineProfile} from '../../models/engines/index.js';
import {kvBytesPerToken} from '../../models/llms/kv.js';
import {paramCounts} from '../../models/llms/params.js';
import {breakEven} from './break-even.js';
import {costOf} from './build.js';
import {totalPerHour} from './cost-figures.js';
import {engineName} from './headline.js';
import {formatText} from './plan-derivation.js';
import type {MemoryPlan, Scenario} from './scenario.js';
import {sharedText} from './shared.js';
import {countText, digits, gibText} from './text.js';

/** How fast one sequence decodes at the end of its context. */
export interface DecodeSpeed {
  readonly contextTokens: number;
  /** No engine passes it: every byte and operation at the device's peaks. */
  readonly limitTokensPerSecond: number;
  /** What the scenario's cost model expects. */
  readonly expectedTokensPerSecond: number;
  /** What most of the expected time is bound by. */
  readonly boundBy: string;
}

/** Decode speed of one sequence alone, at the largest context that the plan allows. */
export function decodeSpeed(scenario: Scenario, plan: MemoryPlan): DecodeSpeed {
  const {llm, device, parallel, kv, activationType} = scenario;
  const limit = roofline(llm, device, {...parallel, engine: engineProfile('ideal', null), kvFormat: kv.format, activationType});
  const expected = costOf(scenario);
  const batch = new BatchSums();
  batch.decodes = batch.emitting = 1;
  batch.decodeContext = plan.maxContextTokens;
  batch.decodeContextClipped = Math.min(plan.maxContextTokens, limit.window);
  const into = new Prediction(Math.max(limit.terms.length, expected.terms.length));
  limit.predict(batch, into);
  const limitTokensPerSecond = 1 / into.seconds;
  expected.predict(batch, into);
  const longest = into.bounds.indexOf(Math.max(...into.bounds));
  return {contextTokens: plan.maxContextTokens, limitTokensPerSecond, expectedTokensPerSecond: 1 / into.seconds, boundBy: bounds[longest]};
}

/** What `plan` prints: the model and device, where memory goes, the derivation, and what that allows. */
export function planLines(
  scenario: Scenario,
  plan: MemoryPlan,
  speed: DecodeSpeed,
  table: (rows: readonly (readonly string[])[]) => string[],
): string[] {
  return [
    modelLine(scenario),
    `${severalReplicas(scenario)}${scenario.count} × ${scenario.device.name} · ${engineName(scenario.engine.preset)}${scenario.engine.ideal ? '' : ` ${scenario.engine.version}`}`,
    '',
    ...table(memoryRows(scenario, plan)),
    '',
    `how it was derived${scenario.count > 1 ? ', on each device' : ''}`,
    ...table(derivationRows(plan)),
    '',
    ...resultLines(scenario, plan, speed),
    ...allLines(scenario, plan),
    ...presetLines(scenario, table),
  ];
}

/** What each knob of the offload preset became; those that are written first. */
function presetLines({kv: {preset}}: Scenario, table: (rows: readonly (readonly string[])[]) => string[]): string[] {
  if (preset === null) return [];
  const knobs = [...preset.knobs.filter(({written}) => written), ...preset.knobs.filter(({written}) => !written)];
  return [
    '',
    `${preset.name}: what its knobs became`,
    ...table(knobs.map(({name, value, written, became}) => [`  ${name}`, written ? value : `${value} (default)`, became])),
    `what ${preset.name} does otherwise`,
    ...preset.leftOut.map((clause) => `  ${clause}`),
  ];
}

function severalReplicas({cluster: {replicas}}: Scenario): string {
  return replicas === 1 ? '' : `${countText(replicas)} replicas of `;
}

/** What stands above is of one replica; this is of all. */
function allLines(scenario: Scenario, plan: MemoryPlan): string[] {
  const {count, cluster} = scenario;
  if (cluster.replicas === 1) return [];
  const perHour = totalPerHour(scenario, plan);
  const price = perHour === null ? '' : ` · $${perHour.toFixed(2)} an hour`;
  return [
    `all ${countText(cluster.replicas)} replicas: ${countText(count * cluster.replicas)} devices, ${countText(plan.kvTokens * cluster.replicas)} tokens of KV${price} · ${cluster.router}`,
  ];
}

function modelLine({llm}: Scenario): string {
  const {total, active} = paramCounts(llm);
  const share = llm.layers.some(({feedForward}) => feedForward.kind === 'moe') ? `, ${billions(active)} of them used for a token` : '';
  return `${llm.name} ${formatText(llm)}, ${billions(total)} parameters${share}`;
}

function memoryRows({count, engine}: Scenario, plan: MemoryPlan): string[][] {
  const gib = (bytes: number) => (bytes / 2 ** 30).toFixed(1);
  const rest = engine.utilizationOf === 'weights-and-kv' ? 'activations, graphs' : 'not given to the engine';
  const parts = [
    plan.deviceBytes,
    plan.weightsBytes,
    plan.overheadBytes,
    plan.kvBytes,
    plan.freeBytes,
    plan.deviceBytes - plan.usableBytes,
  ];
  return [
    [count > 1 ? `GiB, each of ${count}` : 'GiB', 'size', 'weights', 'work space', 'KV', 'free', rest],
    [plan.memory, ...parts.map(gib)],
    ...plan.tiers.map(({memory, sizeBytes, kvBytes}) => [
      memory,
      ...[sizeBytes, 0, 0, kvBytes, sizeBytes - kvBytes, 0].map((bytes) => (bytes === 0 ? '–' : gib(bytes))),
    ]),
  ];
}

/** Terms that the derivation begins and ends with. */
const notSubtracted: readonly string[] = ['GPU limit', 'usable', 'kv'];

function derivationRows(plan: MemoryPlan): string[][] {
  return plan.terms.map(({name, bytes, formula, grade}) => [
    `  ${name}`,
    `${notSubtracted.includes(name) ? '' : '− '}${gibText(bytes)}`,
    grade,
    formula,
  ]);
}

function resultLines(scenario: Scenario, plan: MemoryPlan, speed: DecodeSpeed): string[] {
  const {llm, kv} = scenario;
  const {windowed} = kvBytesPerToken(llm, kv.format, 1);
  const from = plan.blocksFrom === 'derived' ? '' : ` (${plan.blocksFrom}; ${countText(plan.derivedBlocks)} derived)`;
  const even = breakEven(scenario, plan);
  const rate = (perSecond: number) => digits(perSecond, perSecond < 100 ? 1 : 0);
  return [
    `FITS: ${countText(plan.kvTokens)} tokens of KV in ${countText(plan.kvBlocks)} blocks of ${kv.blockSize}${from}, ${countText(plan.kvBytesPerToken)} B a token in ${kv.format.name}${windowed > 0 ? ', sliding layers at full length' : ''}`,
    ...plan.tiers.map(
      ({memory, kvBlocks, kvTokens, scope}) =>
        `${memory.toUpperCase()}: ${countText(kvTokens)} tokens in ${countText(kvBlocks)} blocks, kept for reuse${scope === undefined ? '' : `, ${sharedText(scope, scenario.cluster.replicas)}`}${loadFrom(even[memory] ?? null)}`,
    ),
    `largest context ${countText(plan.maxContextTokens)} tokens · largest batch ${countText(plan.maxBatch)} of these at once, ${countText(scenario.scheduler.maxNumSeqs)} sequences at most`,
    ...schedulerLines(scenario),
    `decode, one sequence at ${countText(speed.contextTokens)} tokens: ≤ ${rate(speed.limitTokensPerSecond)} tok/s at the roofline, ${rate(speed.expectedTokensPerSecond)} tok/s expected (bound: ${speed.boundBy})`,
  ];
}

/** Says who runs next, where that is not first come, first served, whoever fits and whenever it does: what every engine does by itself. */
function schedulerLines({scheduler: {policy, parameters, batching, admission}}: Scenario): string[] {
  if (policy === 'fcfs' && batching === 'continuous' && admission.policy === 'none' && parameters.steps === 'engine') return [];
  const chosen = Object.entries(parameters).filter(([key, value]) => value !== undefined && !(key === 'steps' && value === 'engine'));
  const how = chosen.map(([key, value]) => `${key} ${[value].flat().join(' > ')}${key === 'starvation' ? ' s' : ''}`).join(', ');
  const share = admission.policy === 'none' ? '' : ` ${digits(admission.value, 2)}`;
  return [`scheduler ${policy}${how === '' ? '' : ` (${how})`} · ${batching} batching · admission ${admission.policy}${share}`];
}

function loadFrom(tokens: number | null): string {
  return tokens === null
    ? '; computing them is always sooner than a load'
    : `; a load is sooner than computing from ${countText(tokens)} tokens on`;
}

function billions(params: number): string {
  return params >= 1e9 ? `${digits(params / 1e9, 2)} billion` : `${digits(params / 1e6, 0)} million`;
}
