import {InfeasibleError, InputError} from '../../core/errors.js';
import {canonicalJson} from '../canonical.js';
import {loadScenario, type ScenarioFlags, scenarioFromFlags, scenarioText} from '../load.js';
import {planMemory} from '../plan.js';
import {planDocument} from '../plan-document.js';
import {decodeSpeed, planLines} from '../plan-table.js';
import type {MemoryPlan, Scenario} from '../scenario.js';
import {columns} from './columns.js';
import type {PlanArguments} from './plan.js';

/** Loads a scenario or builds one from flags, plans its memory and prints the plan; `out` gets the result, `notes` warnings. */
export async function printPlan(args: PlanArguments, out: (text: string) => void, notes: (text: string) => void): Promise<void> {
  const flags = args.scenario === undefined ? flagsOf(args) : null;
  const scenario =
    flags === null
      ? await loadScenario(args.scenario!, {set: [...args.set, ...changes(args)], allowCode: args.allowCode})
      : await scenarioFromFlags(flags, {set: args.set});
  for (const {path, text} of scenario.warnings) notes(`warning  ${path}: ${text}\n`);
  let plan: MemoryPlan;
  try {
    plan = planMemory(scenario);
  } catch (error) {
    if (args.json && error instanceof InfeasibleError) {
      out(
        canonicalJson({
          schema: 'tiercast.plan/1',
          status: 'infeasible',
          name: scenario.name,
          reason: error.message,
          nearest: error.nearest,
          scenario: scenario.resolved,
        }),
      );
    }
    throw error;
  }
  if (args.json) out(canonicalJson(planJson(scenario, plan)));
  else out(`${[...scenarioLines(flags), ...planLines(scenario, plan, decodeSpeed(scenario, plan), columns)].join('\n')}\n`);
}

function planJson(scenario: Scenario, plan: MemoryPlan) {
  const speed = decodeSpeed(scenario, plan);
  return {
    schema: 'tiercast.plan/1',
    status: 'ok',
    name: scenario.name,
    plan: planDocument(scenario, plan),
    decode: {
      sequences: 1,
      context_tokens: speed.contextTokens,
      limit_tokens_per_s: speed.limitTokensPerSecond,
      expected_tokens_per_s: speed.expectedTokensPerSecond,
      bound: speed.boundBy,
    },
    ...(scenario.kv.preset === null ? {} : {offload: scenario.kv.preset}),
    warnings: scenario.warnings,
    scenario: scenario.resolved,
  };
}

/** The scenario that flags stand for, so that it can be saved and changed. */
function scenarioLines(flags: ScenarioFlags | null): string[] {
  if (flags === null) return [];
  return ['# the scenario that these flags stand for', ...scenarioText(flags).trimEnd().split('\n'), ''];
}

function flagsOf({model, device, engine, quantization, tensor, context, memory}: PlanArguments): ScenarioFlags {
  if (model === undefined || device === undefined) {
    throw new InputError(
      'plan: a scenario file, or --model and --device, are wanted: tiercast plan --model llama-3.1-8b --device h100-sxm',
    );
  }
  return {model, device, engine, quantization, tensor, maxModelLen: context, memory};
}

/** Flags beside a scenario file change its keys. */
function changes({model, device, engine, quantization, tensor, context, memory}: PlanArguments): string[] {
  const pairs = (path: string, text: string | undefined, whole: string) =>
    text === undefined ? [] : text.includes('=') ? text.split(',').map((pair) => `${path}.${pair}`) : [`${whole}=${text}`];
  const one = (path: string, value: string | number | undefined) => (value === undefined ? [] : [`${path}=${value}`]);
  return [
    ...one('model.name', model),
    ...one('hardware.device', device),
    ...one('engine.preset', engine),
    ...pairs('model.quantization', quantization, 'model.quantization'),
    ...one('engine.parallel.tensor', tensor),
    ...one('engine.max_model_len', context),
    ...pairs('hardware.memory', memory, 'hardware.memory'),
  ];
}
