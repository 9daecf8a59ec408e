import {describe, expect, it} from 'vitest';
import {factoryOf} from '../../../src/policies/eviction/eviction.js';
import {evictionPolicies} from '../../../src/policies/eviction/index.js';
import type {RoutingPolicyName} from '../../../src/policies/routing/index.js';
import {stream} from '../../../src/sim/core/random.js';
import type {AccessLog} from '../../../src/sim/memory/access-log.js';
import {beladyHits} from '../../../src/sim/memory/belady-hits.js';
import type {RunRecord} from '../../../src/sim/metrics/record.js';
import type {ReplicaTrace} from '../../../src/sim/metrics/run-trace.js';
import type {Workload} from '../../../src/sim/workload/workload.js';
import {conversations} from '../../support/conversations.js';
import {linearCost} from '../../support/linear-cost.js';
import {randomTraffic} from '../../support/random-traffic.js';
import {type Overrides, simulated} from '../../support/replica-config.js';
import {digest, inOrder} from '../../support/run-checks.js';
import {type Scripted, ScriptedWorkload} from '../../support/scripted.js';
import {hierarchyConfig, type TierShape} from '../../support/tiers.js';
import {constant, workload} from '../../support/workloads.js';

const MS = 1e6;
/** 1 ms a computed token. */
const perToken = linearCost({token: 0.001});

function run(shape: TierShape, script: Scripted[], {replicas = 2, overrides = {kv: {blocks: 8}} as Overrides} = {}) {
  const below = {hierarchy: hierarchyConfig(shape), load: 'always' as const};
  const record = simulated(overrides, perToken, new ScriptedWorkload(script), {below, replicas});
  const r = record.requests;
  return {
    record,
    rows: inOrder(r).map((i) => ({
      replica: r.replica[i],
      hit: r.hit[i],
      below: r.hitBelow.map((column) => column[i]),
      computed: r.computed[i],
      infinite: r.hitInfinite[i],
      load: r.load[i] / MS,
      first: r.firstToken[i] / MS,
    })),
  };
}

// Requests go to replicas 0 and 1 in turn.
const twice: Scripted[] = [0, 100].map((at) => ({at: at * MS, input: 17, output: 1, text: 'abcd'}));

describe('a memory that two replicas share', () => {
  it('has for one what the other wrote: it is loaded, not computed', () => {
    // Replica 0 computes 17 tokens and writes 4 blocks of 1 MB; replica 1 reads them over its own link of 50 GB/s in 0.08 ms and computes one token.
    const own = run({dram: 100}, twice);
    expect(own.rows[1]).toMatchObject({replica: 1, below: [0], computed: 17, infinite: 0, first: 117});
    const {record, rows} = run({dram: 100, shared: 'dram'}, twice);
    expect(rows[1]).toMatchObject({replica: 1, hit: 0, below: [16], computed: 1, infinite: 16, load: 0.08, first: 101.08});
    expect(record.tiers[0]).toMatchObject({writtenBytes: 4e6, readBytes: 4e6, usedBlocks: {max: 4}});
  });

  it('is one memory, not one for each: what the first writes pushes out what the second did', () => {
    const script: Scripted[] = [
      {at: 0, input: 17, output: 1, text: 'abcd'},
      {at: 100 * MS, input: 17, output: 1, text: 'mnop'},
      {at: 200 * MS, input: 33, output: 1}, // all of HBM of replica 0
      {at: 300 * MS, input: 33, output: 1},
      {at: 400 * MS, input: 17, output: 1, text: 'abcd'},
    ];
    const overrides: Overrides = {kv: {blocks: 9}};
    const last = (shape: TierShape) => run(shape, script, {overrides}).rows[4].below;
    expect(last({dram: 4})).toEqual([16]);
    expect(last({dram: 4, shared: 'dram'})).toEqual([0]);
    expect(last({dram: 8, shared: 'dram'})).toEqual([16]);
  });

  it('is written once: what one replica has written, or is writing, the other does not write again', () => {
    const same: Scripted[] = [0, 0].map((at) => ({at, input: 16, output: 1, text: 'abcd'}));
    expect(run({dram: 100}, same).record.tiers[0].writtenBytes).toBe(8e6);
    const {record} = run({dram: 100, shared: 'dram'}, same);
    expect(record.tiers[0].writtenBytes).toBe(4e6);
    expect(record.replicas.map(({tiers}) => tiers[0].writtenBytes)).toEqual([4e6, 0]);
  });
});

