import {listedPrices} from '../../models/prices/index.js';
import type {ResultDocument} from './result.js';
import {type MemoryPlan, type PricedPart, pricedParts, type Scenario} from './scenario.js';
import {copies} from './shared.js';

const GiB = 2 ** 30;

/** What one hour of all replicas costs by part, USD: what the scenario has, times its price; null without a price of the device. */
export function costPerHour({cost, count, device, cluster: {replicas}}: Scenario, plan: MemoryPlan): Record<PricedPart, number> | null {
  if (cost.device === null) return null;
  const bytes = (memory: 'dram' | 'ssd') => {
    const tier = plan.tiers.find((one) => one.memory === memory);
    return tier === undefined ? 0 : tier.sizeBytes * copies(tier, replicas);
  };
  return {
    device: cost.device * count * replicas,
    host: cost.host * replicas,
    dram: cost.dram * bytes('dram'),
    ssd: cost.ssd * bytes('ssd'),
    energy: (cost.energy * (device.power?.value ?? 0) * count * replicas) / 1000,
  };
}

/** The price of an hour of everything, USD; null without a price of the device. */
export function totalPerHour(scenario: Scenario, plan: MemoryPlan): number | null {
  const parts = costPerHour(scenario, plan);
  return parts === null ? null : pricedParts.reduce((sum, part) => sum + parts[part], 0);
}

/** What an hour, a million tokens and a session cost at the prices that the scenario gives; without a price of the device, nothing is said. Of sessions that are not told, neither. */
export function costFigures(
  scenario: Scenario,
  plan: MemoryPlan,
  throughput: ResultDocument['throughput'],
  sessions: Pick<ResultDocument['sessions'], 'resident_per_device' | 'open_per_device'> = {
    resident_per_device: null,
    open_per_device: null,
  },
): ResultDocument['cost'] {
  const parts = costPerHour(scenario, plan);
  const perHour = totalPerHour(scenario, plan);
  const per = (perSecond: number | null, units: number) =>
    perHour === null || perSecond === null || perSecond === 0 ? null : (perHour / 3600 / perSecond) * units;
  const devices = scenario.count * scenario.cluster.replicas;
  const perSession = (perDevice: number | null) => (perHour === null || !perDevice ? null : perHour / (perDevice * devices));
  return {
    devices,
    per_hour_usd: perHour,
    per_million_output_tokens_usd: per(throughput.output_tokens_per_s, 1e6),
    per_million_input_tokens_usd: per(throughput.input_tokens_per_s, 1e6),
    per_session_usd: per(throughput.sessions_per_s, 1),
    per_resident_session_hour_usd: perSession(sessions.resident_per_device),
    per_open_session_hour_usd: perSession(sessions.open_per_device),
    per_hour: parts && {
      device_usd: parts.device,
      host_usd: parts.host,
      dram_usd: parts.dram,
      ssd_usd: parts.ssd,
      energy_usd: parts.energy,
    },
    prices: parts === null ? [] : pricesOf(scenario),
    listed: listed(scenario),
  };
}

/** What the devices draw at the most: their stated power all the time, because what they draw idle is not known. */
export function energyFigures(
  {device, count, cluster}: Scenario,
  {output_tokens_per_s}: ResultDocument['throughput'],
): ResultDocument['energy'] {
  const power = device.power === null ? null : device.power.value * count * cluster.replicas;
  return {power_w: power, output_token_j: power === null || !output_tokens_per_s ? null : power / output_tokens_per_s};
}

const units: Readonly<Record<PricedPart, string>> = {
  device: 'USD/hour',
  host: 'USD/hour',
  dram: 'USD/GiB/hour',
  ssd: 'USD/GiB/hour',
  energy: 'USD/kWh',
};

function pricesOf({cost}: Scenario): ResultDocument['cost']['prices'] {
  return pricedParts.map((part) => {
    const usd = cost[part] ?? 0;
    const value = part === 'dram' || part === 'ssd' ? Number((usd * GiB).toPrecision(9)) : usd;
    const source = cost.sources[part];
    return source === null
      ? {part, usd: 0, unit: units[part], grade: null, source: 'no price given'}
      : {part, usd: value, unit: units[part], ...source};
  });
}

function listed({device}: Scenario): ResultDocument['cost']['listed'] {
  const price = new Map(Object.entries(listedPrices)).get(device.id);
  return price === undefined ? null : {usd_per_hour: price.usdPerHour, kind: price.kind, date: price.date, source: price.source};
}
