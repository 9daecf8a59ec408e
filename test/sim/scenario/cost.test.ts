import {describe, expect, it} from 'vitest';
import {builtinDevice} from '../../../src/models/devices/index.js';
import {listedPrices} from '../../../src/models/prices/index.js';
import {measured} from '../../../src/sim/metrics/measured.js';
import {costPerHour} from '../../../src/sim/scenario/cost-figures.js';
import type {MemoryPlan} from '../../../src/sim/scenario/scenario.js';
import {summarise} from '../../../src/sim/scenario/summarise.js';
import {tierWorth} from '../../../src/sim/scenario/tier-worth.js';
import {noPrices} from '../../support/plain-scenario.js';
import {type RequestRow, runRecord} from '../../support/records.js';
import {load, refusal} from '../../support/scenario-text.js';
import {toyPlan, toyScenario} from '../../support/scenarios.js';
import {noSharedData, sharedData} from '../../support/shared-data.js';

const GiB = 2 ** 30;
// 12 output tokens, 400 prompt tokens and two sessions in 10 s.
const rows: RequestRow[] = [
  {arrival: 0, scheduled: 0.5, firstToken: 1, finished: 3, output: 5, session: 0, turn: 0},
  {arrival: 1, scheduled: 3, firstToken: 4, finished: 8, output: 5, session: 1, turn: 0},
  {arrival: 4, scheduled: 5, firstToken: 6, finished: 10, input: 200, output: 2, session: 0, turn: 1},
];
const tiers: MemoryPlan['tiers'] = [
  {memory: 'dram', sizeBytes: 100 * GiB, kvBytes: 50 * GiB, kvBlocks: 1, kvTokens: 16},
  {memory: 'ssd', sizeBytes: 1000 * GiB, kvBytes: 900 * GiB, kvBlocks: 1, kvTokens: 16},
];

describe('cost', () => {
  it('is the devices and the host over tokens: $3.6 an hour at 1.2 tok/s is $833.33 per million', () => {
    const scenario = toyScenario({count: 2, cost: {...noPrices, device: 1.5, host: 0.6}});
    const {cost} = summarise(scenario, toyPlan, [runRecord(rows)]);
    expect(cost.per_hour_usd).toBeCloseTo(3.6, 12);
    expect(cost.per_million_output_tokens_usd).toBeCloseTo(833.3333, 3);
    expect(cost.per_million_input_tokens_usd).toBeCloseTo(25, 9);
    // Two sessions started in 10 s: 0.2 a second.
    expect(cost.per_session_usd).toBeCloseTo(3.6 / 3600 / 0.2, 12);
  });

  it('has the whole memory of the host, not only what KV gets of it, and the power of every device all the time', () => {
    const device = {...toyScenario().device, power: {value: 500, grade: 'assumed' as const, source: 'test'}};
    const prices = {...noPrices, device: 1, host: 0.1, dram: 0.002 / GiB, ssd: 0.0001 / GiB, energy: 0.2};
    const scenario = toyScenario({count: 2, device, cost: prices});
    const parts = costPerHour(scenario, {...toyPlan, tiers})!;
    expect(parts).toEqual({
      device: 2,
      host: 0.1,
      dram: expect.closeTo(0.2, 12),
      ssd: expect.closeTo(0.1, 12),
      energy: expect.closeTo(0.2, 12),
    });
    const {cost, energy} = summarise(scenario, {...toyPlan, tiers}, [runRecord(rows)]);
    expect(cost.per_hour_usd).toBeCloseTo(2.6, 12);
    expect(cost.per_hour).toMatchObject({device_usd: 2, energy_usd: expect.closeTo(0.2, 12)});
    expect(energy).toEqual({power_w: 1000, output_token_j: expect.closeTo(1000 / 1.2, 9)});
  });

  it('of several replicas is that of each times their number: devices, hosts, memories and power', () => {
    const device = {...toyScenario().device, power: {value: 500, grade: 'assumed' as const, source: 'test'}};
    const prices = {...noPrices, device: 1, host: 0.1, dram: 0.002 / GiB, ssd: 0.0001 / GiB, energy: 0.2};
    const scenario = toyScenario({count: 2, device, cost: prices, cluster: {...toyScenario().cluster, replicas: 3}});
    const {cost, energy} = summarise(scenario, {...toyPlan, tiers}, [runRecord(rows)]);
    expect(cost.devices).toBe(6);
    expect(cost.per_hour).toEqual({
      device_usd: 6,
      host_usd: expect.closeTo(0.3, 12),
      dram_usd: expect.closeTo(0.6, 12),
      ssd_usd: expect.closeTo(0.3, 12),
      energy_usd: expect.closeTo(0.6, 12),
    });
    expect(cost.per_hour_usd).toBeCloseTo(7.8, 12);
    expect(energy.power_w).toBe(3000);
  });

  it('names what each price is, where it comes from, and what has none', () => {
    const stated = {grade: 'datasheet', source: 'contract of May'} as const;
    const cost = {...noPrices, device: 2.5, dram: 0.002 / GiB, sources: {...noPrices.sources, device: stated, dram: stated}};
    const {prices} = summarise(toyScenario({cost}), toyPlan, [runRecord(rows)]).cost;
    expect(prices.map(({part, usd, unit, source}) => [part, usd, unit, source])).toEqual([
      ['device', 2.5, 'USD/hour', 'contract of May'],
      ['host', 0, 'USD/hour', 'no price given'],
      ['dram', 0.002, 'USD/GiB/hour', 'contract of May'],
      ['ssd', 0, 'USD/GiB/hour', 'no price given'],
      ['energy', 0, 'USD/kWh', 'no price given'],
    ]);
  });

  it('without a tier has neither its price nor its use: $1.1 an hour with, $1 without, at the same speed', () => {
    const kv = {...toyScenario().kv, tiers: [{name: 'dram'}] as never};
    const scenario = toyScenario({kv, cost: {...noPrices, device: 1, dram: 0.001 / GiB}});
    const record = runRecord(rows);
    const runs = [measured(record.requests, {kind: 'none'})];
    const worth = tierWorth(scenario, {...toyPlan, tiers: [tiers[0]]}, runs, [record], [{tier: 'dram', records: [record]}]);
    expect(worth[0].cost_usd.with! / worth[0].cost_usd.without!).toBeCloseTo(1.1, 12);
  });

  it('knows a listed price and does not use it', () => {
    const {cost} = summarise(toyScenario({device: builtinDevice('h100-sxm')}), toyPlan, [runRecord(rows)]);
    expect(cost).toMatchObject({per_hour_usd: null, listed: {usd_per_hour: 2.95, date: '2026-05', source: 'aimultiple.com/gpu-index'}});
  });
});

