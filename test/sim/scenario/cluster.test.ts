import {describe, expect, it} from 'vitest';
import {InputError} from '../../../src/sim/core/errors.js';
import {planDocument} from '../../../src/sim/scenario/plan-document.js';
import {decodeSpeed, planLines} from '../../../src/sim/scenario/plan-table.js';
import {timelinesOf} from '../../../src/sim/scenario/report-data.js';
import {resolveText} from '../../../src/sim/scenario/resolve/index.js';
import {feasibilityLines, plain, resultLines} from '../../../src/sim/scenario/run-table.js';
import type {Scenario} from '../../../src/sim/scenario/scenario.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {summarise} from '../../../src/sim/scenario/summarise.js';
import {requestColumnNames, requestTable, timelineTable} from '../../../src/sim/scenario/tables.js';
import {memoryFiles} from '../../support/memory-files.js';
import {toyPlan, toyScenario} from '../../support/scenarios.js';

const text = (cluster: string) => `
model: llama-3.1-8b
hardware: h100-sxm
engine: vllm
workload: {kind: lengths, arrivals: 1 req/s, input_tokens: 100, output_tokens: 1}
${cluster}
`;
const load = (cluster: string) => resolveText(text(cluster), 'test.yaml', memoryFiles({}));

describe('cluster', () => {
  it('is one replica unless the file says more, and then dealt out in turn', async () => {
    expect((await load('')).cluster).toEqual({replicas: 1, router: 'round-robin'});
    expect((await load('cluster: {replicas: 4}')).cluster).toEqual({replicas: 4, router: 'round-robin'});
    expect((await load('cluster: {replicas: 4, router: session-affinity}')).cluster).toEqual({replicas: 4, router: 'session-affinity'});
  });

  it('has parameters of the router, each checked by name and kind', async () => {
    expect((await load('cluster: {replicas: 4, router: {policy: prefix-affinity, index: 500}}')).cluster).toEqual({
      replicas: 4,
      router: 'prefix-affinity',
      routerParams: {index: 500},
    });
    const planned = '{policy: prefix-affinity, view: estimated, refresh: 100 ms, spill: least-loaded}';
    expect((await load(`cluster: {replicas: 2, router: ${planned}}`)).cluster.routerParams).toEqual({
      view: 'estimated',
      refresh: 0.1,
      spill: 'least-loaded',
    });
    await expect(load('cluster: {replicas: 2, router: {policy: prefix-affinity, spill: least-loadd}}')).rejects.toThrow(
      /unknown spill of prefix-affinity "least-loadd" \(did you mean "least-loaded"/,
    );
    await expect(load('cluster: {replicas: 2, router: {policy: prefix-affinity, view: exact}}')).rejects.toThrow(/view of prefix-affinity/);
    await expect(load('cluster: {replicas: 2, router: {policy: prefix-affinity, indx: 5}}')).rejects.toThrow(/did you mean "index"/);
    await expect(load('cluster: {replicas: 2, router: {policy: prefix-affinity, match: 2}}')).rejects.toThrow(
      'match of prefix-affinity: 2 is not a share from 0 to 1',
    );
    await expect(load('cluster: {replicas: 2, router: {policy: round-robin, index: 5}}')).rejects.toThrow('it takes none');
  });

  it('refuses what is no number of replicas and no router, and names the nearest', async () => {
    await expect(load('cluster: {replicas: 0}')).rejects.toThrow(InputError);
    await expect(load('cluster: {replicas: 2, router: sesion-affinity}')).rejects.toThrow(/did you mean "session-affinity"/);
    await expect(load('cluster: {pools: {a: {role: prefill}}}')).rejects.toThrow(/not simulated by this version/);
  });

  it('warns of a refresh of counts that nobody sees', async () => {
    const of = async (spill: string) =>
      (await load(`cluster: {replicas: 2, router: {policy: prefix-affinity, refresh: 1 s, spill: ${spill}}}`)).warnings.filter(({path}) =>
        path.startsWith('cluster'),
      );
    expect(await of('least-loaded')).toEqual([]);
    expect(await of('round-robin')).toMatchObject([{code: 'no_effect', path: 'cluster.router.refresh'}]);
  });

  it('warns of a router that has nothing to choose', async () => {
    const {warnings} = await load('cluster: {router: session-affinity}');
    expect(warnings).toContainEqual(expect.objectContaining({code: 'no_effect', path: 'cluster.router'}));
  });
});

/** Each of two replicas serves one request at a time, 1 s each; two come every second. */
function twoServers(change: Partial<Scenario> = {}): Scenario {
  const scenario = toyScenario();
  return {
    ...scenario,
    cluster: {replicas: 2, router: 'round-robin'},
    count: 2,
    scheduler: {...scenario.scheduler, maxNumSeqs: 1},
    workload: {...scenario.workload, arrivals: {process: 'constant', rate: 1.6, of: 'request'}} as Scenario['workload'],
    cost: {...scenario.cost, device: 3, host: 1},
    run: {...scenario.run, requests: 400},
    ...change,
  };
}

describe('figures of two replicas', () => {
  const scenario = twoServers();
  const record = simulate(scenario, toyPlan, {replication: 0});
  const document = summarise(scenario, toyPlan, [record]);

  it('are loaded by half of what one would be', () => {
    // 1.6 requests a second of 1 s each over two servers.
    expect(document.load.rho).toBeCloseTo(0.8, 2);
    expect(document.load.busy_share).toBeCloseTo(0.8, 2);
    expect(document.load.mean_running).toBeCloseTo(1.6, 2);
    expect(document.load.overloaded).toBe(false);
    expect(document.throughput.requests_per_s).toBeCloseTo(1.6, 1);
    const fast = {...scenario.workload, arrivals: {process: 'constant', rate: 3, of: 'request'}} as Scenario['workload'];
    const over = twoServers({workload: fast});
    const {load: much} = summarise(over, toyPlan, [simulate(over, toyPlan, {replication: 0})]);
    expect(much.overloaded).toBe(true);
    expect(much.rho).toBeCloseTo(1.5, 1);
  });

  it('cost what both cost: two devices and a host each', () => {
    expect(document.cost.per_hour_usd).toBe(2 * (2 * 3 + 1));
  });

  it('have memory twice, used twice', () => {
    expect(document.plan.replicas).toBe(2);
    expect(document.tiers['hbm']!.size_bytes).toBe(2 * 100 * 1000);
    // 7 blocks of 16 tokens hold a prompt of 100.
    expect(document.tiers['hbm']!.used_bytes.max).toBe(2 * 7 * 1000);
  });

  it('stand one by one in result.json and on a line', () => {
    expect(document.replicas.map(({requests}) => requests)).toEqual([200, 200]);
    for (const one of document.replicas) expect(one.busy_share).toBeCloseTo(0.8, 2);
    expect(resultLines(document, 120, plain).find((line) => line.startsWith('replicas'))).toMatch(/requests 200 … 200 · busy/);
  });

  it('say where each request went', () => {
    const [, ...rows] = [...requestTable(record, scenario.slo)];
    const at = requestColumnNames.indexOf('replica');
    expect(rows.slice(0, 4).map((row) => row[at])).toEqual([0, 1, 0, 1]);
  });

  it('have a timeline of all and of each, whose counts add up and whose shares are means', () => {
    const [header, ...rows] = [...timelineTable(timelinesOf(toyPlan, record))];
    const of = (replica: string, column: string) =>
      rows.filter((row) => row[1] === replica).map((row) => Number(row[header!.indexOf(column)]));
    expect([...new Set(rows.map((row) => row[1]))]).toEqual(['all', '0', '1']);
    expect(of('all', 'time_s')).toEqual(of('0', 'time_s'));
    const [both, first, second] = ['all', '0', '1'].map((replica) => of(replica, 'running'));
    for (const [i, running] of both!.entries()) expect(running).toBeCloseTo(first![i]! + second![i]!, 6);
    const [mean, one, other] = ['all', '0', '1'].map((replica) => of(replica, 'bound_hbm_share'));
    for (const [i, share] of mean!.entries()) expect(share).toBeCloseTo((one![i]! + other![i]!) / 2, 6);
    expect(Math.max(...mean!)).toBeLessThanOrEqual(1 + 1e-9);
  });
});

it('plan and the lines before a run say how many replicas there are, all devices, and what they cost', async () => {
  const scenario = {...(await load('cluster: {replicas: 4}\ncost: {device: 2.5 USD/hour}')), name: 'x'};
  const {planMemory} = await import('../../../src/sim/scenario/plan.js');
  const plan = planMemory(scenario);
  const lines = planLines(scenario, plan, decodeSpeed(scenario, plan), (rows) => rows.map((row) => row.join(' ')));
  expect(lines[1]).toMatch(/^4 replicas of 1 × NVIDIA H100/);
  expect(lines.at(-1)).toBe(
    `all 4 replicas: 4 devices, ${(plan.kvTokens * 4).toLocaleString('en-US')} tokens of KV · $10.00 an hour · round-robin`,
  );
  const before = feasibilityLines({name: 'x', headline: 'y', plan: planDocument(scenario, plan)}, 200);
  expect(before.join('\n')).toContain('in each of 4 replicas, HBM');
});
