import {describe, expect, it} from 'vitest';
import type {ReplicaTrace} from '../../../src/sim/metrics/run-trace.js';
import {timelinesOf} from '../../../src/sim/scenario/report-data.js';
import {plain, resultLines} from '../../../src/sim/scenario/run-table.js';
import type {Scenario} from '../../../src/sim/scenario/scenario.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {summarise} from '../../../src/sim/scenario/summarise.js';
import {requestTable, timelineTable} from '../../../src/sim/scenario/tables.js';
import {figure, ranTierChats, tierChats} from '../../support/tier-chats.js';

describe('a run with KV in DRAM and on an SSD', () => {
  const parts = tierChats({hbm: 60, dram: 60, ssd: 6000});
  const {record, document} = ranTierChats(parts);

  it('counts every prompt token once: in HBM, in DRAM, on the SSD or computed', () => {
    const {by_tier_tokens: found, computed_tokens: computed, share} = document.hits;
    expect(Object.keys(found)).toEqual(['hbm', 'dram', 'ssd']);
    const input = record.requests.input.subarray(0, record.requests.rows).reduce((sum, n) => sum + n, 0);
    expect(Object.values(found).reduce((sum, n) => sum + n, 0) + computed).toBe(input);
    expect(Object.values(share).reduce((sum, n) => sum + n, 0)).toBeCloseTo(1, 9);
    for (const tokens of Object.values(found)) expect(tokens).toBeGreaterThan(0);
  });

  it('finds as much as an endless memory would when the last tier holds all', () => {
    const {hits} = document;
    expect(1 - hits.share['computed']!).toBeCloseTo(hits.bounds.infinite!, 9);
  });

  it('loads at least what was found at the first lookups, 1,000 B for 16 tokens', () => {
    for (const tier of ['dram', 'ssd']) {
      const {reads_bytes: reads, moved_bytes: moved} = document.tiers[tier]!;
      expect(reads).toBeGreaterThanOrEqual((document.hits.by_tier_tokens[tier]! / 16) * 1000);
      expect(moved!.load).toBe(reads);
    }
  });

  it('moves over the host link what is loaded from DRAM and the SSD, and writes what DRAM gets', () => {
    const {tiers, links} = document;
    expect(links['host.up']!.bytes / (tiers['dram']!.reads_bytes! + tiers['ssd']!.reads_bytes!)).toBeCloseTo(1, 6);
    expect(links['host.down']!.bytes / tiers['dram']!.writes_bytes!).toBeCloseTo(1, 6);
    expect(links['host.up']!.busy_share).toBeCloseTo(links['host.up']!.bytes_per_s / 1e6, 9);
  });

  it('says how long the SSD lasts: endurance over the rate of writes', () => {
    const seconds = (record.lastEnd - record.firstArrival) / 1e9;
    const {writes_bytes: writes, wear_years: years} = document.tiers['ssd']!;
    expect(document.tiers['ssd']!.endurance_bytes).toBe(1e6);
    expect(years! / (1e6 / (writes! / seconds) / (365.25 * 86_400))).toBeCloseTo(1, 9);
    expect(document.verdict.map(({code}) => code)).toContain('wear');
  });

  it('says how long a block stays in a full tier, and nothing of one that never evicts', () => {
    expect(document.tiers['dram']!.evictions).toBeGreaterThan(0);
    expect(document.tiers['dram']!.stay_s).toBeGreaterThan(0);
    expect(document.tiers['ssd']).toMatchObject({evictions: 0, stay_s: null});
  });

  it('writes hits and loads of each request, and what each memory holds over time', () => {
    const [header, ...rows] = [...requestTable(record, parts.scenario.slo)];
    const sum = (name: string) => rows.reduce((total, row) => total + Number(row[header!.indexOf(name)]), 0);
    expect(sum('hit_dram_tokens')).toBe(document.hits.by_tier_tokens['dram']);
    expect(sum('hit_ssd_tokens')).toBe(document.hits.by_tier_tokens['ssd']);
    expect(sum('load_s')).toBeCloseTo(document.metrics.load_s.mean! * document.metrics.load_s.n, 6);
    const [columns, ...times] = [...timelineTable(timelinesOf(parts.plan, record))];
    expect(Math.max(...times.map((row) => Number(row[columns!.indexOf('kv_dram_bytes')])))).toBeLessThanOrEqual(60_000);
    expect(Number(times.at(-1)![columns!.indexOf('kv_ssd_bytes')])).toBeGreaterThan(60_000);
    expect(Math.max(...times.map((row) => Number(row[columns!.indexOf('loading')])))).toBeGreaterThan(0);
  });

  it('writes bytes a second as they flowed where loads and stores share a link and an SSD: over time they sum up to what crossed', () => {
    const {scenario, plan} = tierChats({hbm: 60, dram: 60, ssd: 6000}, {step: 0.01});
    const workload = {...scenario.workload, arrivals: {process: 'poisson', rate: 2, of: 'session'}} as Scenario['workload'];
    const trace: ReplicaTrace[] = [];
    const {timeline, resources, lastEnd} = simulate({...scenario, workload}, plan, {replication: 0, trace});
    const end = Math.max(lastEnd, ...trace[0]!.transfers.map(({to}) => to)); // the last store ends after the last request
    const rest = end - (timeline.rows - 1) * timeline.width;
    resources.forEach(({name, bytes, capacity}, r) => {
      const rates = timeline.flowBytes[r]!;
      const moved = rates.reduce((sum, rate, row) => sum + rate * (row === timeline.rows - 1 ? rest : timeline.width), 0) / 1e9;
      expect(moved / bytes, name).toBeCloseTo(1, 8);
      expect(Math.max(...rates), name).toBeLessThanOrEqual(capacity * (1 + 1e-9));
    });
    expect(resources.map(({name}) => name)).toEqual(['dram', 'host.up', 'host.down', 'ssd.read', 'ssd.write', 'ssd']);
  });

  it('prints one line of what moved, and the time loads took', () => {
    const lines = resultLines(document, 200, plain);
    expect(lines.filter((line) => line.startsWith('moved'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('load '))).toHaveLength(2); // the latency, and the load of the deployment
  });
});

describe('what a tier is worth', () => {
  /** Recomputing is dear, and slower by the token: then hits are time. */
  const dear = (blocks: Parameters<typeof tierChats>[0]) => {
    const parts = tierChats(blocks);
    const scenario = {...parts.scenario, costModel: {kind: 'roofline'} as Scenario['costModel']};
    return ranTierChats({...parts, scenario: {...scenario, device: {...scenario.device, compute: {bf16: figure(2e8)}}}});
  };

  it('is the difference to the same requests without it', () => {
    const {document, record} = dear({hbm: 60, dram: 4000, ssd: 0});
    const [dram] = document.worth!;
    expect(document.worth).toHaveLength(1);
    expect(dram!.ttft_p95_s.with).toBe(document.metrics.ttft_s.p95);
    expect(dram!.ttft_p95_s.difference).toBeCloseTo(dram!.ttft_p95_s.with - dram!.ttft_p95_s.without, 12);
    expect(dram!.verdict).toBe('better');
    expect(dram!.text).toMatch(/^DRAM is worth −\d+(\.\d)? % ± \d+(\.\d)? % TTFT p95\.$/);
    expect(record.requests.rows).toBe(400);
  });

  it('is nothing when HBM holds all that comes again, and the reason is said', () => {
    const {document} = dear({hbm: 8000, dram: 4000, ssd: 0});
    const texts = document.verdict.filter(({code}) => code === 'tier_worth').map(({text}) => text);
    expect(texts).toEqual([
      'DRAM changes nothing: TTFT p95 is the same without it. It finds 0 % of prompt tokens: what comes again is found above it.',
    ]);
  });

  it('is little when the tier is smaller than what comes again, and that is said with how long a block stays', () => {
    const {document} = dear({hbm: 60, dram: 20, ssd: 0});
    const [text] = document.verdict.filter(({code}) => code === 'tier_worth').map((one) => one.text);
    expect(text).toMatch(
      /It is smaller than what comes again: [\d.]+ % of prompt tokens were asked for after they had left\. Between two uses of what had left, .* it holds 20,000 B\. A block stays [\d.]+ \w+ on average; .* written there were read again\.$/,
    );
  });

  it.each([
    ['DRAM', {dram: 4000, ssd: 0}, 'nothing had to leave DRAM: kv.tiers.dram.write and kv.load say'],
    ['both memories', {dram: 4000, ssd: 8000}, 'nothing had to leave the last memory: kv.tiers.dram.write and kv.load say'],
  ])('is not limited by room where nothing had to leave: what is written decides: %s', (_which, room, said) => {
    const write = {when: 'selective', afterTouches: 3, counts: 'hits', generated: false} as const;
    const text = ({document}: ReturnType<typeof ranTierChats>) => document.verdict.find(({code}) => code === 'prefix_cache')!.text;
    const rarely = text(ranTierChats(tierChats({hbm: 60, ...room}, {write})));
    expect(rarely).toMatch(
      /^The prefix cache saves computing [\d.]+ % of prompt tokens, of [\d.]+ % that repeat\. Room for more would not save the other /,
    );
    expect(rarely).toContain(said);
    expect(text(ranTierChats(tierChats({hbm: 60, dram: 20, ssd: 0})))).toContain('room for more would save up to');
  });

  it('is not known when it was not run', () => {
    const {scenario, plan} = tierChats({hbm: 60, dram: 60, ssd: 0});
    expect(summarise(scenario, plan, [simulate(scenario, plan, {replication: 0})]).worth).toBeNull();
  });
});
