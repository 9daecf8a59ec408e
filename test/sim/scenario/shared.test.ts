import {describe, expect, it} from 'vitest';
import {build} from '../../../src/sim/scenario/build.js';
import {costPerHour} from '../../../src/sim/scenario/cost-figures.js';
import {hierarchyOf} from '../../../src/sim/scenario/hierarchy-of.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {planDocument} from '../../../src/sim/scenario/plan-document.js';
import {decodeSpeed, planLines} from '../../../src/sim/scenario/plan-table.js';
import {timelinesOf} from '../../../src/sim/scenario/report-data.js';
import {resolveText} from '../../../src/sim/scenario/resolve/index.js';
import {feasibilityLines} from '../../../src/sim/scenario/run-table.js';
import type {Scenario} from '../../../src/sim/scenario/scenario.js';
import {residentTokens} from '../../../src/sim/scenario/session-figures.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {summarise} from '../../../src/sim/scenario/summarise.js';
import {timelineTable} from '../../../src/sim/scenario/tables.js';
import {memoryFiles} from '../../support/memory-files.js';

const text = (tiers: string, {replicas = 4, device = 'h100-sxm', more = ''} = {}) => `
model: llama-3.1-8b
hardware:
  device: ${device}
  memory:
    ${device === 'h100-sxm' ? 'dram: 1 TiB' : ''}
    ssd: {capacity: 4 TB, read_bandwidth: 7 GB/s, write_bandwidth: 5 GB/s, endurance: 7 PB}
    remote: 10 TiB
  links: {network: 50 GB/s, storage: 16 GB/s}
engine: vllm
cluster: {replicas: ${replicas}, router: round-robin}
kv: {tiers: {${tiers}}${more}}
workload: {kind: chat, arrivals: 1 session/s, think_time: 1 s}
`;
const load = (...args: Parameters<typeof text>) => resolveText(text(...args), 'test.yaml', memoryFiles({}));
const both = 'dram: {capacity: 512 GiB, scope: host}, ssd: {capacity: 3 TiB, scope: host}';

