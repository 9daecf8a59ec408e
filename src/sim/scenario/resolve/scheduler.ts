import type {Device} from '../../../models/devices/device.js';
import type {EngineProfile} from '../../../models/engines/engine.js';
import {type AdmissionPolicyName, admissionPolicies} from '../../../policies/admission/index.js';
import {type SchedulingPolicyName, schedulingPolicies} from '../../../policies/scheduling/index.js';
import type {Chosen, Parameter, Scheduling} from '../../../policies/scheduling/policy.js';
import {unknownName} from '../../core/registry.js';
import {classesOf} from '../../workload/classes.js';
import type {WorkloadConfig} from '../../workload/workload.js';
import type {Scenario} from '../scenario.js';
import type {Draft} from './draft.js';
import {placementOf} from './engine.js';

/** The scheduler's knobs; what the scenario does not say is the engine's default for this device. */
export function resolveScheduler(
  draft: Draft,
  engine: EngineProfile,
  device: Device,
  workload: WorkloadConfig | undefined,
): Scenario['scheduler'] {
  const capacity = device.memory[device.home]!.capacity;
  if (capacity === null) {
    draft.fault(
      `hardware.memory.${device.home}.capacity`,
      `missing; ${device.id} has no memory of its own size, e.g. "${device.home}: 512 GiB"`,
    );
  }
  const limits = engine.limits(placementOf(draft, device));
  const number = (key: string, fallback: number): number => {
    const path = `scheduler.${key}`;
    if (draft.get(path) === undefined) draft.default(path, fallback);
    return draft.get<number>(path)!;
  };
  const chunkedPrefill = draft.get<boolean>('scheduler.chunked_prefill') ?? true;
  if (!chunkedPrefill) draft.noEffect('scheduler.long_prefill_token_threshold', 'prompts are not computed in chunks');
  if (draft.get('scheduler.preemption') === undefined) draft.default('scheduler.preemption', engine.preemption);
  return {
    ...resolvePolicy(draft, engine, workload),
    ...resolveBatching(draft),
    admission: resolveAdmission(draft),
    maxNumSeqs: number('max_num_seqs', limits.maxNumSeqs),
    maxNumBatchedTokens: number('max_num_batched_tokens', limits.maxNumBatchedTokens),
    chunkedPrefill,
    longPrefillTokenThreshold: draft.get<number>('scheduler.long_prefill_token_threshold') ?? 0,
    prefillInterval: draft.get<number>('scheduler.prefill_interval') ?? 1,
    preemption: draft.get<Scenario['scheduler']['preemption']>('scheduler.preemption')!,
    queueLimit: draft.get<number>('scheduler.queue_limit') ?? null,
    timeout: draft.get<number>('scheduler.timeout') ?? null,
  };
}

type Policy = Pick<Scenario['scheduler'], 'policy' | 'parameters' | 'steps' | 'promptsPerStep'>;

function resolvePolicy(draft: Draft, engine: EngineProfile, workload: WorkloadConfig | undefined): Policy {
  const policy = draft.get<SchedulingPolicyName>('scheduler.policy.policy') ?? 'fcfs';
  const entry: Scheduling = schedulingPolicies[policy];
  const parameters: Record<string, unknown> = {};
  for (const key of Object.keys(draft.get<object>('scheduler.policy') ?? {})) {
    if (key !== 'policy' && !Object.hasOwn(entry.params, key))
      draft.fault(`scheduler.policy.${key}`, `is no parameter of ${policy}; ${has(Object.keys(entry.params))}`);
  }
  for (const [key, parameter] of Object.entries(entry.params)) parameters[key] = chosen(draft, key, parameter);
  if (workload !== undefined && policy === 'priority') checkClasses(draft, parameters, classesOf(workload));
  if (parameters.by === 'input') draft.noEffect('scheduler.policy.error', 'prompts are known');
  const steps = entry.steps ?? (parameters.steps === 'engine' ? engine.steps : (parameters.steps as Policy['steps']));
  return {policy, parameters, steps, promptsPerStep: (parameters.prompts as number | undefined) ?? Number.POSITIVE_INFINITY};
}

function has(names: readonly string[]): string {
  return names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`;
}

function chosen(draft: Draft, key: string, parameter: Parameter): unknown {
  const path = `scheduler.policy.${key}`;
  const written = draft.get(path);
  if (parameter.kind === 'texts') return written === undefined ? undefined : [written].flat();
  if (written === undefined && parameter.assumed) assume(draft, path, parameter.default, parameter.kind === 'duration' ? ' s' : '');
  return written ?? parameter.default;
}

/** Puts in a default that has no source. */
function assume(draft: Draft, path: string, value: string | number, unit = ''): void {
  const text = `${value}${unit}`;
  draft.default(path, unit === '' ? value : text, value);
  draft.assumptions.push({path, value: text, grade: 'assumed', source: 'default of tiercast'});
}

function checkClasses(draft: Draft, {order}: Chosen, classes: readonly string[]): void {
  for (const name of (order as string[] | undefined) ?? [])
    if (!classes.includes(name)) draft.fault('scheduler.policy.order', unknownName('class', name, classes));
  if (classes.length === 1)
    draft.warn(
      'no_effect',
      'scheduler.policy',
      'priority has nothing to order: all requests are of one class; workload.streams makes several',
    );
}

function resolveBatching(draft: Draft): Pick<Scenario['scheduler'], 'batching'> {
  const batching = draft.get<Scenario['scheduler']['batching']>('scheduler.batching') ?? 'continuous';
  if (batching === 'request') draft.noEffect('scheduler.max_num_seqs', 'requests run one at a time');
  return {batching};
}

function resolveAdmission(draft: Draft): Scenario['scheduler']['admission'] {
  const policy = draft.get<AdmissionPolicyName>('scheduler.admission.policy') ?? 'none';
  const {parameter} = admissionPolicies[policy];
  if (parameter === null) draft.noEffect('scheduler.admission.share', `${policy} admits whatever fits`);
  if (parameter === null) return {policy, value: 0};
  const path = `scheduler.admission.${parameter.name}`;
  if (draft.get(path) === undefined) assume(draft, path, parameter.default);
  return {policy, value: draft.get<number>(path)!};
}