describe('two loads at the same time', () => {
  // Both replicas write 4 blocks each through DRAM of 4 places to the disk, lose them above, and ask again at once.
  const script: Scripted[] = [
    {at: 0, input: 16, output: 1, text: 'abcd'},
    {at: 0, input: 16, output: 1, text: 'mnop'},
    {at: 500 * MS, input: 32, output: 1, text: 'ABCDEFGH'},
    {at: 500 * MS, input: 32, output: 1, text: 'MNOPQRST'},
    {at: 1000 * MS, input: 17, output: 1, text: 'abcd'},
    {at: 1000 * MS, input: 17, output: 1, text: 'mnop'},
  ];
  const loads = (shape: TierShape) => run({dram: 8, ssd: 100, disk: 1e8, ...shape}, script).rows.slice(4);

  it('over one disk take twice as long, over a disk each they do not', () => {
    // 4 MB at 100 MB/s take 40 ms.
    expect(loads({})).toMatchObject([
      {below: [0, 16], load: 40},
      {below: [0, 16], load: 40},
    ]);
    expect(loads({shared: 'ssd'})).toMatchObject([
      {below: [0, 16], load: 80},
      {below: [0, 16], load: 80},
    ]);
  });

  it('over a link each are as fast as one where they come from one DRAM that is faster than both', () => {
    const fromDram = run({dram: 100, host: 1e8, shared: 'dram'}, script).rows.slice(4);
    expect(fromDram).toMatchObject([
      {below: [16], load: 40},
      {below: [16], load: 40},
    ]);
  });

  it('slow down one that began before, from then on', () => {
    // The first has read 2 MB after 20 ms; then both share the disk: it ends after 20 + 40 ms. The second has then 2 MB left, alone: 40 + 20 ms.
    const later = [...script.slice(0, 5), {...script[5], at: 1020 * MS}];
    const {rows, record} = run({dram: 8, ssd: 100, disk: 1e8, shared: 'ssd'}, later);
    expect(rows.slice(4)).toMatchObject([{load: 60}, {load: 60}]);
    // The link of each has what its own load takes of the disk, also when only the other's begins or ends.
    const up = hierarchyConfig({dram: 8}).resources;
    const at = Object.keys(up).indexOf('host.up') - 1;
    const rates = (replica: number) =>
      [1010, 1030, 1070].map((row) => Math.round(record.replicas[replica].timeline.flowBytes[at][row] / 1e6));
    expect([rates(0), rates(1)]).toEqual([
      [100, 50, 0],
      [0, 50, 100],
    ]);
  });
});