describe('prices in a scenario', () => {
  const chat =
    'model: llama-3.1-8b\nhardware: {device: h100-sxm, memory: {dram: 1 TiB}}\nengine: vllm\nworkload: {kind: chat, arrivals: 2 session/s}\n';
  const dram = 'kv: {tiers: {dram: 512 GiB}}\n';

  it('of memory are by byte and hour, and carry what sources says of them', async () => {
    const text = `${chat}${dram}cost: {device: 2 USD/hour, dram: 0.002 USD/GiB/hour}\nsources: {cost.dram: "datasheet: our cloud, 2026-05"}\n`;
    const {cost} = await load({'a.yaml': text});
    expect(cost.dram * GiB).toBeCloseTo(0.002, 9);
    expect(cost.sources).toMatchObject({dram: {grade: 'datasheet', source: 'our cloud, 2026-05'}, host: null});
  });

  it('of a memory that holds nothing are a warning', async () => {
    const {warnings} = await load({'a.yaml': `${chat}${dram}cost: {device: 2 USD/hour, ssd: 0.0001 USD/GiB/hour}\n`});
    expect(warnings.map(({path, text}) => `${path} ${text}`)).toContain('cost.ssd has no effect here: nothing is put into ssd');
  });

  it('of energy need a power', async () => {
    const text = `${chat.replace('h100-sxm', './p.yaml')}cost: {device: 2 USD/hour, energy: 0.2 USD/kWh}\n`;
    const profile = 'extends: h100-sxm\nid: nameless\n';
    const {cost} = await load({'a.yaml': text, 'p.yaml': profile});
    expect(cost.energy).toBeCloseTo(0.2, 12);
    const apple = text.replace('./p.yaml', 'm2-ultra').replace(', memory: {dram: 1 TiB}', '');
    expect(await refusal({'a.yaml': apple})).toContain('cost.energy: what m2-ultra draws is not known; write hardware.power, e.g. 700 W');
  });
});

it.skipIf(noSharedData)('listed prices are those of the price list', () => {
  const [, ...lines] = new TextDecoder().decode(sharedData('facts/prices.csv')).trim().split('\n');
  expect(lines.map((line) => Number(line.split(',')[1])).sort()).toEqual(
    Object.values(listedPrices)
      .map(({usdPerHour}) => usdPerHour)
      .sort(),
  );
});
