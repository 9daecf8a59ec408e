import type {Device} from '../../models/devices/device.js';
import {builtinDevice, devices as builtinDevices} from '../../models/devices/index.js';
import {macosMostForGpu} from '../../models/devices/macos.js';
import {weightBytes, withQuantization} from '../../models/llms/weights.js';
import {InputError} from '../core/errors.js';
import {derivePlan, formatText, whyNot} from './plan-derivation.js';
import type {MemoryPlan, Scenario} from './scenario.js';
import {countText, gibText} from './text.js';

const smallerFormats = ['fp8', 'int4'] as const;
const groupSizes = [1, 2, 4, 8] as const;
const DEVICES_NAMED = 2;
/** Devices of nearly the same size are no answer to what does not fit. */
const CLEARLY_LARGER = 1.15;
const GiB = 2 ** 30;
/** A configuration that leaves less than this for one prompt is not worth naming, tokens. */
const USEFUL_CONTEXT = 4096;

/** Changes that make an infeasible scenario fit, each one tried: a shorter context, more of a unified memory for the GPU, fewer bits, more devices, larger devices. */
export function nearest(scenario: Scenario, plan: MemoryPlan): string[] {
  return [...shorterContext(scenario, plan), ...higherGpuLimit(scenario), ...smallerOrWider(scenario), ...largerDevices(scenario)];
}

/** The longest context that fits as it is, when only the context is too long. */
function shorterContext(scenario: Scenario, plan: MemoryPlan): string[] {
  if (plan.kvTokens < 1 || plan.kvTokens >= plan.maxModelLen) return [];
  const fitted = fits({...scenario, maxModelLen: plan.kvTokens});
  return fitted === null || fitted.shorter !== null ? [] : [`engine.max_model_len ${plan.kvTokens} here`];
}

/** What the GPU may use of a unified memory, raised to the most that leaves a Mac enough for itself; whole GiB. */
function higherGpuLimit(scenario: Scenario): string[] {
  const {device, count} = scenario;
  if (device.gpuLimit === null || device.os !== 'macos') return [];
  const gib = Math.floor(macosMostForGpu(capacity(device)) / GiB);
  if (gib * GiB <= device.gpuLimit.value) return [];
  const fitted = fits({...scenario, device: {...device, gpuLimit: {...device.gpuLimit, value: gib * GiB}}});
  return fitted === null ? [] : [`hardware.memory.unified.gpu_limit ${gib * count} GiB here${sizes(fitted, count)}`];
}

/** In its own format and in smaller ones: the fewest devices that fit. */
function smallerOrWider(scenario: Scenario): string[] {
  return formatsOf(scenario).flatMap(({name, changed}) => {
    for (const tensor of groupSizes) {
      if (tensor < scenario.parallel.tensor) continue;
      if (changed === scenario && tensor === scenario.parallel.tensor) continue;
      const fitted = fits(withTensor(changed, tensor));
      if (fitted === null) continue;
      const where = tensor === scenario.parallel.tensor ? 'here' : `with engine.parallel.tensor ${tensor}`;
      return [`${name} ${where}${sizes(fitted, tensor)}`];
    }
    return [];
  });
}

/** The next larger built-in devices of the vendor, as another's would need another build of the engine; each in the largest format that fits. */
function largerDevices(scenario: Scenario): string[] {
  const {kind, vendor} = scenario.device;
  const own = capacity(scenario.device);
  const larger = Object.keys(builtinDevices)
    .map((id) => builtinDevice(id))
    .filter((device) => device.kind === kind && device.vendor === vendor && capacity(device) >= CLEARLY_LARGER * own)
    .sort((a, b) => capacity(a) - capacity(b) || (a.id < b.id ? -1 : 1));
  const found: string[] = [];
  for (const device of larger) {
    for (const {name, changed} of formatsOf(scenario)) {
      const fitted = fits({...changed, device});
      if (fitted === null) continue;
      found.push(`${name} on ${scenario.count} × ${device.id}${sizes(fitted, scenario.count)}`);
      break;
    }
    if (found.length === DEVICES_NAMED) break;
  }
  return found;
}

/** The scenario in its own format, then in those that are smaller. */
function formatsOf(scenario: Scenario): {name: string; changed: Scenario}[] {
  const own = weightBytes(scenario.llm);
  const smaller = smallerFormats
    .map((name) => ({name: name as string, llm: withQuantization(scenario.llm, name)}))
    .filter(({llm}) => weightBytes(llm) < 0.95 * own)
    .map(({name, llm}) => ({name, changed: {...scenario, llm}}));
  return [{name: formatText(scenario.llm), changed: scenario}, ...smaller];
}

function withTensor(scenario: Scenario, tensor: number): Scenario {
  if (tensor === scenario.parallel.tensor) return scenario;
  const {parallel, count} = scenario;
  const expert = parallel.expert > 1 && parallel.expert === parallel.tensor ? tensor : parallel.expert;
  return {...scenario, count: (count / parallel.tensor) * tensor, parallel: {...parallel, tensor, expert}};
}

/** A plan that fits, and the shorter context that it takes when the one asked for does not. */
interface Fitted {
  readonly plan: MemoryPlan;
  readonly shorter: number | null;
}

function fits(scenario: Scenario): Fitted | null {
  try {
    const plan = derivePlan(scenario);
    if (whyNot(scenario, plan) === null) return {plan, shorter: null};
    if (plan.kvTokens < Math.min(plan.maxModelLen, USEFUL_CONTEXT)) return null;
    const cut = {...scenario, maxModelLen: plan.kvTokens};
    const shorter = derivePlan(cut);
    return whyNot(cut, shorter) === null ? {plan: shorter, shorter: plan.kvTokens} : null;
  } catch (error) {
    if (error instanceof InputError) return null; // heads that do not divide, or a device without a capacity
    throw error;
  }
}

function sizes({plan, shorter}: Fitted, devices: number): string {
  const context = shorter === null ? '' : ` and engine.max_model_len ${shorter}`;
  return `${context} (weights ${gibText(plan.weightsBytes * devices)}, KV ${countText(plan.kvTokens)} tokens)`;
}

function capacity(device: Device): number {
  return device.memory[device.home]?.capacity?.value ?? 0;
}