describe('a replica that waits for a place in a shared memory', () => {
  // The page cache has 4 places. Replica 0 takes them at 16 ms, and the disk has them at 16 + 0.08 + 40 ms. Replica 1 has 4 blocks to write since 16 ms, and decodes until 76 ms meanwhile.
  const script: Scripted[] = [
    {at: 0, input: 16, output: 1, text: 'abcd'},
    {at: 0, input: 16, output: 61, text: 'mnop'},
    {at: 90 * MS, input: 17, output: 1, text: 'mnop'},
  ];
  const shape: TierShape = {pageCache: 4, ssd: 100, disk: 1e8, shared: 'page-cache'};
  const ran = (fastForward: boolean) => {
    const below = {hierarchy: hierarchyConfig(shape), load: 'always' as const};
    const trace: ReplicaTrace[] = [];
    const record = simulated({kv: {blocks: 40}}, perToken, new ScriptedWorkload(script), {below, replicas: 2, fastForward, trace});
    return {record, stores: trace[1].transfers.map(({tier, from, to}) => [tier, from / MS, to / MS])};
  };

  it('writes when another one has made room, whether it runs ahead meanwhile or not', () => {
    const {record, stores} = ran(false);
    expect(stores[0]).toEqual(['page-cache', 56.08, 56.16]);
    expect(record.requests.hitBelow.map((column) => column[inOrder(record.requests)[2]])).toEqual([16, 0]);
    expect(digest(ran(true).record)).toBe(digest(record));
  });

  it('gets it by its place among the replicas, also when another one began the write that made room', () => {
    // Replica 1 fills the page cache; the disk has its blocks at 16 + 0.08 + 40 ms. Both replicas have 4 blocks to write since 36 ms: those of replica 0 come in first, those of replica 1 when the disk has them, 0.08 + 40 ms later.
    const waiting: Scripted[] = [
      {at: 0, input: 4, output: 1},
      {at: 0, input: 16, output: 1, text: 'mnop'},
      {at: 20 * MS, input: 16, output: 1, text: 'abcd'},
      {at: 20 * MS, input: 16, output: 1, text: 'uvwx'},
    ];
    const below = {hierarchy: hierarchyConfig(shape), load: 'always' as const};
    const trace: ReplicaTrace[] = [];
    simulated({kv: {blocks: 40}}, perToken, new ScriptedWorkload(waiting), {below, replicas: 2, trace});
    const into = (replica: number) => trace[replica].transfers.filter(({tier}) => tier === 'page-cache').map(({from}) => from / MS);
    expect([into(0), into(1)]).toEqual([[56.08], [16, 96.16]]);
  });

  it('to keep places of its HBM free ahead writes when another one has made room, though nothing else happens in it', () => {
    // HBM of 8, 4 of them kept free by writing back to a DRAM of 4. At 32 ms replica 0 takes its places, 40 ms; replica 1, idle since then, writes at 72 ms.
    const idle: Scripted[] = ['abcdefgh', 'mnopqrst'].map((letters) => ({at: 0, input: 32, output: 1, text: letters}));
    const back: TierShape = {dram: 4, host: 1e8, write: {when: 'back'}, ahead: 4, shared: 'dram'};
    const stores = (fastForward: boolean) => {
      const below = {hierarchy: hierarchyConfig(back), load: 'always' as const};
      const trace: ReplicaTrace[] = [];
      simulated({kv: {blocks: 8}}, perToken, new ScriptedWorkload(idle), {below, replicas: 2, fastForward, trace});
      return trace.map(({transfers}) => transfers.map(({from, to}) => [from / MS, to / MS]));
    };
    expect(stores(false)).toEqual([[[32, 72]], [[72, 112]]]);
    expect(stores(true)).toEqual(stores(false));
  });
});

describe('writes to a shared memory', () => {
  it('wait for what has to leave it for them, and only those of the replica that takes the places', () => {
    // Write-back, DRAM of 4 places. Replica 0 pushes abcd out of HBM into DRAM at 200 ms, 0.08 ms. At 300 ms replica 1 pushes ABCD out: abcd must go to the disk first, 40 ms, then ABCD to DRAM, 0.08 ms, then 16 tokens are computed.
    const script: Scripted[] = ['abcd', 'ABCD', 'mnop', 'MNOP', 'uvwx', 'UVWX'].map((letters, i) => ({
      at: [0, 50, 100, 150, 200, 300][i] * MS,
      input: 16,
      output: 1,
      text: letters,
    }));
    const {rows} = run({dram: 4, ssd: 100, disk: 1e8, write: {when: 'back'}, shared: 'dram'}, script);
    expect(rows[4].first).toBeCloseTo(216.08, 6);
    expect(rows[5].first).toBeCloseTo(356.08, 6);
  });

  it('go through its one lane, one replica after the other', () => {
    // Both have 4 MB to write at 16 ms, 40 ms each.
    const script = ['abcd', 'mnop'].map((letters): Scripted => ({at: 0, input: 16, output: 1, text: letters}));
    const below = {hierarchy: hierarchyConfig({ssd: 100, disk: 1e8, shared: 'ssd'}), load: 'always' as const};
    const trace: ReplicaTrace[] = [];
    simulated({kv: {blocks: 8}}, perToken, new ScriptedWorkload(script), {below, replicas: 2, trace});
    expect(trace.map(({transfers}) => transfers.map(({from, to}) => [from / MS, to / MS]))).toEqual([[[16, 56]], [[16, 96]]]);
  });

  it('have their places from when they are queued, and it is recorded then', () => {
    // Over 100 MB/s the first 4 blocks take 16-56 ms; the next 4 are computed at 32 ms and wait.
    const script: Scripted[] = [
      {at: 0, input: 16, output: 1, text: 'abcd'},
      {at: 0, input: 4, output: 1},
      {at: MS, input: 16, output: 1, text: 'mnop'},
    ];
    const {timeline} = run({dram: 100, host: 1e8, shared: 'dram'}, script).record;
    expect([10, 20, 31, 40, 60].map((row) => timeline.tierBlocks[0][row])).toEqual([0, 4, 4, 8, 8]);
  });
});