describe('kv.tiers.<m>.scope', () => {
  it('says who shares a tier: each replica has its own unless the file says otherwise', async () => {
    const scopes = async (tiers: string) => (await load(tiers)).kv.tiers.map(({scope}) => scope);
    expect(await scopes('dram: 512 GiB, ssd: 3 TiB')).toEqual([undefined, undefined]);
    expect(await scopes('dram: {capacity: 512 GiB, scope: replica}, ssd: {capacity: 3 TiB, scope: cluster}')).toEqual([
      undefined,
      'cluster',
    ]);
    expect(await scopes(both)).toEqual(['host', 'host']);
  });

  it('says nothing where there is one replica, and is warned of', async () => {
    const {kv, warnings} = await load(both, {replicas: 1});
    expect(kv.tiers.map(({scope}) => scope)).toEqual([undefined, undefined]);
    expect(warnings).toContainEqual(expect.objectContaining({code: 'no_effect', path: 'kv.tiers.dram.scope'}));
  });

  it('is refused above a memory that each replica has for itself', async () => {
    await expect(load('dram: {capacity: 512 GiB, scope: cluster}, ssd: 3 TiB')).rejects.toThrow(
      /kv\.tiers\.dram\.scope.*cluster shares dram, and each replica has ssd below it for itself.*kv\.tiers\.ssd\.scope: cluster too/,
    );
  });

  it('is refused for what lies in the one memory of a device', async () => {
    await expect(load('dram: {capacity: 4 GiB, scope: host}', {device: 'm4-max-64'})).rejects.toThrow(/lies in the device's one memory/);
  });

  it("takes the SSD's page cache along, and is refused where that lies in DRAM of each replica", async () => {
    const cached = (dram: string) => load(`${dram}ssd: {capacity: 3 TiB, scope: cluster, io: page-cache}`);
    expect((await cached('')).kv.tiers.map(({name, scope}) => [name, scope])).toEqual([
      ['page-cache', 'cluster'],
      ['ssd', 'cluster'],
    ]);
    await expect(cached('dram: 512 GiB, ')).rejects.toThrow(/kv\.tiers\.ssd\.scope.*kv\.tiers\.dram\.scope: cluster too/);
  });

  it('is refused for the memory that is prefetched into, and allowed for the one that is prefetched from', async () => {
    const fetching = (to: string) => load(both, {more: `, prefetch: {policy: session, to: ${to}}`});
    await expect(fetching('near')).rejects.toThrow(/session fetches into dram, which replicas share.*"to: hbm"/);
    expect((await fetching('hbm')).kv.prefetch).toMatchObject({policy: 'session'});
  });
});

describe('what replicas share', () => {
  const shared = async (tiers: string) => {
    const scenario = await load(tiers);
    return hierarchyOf(scenario, planMemory(scenario))!.hierarchy.shared;
  };

  it('is nothing unless the file says so', async () => {
    expect(await shared('dram: 512 GiB, ssd: 3 TiB')).toBeNull();
  });

  it('are the memories, their ports, and the links that lead to them from the host; not what leads to the devices', async () => {
    expect(await shared('dram: 512 GiB, ssd: {capacity: 3 TiB, scope: cluster}')).toEqual({
      from: 1,
      resources: ['ssd.read', 'ssd.write', 'ssd', 'storage.up', 'storage.down'],
      channels: ['ssd.read', 'ssd.write'],
    });
    const all = await shared(`${both}, remote: {capacity: 5 TiB, scope: cluster}`);
    expect(all!.from).toBe(0);
    expect(all!.resources).toEqual(['dram', 'ssd.read', 'ssd.write', 'ssd', 'storage.up', 'storage.down', 'network.up', 'network.down']);
  });
});

describe('figures of a shared memory', () => {
  it('are counted once: its size, its price, how long it lasts; of sessions each replica keeps its part', async () => {
    const [own, all] = await Promise.all(['dram: 512 GiB, ssd: 3 TiB', both].map((tiers) => load(tiers)));
    const priced = (scenario: Scenario) => ({...scenario, cost: {...scenario.cost, device: 2, dram: 1e-12, ssd: 1e-13}});
    const parts = (scenario: Scenario) => costPerHour(priced(scenario), planMemory(scenario))!;
    expect(parts(own!).dram / parts(all!).dram).toBe(4);
    expect(parts(own!).ssd / parts(all!).ssd).toBe(4);
    expect(parts(own!).device).toBe(parts(all!).device);
    const tokens = (scenario: Scenario) => residentTokens(scenario, planMemory(scenario));
    expect(tokens(own!)).toBe(25_165_824);
    expect(tokens(all!)).toBe(25_165_824 / 4);
  });

  it('stand in plan and before a run with who shares it', async () => {
    const lines = async (tiers: string) => {
      const scenario = await load(tiers);
      const plan = planMemory(scenario);
      const document = planDocument(scenario, plan);
      return {
        plan: planLines(scenario, plan, decodeSpeed(scenario, plan), (rows) => rows.map((row) => row.join(' '))).join('\n'),
        run: feasibilityLines({name: 'x', headline: 'y', plan: document}, 400).join('\n'),
        document,
      };
    };
    const host = await lines(both);
    expect(host.plan).toMatch(
      /DRAM: 4,194,304 tokens in 262,144 blocks, kept for reuse, one for all 4 replicas, which are on one host; a load/,
    );
    expect(host.run.replaceAll('\u00a0', ' ')).toContain('DRAM 512 GiB = 4,194,304 tokens, one for all 4 replicas, which are on one host');
    expect(host.document.tiers['dram']).toMatchObject({kv_blocks: 262_144, scope: 'host'});
    const cluster = await lines(both.replaceAll('host', 'cluster'));
    expect(cluster.plan).toMatch(/SSD: 25,165,824 tokens .* kept for reuse, one for all 4 replicas; a load/);
    expect((await lines('dram: 512 GiB')).document.tiers['dram']).not.toHaveProperty('scope');
  });

  it('come from a run: the size and what it held once, its bound that of all together, nothing of it in the rows of one replica', async () => {
    const run = async (tiers: string) => {
      const scenario = {...(await load(tiers, {replicas: 2}))};
      const few: Scenario = {...scenario, run: {...scenario.run, requests: 60}};
      const plan = planMemory(few);
      const record = simulate(few, plan, {replication: 0, audit: true});
      return {few, plan, record, document: summarise(few, plan, [record])};
    };
    const own = await run('dram: 512 GiB, ssd: 3 TiB');
    const all = await run(both);
    expect(own.document.tiers['ssd']!.size_bytes).toBe(2 * all.document.tiers['ssd']!.size_bytes);
    const written = (document: typeof own.document) => document.tiers['ssd']!.wear_years! * document.tiers['ssd']!.writes_bytes!;
    expect(written(own.document) / written(all.document)).toBeCloseTo(2, 1); // both runs take about as long
    expect(all.document.links['ssd.read']!.limit_bytes_per_s).toBe(7e9);
    expect(own.document.links['ssd.read']!.limit_bytes_per_s).toBe(14e9);
    expect(all.document.links['host.up']!.limit_bytes_per_s).toBe(own.document.links['host.up']!.limit_bytes_per_s);
    // In turn, each next turn of a chat goes to the other replica: what it said before is found only where DRAM is shared.
    expect(all.document.hits.share['dram']).toBeGreaterThan(own.document.hits.share['dram']! + 0.1);
    const [header, ...rows] = [...timelineTable(timelinesOf(all.plan, all.record))];
    const last = (replica: string, column: string) => rows.findLast((row) => row[1] === replica)![header!.indexOf(column)];
    expect(last('all', 'kv_dram_bytes')).toBeGreaterThan(0);
    expect([last('0', 'kv_dram_bytes'), last('0', 'ssd_read_bytes_per_s')]).toEqual(['', '']);
    expect(last('0', 'link_host_up_bytes_per_s')).not.toBe('');
    expect(build(all.few, all.plan, {replication: 0}).below!.hierarchy.shared).not.toBeNull();
  });
});
