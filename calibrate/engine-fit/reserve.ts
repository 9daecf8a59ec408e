import type {Figure} from '../../src/models/provenance.js';
import {derivePlan} from '../../src/sim/scenario/plan-derivation.js';
import type {FitRun} from './fit.js';

/** Memory that an engine keeps for itself, from the KV blocks it reports. */
export interface ReserveFit {
  /** Bytes; takes the place of `reserve.context`. */
  readonly context: Figure;
  readonly runs: readonly {readonly run: string; readonly recorded: number; readonly derived: number}[];
}

/**
 * What is left when KV, weights, activations and graphs are taken off, mean over the runs that report a block count; null when none does.
 *
 * One block is the resolution, so it is known to half of one.
 */
export function fitReserve(runs: readonly FitRun[]): ReserveFit | null {
  const known = runs.flatMap(({run, scenario}) => {
    const recorded = run.settings.kvBlocks;
    if (recorded === null) return [];
    const plan = derivePlan({...scenario, kv: {...scenario.kv, blocks: null, capacityCap: null}});
    const missing = (plan.derivedBlocks - recorded) * plan.blockBytesPerDevice;
    return [{run: run.id, recorded, derived: plan.derivedBlocks, context: scenario.engine.reserve.context.value + missing}];
  });
  if (known.length === 0) return null;
  const bytes = known.reduce((sum, {context}) => sum + context, 0) / known.length;
  return {
    context: {
      value: Math.max(0, bytes),
      grade: 'fitted',
      source: `KV blocks reported by ${known.map(({run}) => run).join(', ')}`,
    },
    runs: known.map(({run, recorded, derived}) => ({run, recorded, derived})),
  };
}