it('a shared memory forgets ids that go back: what another session had under them is no use before', () => {
  // Sessions of one turn: no block is ever asked for again, though ids are.
  const source = workload(
    {
      kind: 'chat',
      arrivals: {process: 'constant', rate: 10, of: 'session'},
      turns: {dist: 'uniform', min: 1, max: 1},
      thinkTime: constant(1),
      userTokens: constant(12),
      outputTokens: constant(1),
      sharedPrefixes: null,
    },
    {blockSize: 4, limit: {sessions: 40}},
  );
  const below = {hierarchy: hierarchyConfig({dram: 6, shared: 'dram'}), load: 'always' as const};
  const {tiers} = simulated({kv: {blocks: 4}}, perToken, source, {below, replicas: 2});
  expect(tiers[0].evictions).toBeGreaterThan(60);
  expect(source.ids.limit).toBeLessThan(60);
  expect([...tiers[0].distances]).toEqual([]);
});

describe('what is recorded of a shared memory', () => {
  const {record} = run({dram: 100, shared: 'dram'}, twice);

  it('is of all replicas together: its blocks and its rate once, nothing of it in those of one', () => {
    const dram = (of: RunRecord['replicas'][number]) => of.timeline.tierBlocks[0].at(-1);
    expect([record, ...record.replicas].map(dram)).toEqual([4, 0, 0]);
    const port = ({resources}: RunRecord['replicas'][number]) => resources.find(({name}) => name === 'dram')!;
    expect([record, ...record.replicas].map((of) => port(of).capacity)).toEqual([200e9, 0, 0]);
    expect(port(record).bytes).toBeCloseTo(8e6, 3);
  });

  it('leaves links that each replica has for itself as they are', () => {
    const up = ({resources}: RunRecord['replicas'][number]) => resources.find(({name}) => name === 'host.up')!;
    expect([record, ...record.replicas].map((of) => [Math.round(up(of).bytes), up(of).capacity])).toEqual([
      [4e6, 100e9],
      [0, 50e9],
      [4e6, 50e9],
    ]);
  });
});

it('is looked up by all replicas in one log, from which the bound by Belady is worked out', () => {
  const logged = (shared: TierShape['shared']) => {
    const logs: AccessLog[] = [];
    const below = {hierarchy: hierarchyConfig({dram: 100, shared: shared ?? null}), load: 'always' as const};
    simulated({}, perToken, new ScriptedWorkload(twice), {below, replicas: 2, accesses: {most: 100, logs}});
    return logs.map((log) => beladyHits(log.take()!, 100, () => true));
  };
  expect(logged(null)).toEqual([0, 0]);
  expect(logged('dram')).toEqual([4]);
});

it('gives one replica the bytes that it has alone', () => {
  for (const shared of ['dram', 'ssd'] as const) {
    const shape: TierShape = {dram: 4, ssd: 20, disk: 1e8};
    const digests = [null, shared].map((one) => digest(run({...shape, shared: one}, twice, {replicas: 1}).record));
    expect(digests[1]).toBe(digests[0]);
  }
});

