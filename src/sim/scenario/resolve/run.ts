import {type FitChoice, KernelTimes} from '../../../models/cost/kernel-time.js';
import type {Device} from '../../../models/devices/device.js';
import {unknownName} from '../../core/registry.js';
import {panelNames} from '../result.js';
import {type PricedPart, pricedParts, type Scenario} from '../scenario.js';
import type {Draft} from './draft.js';

/** How long a run is: 2,000 requests when nothing ends it, but a trace or rounds to their end. */
export function resolveRun(draft: Draft): Scenario['run'] {
  const stated = ['requests', 'sessions', 'duration'].some((key) => draft.get(`run.${key}`) !== undefined);
  if (!stated && !endsByItself(draft)) draft.default('run.requests', 2000);
  return {
    requests: draft.get<number>('run.requests') ?? null,
    sessions: draft.get<number>('run.sessions') ?? null,
    duration: draft.get<number>('run.duration') ?? null,
    warmup: resolveWarmup(draft),
    seed: draft.get<number>('run.seed') ?? 1,
    replications: draft.get<number>('run.replications') ?? 1,
    bounds: draft.get<Scenario['run']['bounds']>('run.bounds') ?? 'hits',
  };
}

/** Whether all traffic has an end of its own, as a trace has. */
function endsByItself(draft: Draft): boolean {
  if (draft.get('workload.arrivals.process') === 'rounds') return true;
  const streams = draft.get<Record<string, {kind?: string} | undefined>>('workload.streams');
  const kinds = streams === undefined ? [draft.get<string>('workload.kind')] : Object.values(streams).map((stream) => stream?.kind);
  return kinds.every((kind) => kind === 'replay');
}

/** A duration is text in the file, a number of requests is a number. */
function resolveWarmup(draft: Draft): Scenario['run']['warmup'] {
  const value = draft.get<number | 'auto'>('run.warmup') ?? 'auto';
  if (value === 'auto') return {kind: 'auto'};
  return {kind: /[a-zµμ]/i.test(draft.textAt('run.warmup')) ? 'seconds' : 'requests', value};
}

/** The goals, in seconds; `classes` are those of the workload, where it is known. */
export function resolveSlo(draft: Draft, classes: readonly string[] | null): Scenario['slo'] {
  const goal = (key: string) => draft.get<number>(`slo.${key}`) ?? null;
  const attainment = draft.get<number>('slo.attainment') ?? 0.95;
  const all = {ttft: goal('ttft'), tpot: goal('tpot'), e2e: goal('e2e')};
  const own = Object.keys(draft.get<object>('slo.classes') ?? {}).map((name) => {
    if (classes !== null && !classes.includes(name)) draft.fault(`slo.classes.${name}`, unknownName('class', name, classes));
    const of = (key: keyof typeof all) => goal(`classes.${name}.${key}`) ?? all[key];
    return [
      name,
      {ttft: of('ttft'), tpot: of('tpot'), e2e: of('e2e'), attainment: goal(`classes.${name}.attainment`) ?? attainment},
    ] as const;
  });
  return {...all, attainment, session: goal('session'), makespan: goal('makespan'), classes: Object.fromEntries(own)};
}

/** The prices, 0 where nothing is said but for the device's; in USD per hour, per byte and hour, and per kWh. */
export function resolveCost(draft: Draft, device: Device | undefined): Scenario['cost'] {
  const price = (part: PricedPart) => draft.get<number>(`cost.${part}`);
  const own = price('device');
  if (own === undefined) for (const part of pricedParts) draft.noEffect(`cost.${part}`, 'without cost.device no cost is printed');
  for (const memory of ['dram', 'ssd']) {
    if (own !== undefined && !draft.isWritten(`kv.tiers.${memory}`)) draft.noEffect(`cost.${memory}`, `nothing is put into ${memory}`);
  }
  if ((price('energy') ?? 0) === 0) draft.noEffect('hardware.power', 'without cost.energy its cost is 0');
  else if (device?.power === null) draft.fault('cost.energy', `what ${device.id} draws is not known; write hardware.power, e.g. 700 W`);
  const source = (part: PricedPart) => (draft.isWritten(`cost.${part}`) ? draft.provenance(`cost.${part}`) : null);
  const perHour = (part: PricedPart) => scaled(price(part) ?? 0, 3600);
  return {
    device: own === undefined ? null : perHour('device'),
    host: perHour('host'),
    dram: perHour('dram'),
    ssd: perHour('ssd'),
    energy: scaled(price('energy') ?? 0, 3.6e6),
    sources: Object.fromEntries(pricedParts.map((part) => [part, source(part)])) as Scenario['cost']['sources'],
  };
}

/** From USD per second or joule back to what people pay by; 12 digits, so that 2.50 USD/hour is 2.5 again. */
function scaled(value: number, factor: number): number {
  return Number((value * factor).toPrecision(12));
}

/** How long steps take; a form of fits that the device does not have is refused. */
export function resolveCostModel(draft: Draft, device: Device | undefined): Scenario['costModel'] {
  const {kind = 'auto', constant} = draft.get<{kind?: FitChoice | 'constant'; constant?: number}>('hardware.cost_model') ?? {};
  if (kind !== 'constant') {
    draft.noEffect('hardware.cost_model.constant', 'the cost model is not constant');
    if (device !== undefined) draft.try('hardware.cost_model', () => new KernelTimes(device, kind));
    return {kind};
  }
  if (constant === undefined && !draft.isWritten('hardware.cost_model.constant')) {
    draft.fault('hardware.cost_model', 'constant needs a duration, e.g. {constant: 1 s}');
  }
  return {kind: 'constant', seconds: constant ?? 0};
}

/** What the page shows. */
export function resolveReport(draft: Draft, name: string): Scenario['report'] {
  const panels = [draft.get<string | readonly string[]>('report.panels') ?? 'all'].flat();
  const unknown = panels.find((panel) => panel !== 'all' && !(panelNames as readonly string[]).includes(panel));
  if (unknown !== undefined) draft.fault('report.panels', `unknown panel "${unknown}"; known: all, ${panelNames.join(', ')}`);
  return {
    title: draft.get<string>('report.title') ?? name,
    panels: panels.includes('all') ? null : panels,
    sample: draft.get<number>('report.sample') ?? 20_000,
  };
}