describe('random traffic over shared memories', () => {
  type Write = NonNullable<TierShape['write']>;
  const routers: RoutingPolicyName[] = ['round-robin', 'session-affinity', 'least-loaded'];
  const policies = Object.entries(evictionPolicies).map(([name, policy]) => factoryOf(name, policy));
  const policy = (index: number) => policies[index % policies.length];

  const shapeOf = (seed: number): TierShape => {
    const random = stream(seed, 'test/shared');
    const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
    const writes: Write[] = [
      {when: 'through', generated: seed % 2 === 0},
      {when: 'back'},
      {when: 'selective', afterTouches: 2, counts: (['hits', 'lookups', 'stay'] as const)[seed % 3], generated: seed % 2 === 0},
    ];
    const write = writes[whole(0, 2)];
    const dram = whole(0, 3) > 0 ? whole(2, 60) : 0;
    const pageCache = whole(0, 2) === 0 ? whole(1, 20) : 0;
    const ssd = dram === 0 || pageCache > 0 || random() < 0.7 ? whole(4, 200) : 0;
    const nearest = (['dram', 'page-cache', 'ssd'] as const).filter((_, i) => [dram, pageCache, ssd][i] > 0);
    return {
      dram,
      pageCache,
      ssd,
      shared: nearest[whole(0, nearest.length - 1)],
      write,
      inclusive: write.when !== 'back' || random() < 0.5,
      host: 10 ** (7 + 3 * random()),
      disk: 10 ** (6.5 + 3 * random()),
      latency: whole(0, 1) * 50_000,
      hbm: 1e10,
      ahead: whole(0, 1) * whole(1, 12),
      layers: random() < 0.5 ? 1 : whole(2, 6),
      unified: random() < 0.2,
      promote: seed % 5 === 0,
      chunkBlocks: write.when === 'back' ? 1 : 1 + (seed % 3),
      ...(seed % 4 === 1 ? {admission: {policy: 'after-touches', params: {k: 2, counts: 'lookups'}} as const} : {}),
      ...(seed % 5 === 2 ? {watermark: {high: 0.6 + 0.4 * random(), low: 0.5 * random()}} : {}),
    };
  };

  const both = (seed: number, overrides: Overrides, cost: Parameters<typeof simulated>[1], workload: () => Workload) => {
    const hierarchy = hierarchyConfig(shapeOf(seed));
    const tiers = hierarchy.tiers.map((tier, i) => ({...tier, eviction: policy(seed + 7 * i + 7)}));
    const below = {hierarchy: {...hierarchy, tiers}, load: (['always', 'cheaper', 'always'] as const)[seed % 3]};
    const options = {below, replicas: 2 + (seed % 3), router: routers[(seed >> 2) % 3], eviction: policy(seed)};
    const on = simulated(overrides, cost, workload(), options);
    const off = simulated(overrides, cost, workload(), {...options, fastForward: false});
    expect(digest(on), `seed ${seed}`).toBe(digest(off));
    return on;
  };

  const conserved = ({requests: r, counters: c, replicas, tiers, resources}: RunRecord) => {
    expect(c.generatedTokens - c.discardedTokens).toBe(r.output.reduce((a, b) => a + b, 0));
    for (let i = 0; i < r.rows; i++) {
      const below = r.hitBelow.reduce((sum, column) => sum + column[i], 0);
      if (r.preemptions[i] === 0) expect(r.hit[i] + below + r.computed[i]).toBe(r.input[i]);
      expect(r.hit[i] + below).toBeLessThanOrEqual(r.hitInfinite[i]);
    }
    // Who is admitted when it comes has not waited.
    for (const {counters} of replicas) expect(counters.maxWaiting > 0).toBe(counters.waitingSeconds > 0);
    for (const [t, tier] of tiers.entries()) {
      expect(tier.readBytes).toBe(replicas.reduce((sum, one) => sum + one.tiers[t].readBytes, 0));
      expect(tier.writtenBytes).toBe(replicas.reduce((sum, one) => sum + one.tiers[t].writtenBytes, 0));
      if (tier.name === 'ssd')
        expect(resources.find(({name}) => name === 'ssd')!.bytes / 1e6).toBeCloseTo((tier.readBytes + tier.writtenBytes) / 1e6, 3);
    }
  };

  it('gives the same bytes with fast-forward on and off under 120 scripts, with two to four replicas, whatever evicts, and the books balance', () => {
    let loaded = 0,
      written = 0,
      evicted = 0;
    for (let seed = 0; seed < 120; seed++) {
      const {overrides, cost, script} = randomTraffic(seed);
      const withCache = {...overrides, kv: {...overrides.kv, prefixCache: true}};
      const on = both(seed, withCache, cost, () => new ScriptedWorkload(script));
      expect(on.requests.rows).toBe(script.length);
      conserved(on);
      loaded += on.tiers.reduce((sum, tier) => sum + tier.readBytes, 0);
      written += on.tiers.reduce((sum, tier) => sum + tier.writtenBytes, 0);
      evicted += on.tiers.reduce((sum, tier) => sum + tier.evictions, 0);
    }
    expect(Math.min(loaded / 1e6, written / 1e6, evicted)).toBeGreaterThan(500);
  });

  it('does so under 100 loads of sessions, whose ends cause arrivals elsewhere and give block ids back', () => {
    let loaded = 0;
    for (let seed = 0; seed < 100; seed++) {
      const {overrides, cost} = randomTraffic(seed);
      const tight = {...overrides, kv: {blocks: 26, prefixCache: true}, maxModelLen: 100};
      const on = both(seed, tight, cost, () => conversations(seed));
      conserved(on);
      loaded += on.tiers.reduce((sum, tier) => sum + tier.readBytes, 0);
    }
    expect(loaded / 1e6).toBeGreaterThan(500);
  });
});
