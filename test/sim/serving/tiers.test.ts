import {describe, expect, it} from 'vitest';
import type {CostModel} from '../../../src/models/cost/cost.js';
import {factoryOf} from '../../../src/policies/eviction/eviction.js';
import {evictionPolicies} from '../../../src/policies/eviction/index.js';
import {stream} from '../../../src/sim/core/random.js';
import {linearCost} from '../../support/linear-cost.js';
import {randomTraffic} from '../../support/random-traffic.js';
import {type Overrides, simulated} from '../../support/replica-config.js';
import {digest} from '../../support/run-checks.js';
import {type Scripted, ScriptedWorkload} from '../../support/scripted.js';
import {hierarchyConfig, type TierShape} from '../../support/tiers.js';

type Write = NonNullable<TierShape['write']>;

const MS = 1e6;
/** 1 ms a computed token. */
const perToken = linearCost({token: 0.001});

function run(
  shape: TierShape,
  script: Scripted[],
  overrides: Overrides = {kv: {blocks: 8}},
  load: 'always' | 'never' | 'cheaper' = 'always',
  cost = perToken,
) {
  const record = simulated(overrides, cost, new ScriptedWorkload(script), {below: {hierarchy: hierarchyConfig(shape), load}});
  const r = record.requests;
  const order = Array.from({length: r.rows}, (_, i) => i).sort((a, b) => r.id[a] - r.id[b]);
  return {
    record,
    rows: order.map((i) => ({
      hit: r.hit[i],
      below: r.hitBelow.map((column) => column[i]),
      computed: r.computed[i],
      load: r.load[i] / MS,
      scheduled: r.scheduled[i] / MS,
      first: r.firstToken[i] / MS,
    })),
  };
}

/** 100 ms a step, all of them reading 10 GB/s from HBM. */
const heavy: CostModel = {
  ...linearCost({}),
  predict(_batch, into) {
    into.seconds = into.bounds[1] = into.terms[1] = 0.1;
    into.bytes = 1e9;
    into.bounds[0] = into.terms[0] = into.flops = 0;
  },
};

// a's chain of 4 blocks is written to host memory, then pushed out of HBM (8 blocks) by two others, then asked for again.
const pushedOut: Scripted[] = [
  {at: 0, input: 16, output: 1, text: 'abcd'},
  {at: 100 * MS, input: 16, output: 1, text: 'mnop'},
  {at: 200 * MS, input: 16, output: 1, text: 'uvwx'},
  {at: 300 * MS, input: 17, output: 1, text: 'abcd'},
];

describe('loads', () => {
  it('computes only what was not loaded, after the load has ended', () => {
    // 4 blocks of 1 MB over 50 GB/s take 0.08 ms; then 1 token of 1 ms.
    const {rows} = run({dram: 100}, pushedOut);
    expect(rows[3]).toMatchObject({hit: 0, below: [16], computed: 1, scheduled: 300});
    expect(rows[3].load).toBeCloseTo(0.08, 6);
    expect(rows[3].first).toBeCloseTo(301.08, 6);
  });

  it('changes the time to first token when hits change: work that was loaded is not billed', () => {
    const ttft = (shape: TierShape) => run(shape, pushedOut).rows[3].first - 300;
    expect(ttft({})).toBeCloseTo(17, 6);
    expect(ttft({dram: 100})).toBeCloseTo(1.08, 6);
    expect(ttft({dram: 100, host: 1e9})).toBeCloseTo(5, 6);
  });

  it('comes from the disk when host memory has lost it, over both hops at the speed of the slower', () => {
    // Host memory holds 4 blocks: a's went on to the disk and were pushed out. 4 MB at 5 GB/s take 0.8 ms.
    const {rows} = run({dram: 4, ssd: 100}, pushedOut);
    expect(rows[3].below).toEqual([0, 16]);
    expect(rows[3].load).toBeCloseTo(0.8, 6);
  });

  it('loads never, or only when that is sooner than computing', () => {
    expect(run({dram: 100}, pushedOut, undefined, 'never').rows[3]).toMatchObject({computed: 17, below: [0]});
    expect(run({dram: 100, host: 1e8}, pushedOut, undefined, 'cheaper').rows[3]).toMatchObject({computed: 17}); // 40 ms against 16
    expect(run({dram: 100, host: 1e9}, pushedOut, undefined, 'cheaper').rows[3]).toMatchObject({computed: 1}); // 4 ms against 16
  });

  it('lets a second request join the transfer that brings its blocks', () => {
    const twice = [...pushedOut, {at: 300 * MS, input: 17, output: 1, text: 'abcd'}];
    const {rows, record} = run({dram: 100, host: 1e9}, twice);
    expect(record.tiers[0].readBytes).toBe(4e6);
    expect(rows[4]).toMatchObject({computed: 1, first: rows[3].first});
  });

  it('slows the step beside it by what it takes of HBM, and is not slowed itself', () => {
    // Every step takes 100 ms and all of HBM's 10 GB/s. The load of 4 MB at 1 GB/s begins with the step at 510 ms and takes 4 ms of it: the step ends 0.4 ms late.
    const script: Scripted[] = [
      ...pushedOut.slice(0, 3),
      {at: 310 * MS, input: 4, output: 3},
      {at: 450 * MS, input: 17, output: 1, text: 'abcd'},
    ];
    const finished = (load: 'always' | 'never') => {
      const {record, rows} = run({dram: 100, host: 1e9, hbm: 10e9}, script, {kv: {blocks: 9}}, load, heavy);
      return {end: record.requests.finished[3] / MS, load: rows[4].load, first: rows[4].first};
    };
    expect(finished('never')).toMatchObject({end: 610, load: 0, first: 610});
    expect(finished('always')).toMatchObject({end: 610.4, load: 4, first: 710.4});
  });

  it('copies within one memory twice over its port, and shares that with the step beside it', () => {
    // A load of 4 MB is read and written, 8 MB of the memory's 10 GB/s: 0.8 ms alone. Beside a step that takes all of it, each has half of the memory:
    // 1.6 ms, in which the step does half its work, so that it ends 0.8 ms late.
    const script: Scripted[] = [
      ...pushedOut.slice(0, 3),
      {at: 310 * MS, input: 4, output: 3},
      {at: 450 * MS, input: 17, output: 1, text: 'abcd'},
    ];
    const ran = (extra: TierShape) => {
      const {record, rows} = run({dram: 100, hbm: 10e9, ...extra}, script, {kv: {blocks: 9}}, 'always', heavy);
      return {end: record.requests.finished[3] / MS, load: rows[4].load};
    };
    expect(ran({unified: true})).toEqual({end: 610.8, load: 1.6});
    expect(run({dram: 100, hbm: 10e9, unified: true}, pushedOut).rows[3].load).toBe(0.8);
  });

  it('keeps the copy below when the edge is inclusive, and moves it when it is not', () => {
    const again = [...pushedOut, {at: 400 * MS, input: 17, output: 1, text: 'mnop'}, {at: 500 * MS, input: 17, output: 1, text: 'abcd'}];
    const exclusive = run({dram: 100, inclusive: false, write: {when: 'back'}}, again);
    expect(exclusive.rows.map((row) => row.below[0] + row.hit)).toEqual([0, 0, 0, 16, 16, 16]);
    // Written when they left HBM, each time again.
    expect(exclusive.record.tiers[0].writtenBytes).toBeGreaterThan(12e6);
    const inclusive = run({dram: 100}, again);
    expect(inclusive.record.tiers[0].writtenBytes).toBe(12e6);
  });
});

describe('loads that overlap with computing, layer by layer', () => {
  // a's 4 blocks are asked for again with 8 tokens more: 4 layers, 8 or 80 ms of computing beside a load of 40 ms.
  const asked = [...pushedOut.slice(0, 3), {at: 300 * MS, input: 24, output: 1, text: 'abcd'}];
  const first = (layers: number, perTokenSeconds: number, more: Partial<TierShape> = {}) =>
    run({dram: 100, host: 1e8, layers, ...more}, asked, {kv: {blocks: 8}}, 'always', linearCost({token: perTokenSeconds})).rows[3];

  it('take as long as the longer of the two, and one layer of the other', () => {
    expect(first(1, 0.001).first - 300).toBeCloseTo(40 + 8, 6);
    expect(first(4, 0.001).first - 300).toBeCloseTo(40 + 8 / 4, 6);
    const slow = [...pushedOut.slice(0, 3).map((one, i) => ({...one, at: i * 1000 * MS})), {...asked[3], at: 3000 * MS}];
    const late = (layers: number) =>
      run({dram: 100, host: 1e8, layers}, slow, {kv: {blocks: 8}}, 'always', linearCost({token: 0.01})).rows[3].first - 3000;
    expect(late(1)).toBeCloseTo(40 + 80, 6);
    expect(late(4)).toBeCloseTo(80 + 40 / 4, 6);
  });

  it('count as load only what the step waited for beyond its own work', () => {
    expect(first(1, 0.001).load).toBeCloseTo(40, 6);
    expect(first(4, 0.001).load).toBeCloseTo(42 - (10 + 8), 6); // 10 ms until the first layer, 8 of computing
  });

  it('bring the latency with the first layer only', () => {
    expect(first(4, 0.001, {latency: 5 * MS}).first - 300).toBeCloseTo(5 + 40 + 2, 6);
  });

  it('let a second request join: both wait for the same transfer', () => {
    const twice = [...asked, {at: 300 * MS, input: 24, output: 1, text: 'abcd'}];
    const {rows, record} = run({dram: 100, host: 1e8, layers: 4}, twice);
    expect(record.tiers[0].readBytes).toBe(4e6);
    expect(rows[4].first).toBe(rows[3].first);
    expect(rows[3].first - 300).toBeCloseTo(40 + 16 / 4, 6);
  });
});

describe('writes', () => {
  it('writes through when a block is computed, back when it leaves HBM, selectively when it was used so often', () => {
    const written = (write: Write, script: Scripted[]) => run({dram: 100, write}, script).record.tiers[0].writtenBytes / 1e6;
    const one = pushedOut.slice(0, 1);
    expect(written({when: 'through', generated: true}, one)).toBe(4);
    expect(written({when: 'back'}, one)).toBe(0);
    expect(written({when: 'back'}, pushedOut.slice(0, 3))).toBe(4);
    const used = (times: number) => Array.from({length: times}, (_, i) => ({at: i * 50 * MS, input: 17, output: 1, text: 'abcd'}));
    expect(written({when: 'selective', afterTouches: 2, counts: 'hits', generated: false}, used(2))).toBe(0);
    expect(written({when: 'selective', afterTouches: 2, counts: 'hits', generated: false}, used(3))).toBe(4);
  });
});

describe('selective writes', () => {
  const written = (counts: 'hits' | 'lookups' | 'stay', script: Scripted[], afterTouches = 2) =>
    run({dram: 100, write: {when: 'selective', afterTouches, counts, generated: true}}, script).record.tiers[0].writtenBytes / 1e6;
  const twice = [0, 50].map((at): Scripted => ({at: at * MS, input: 17, output: 1, text: 'abcd'}));
  // a's blocks have left HBM when they are asked for again, so they are computed again.
  const recomputed = [...pushedOut.slice(0, 3), {at: 300 * MS, input: 16, output: 1, text: 'abcd'}];

  it('count hits, or computing too: then the second request writes', () => {
    expect(written('hits', twice)).toBe(0);
    expect(written('lookups', twice)).toBe(4);
    expect(written('stay', twice)).toBe(4);
    expect(written('stay', twice, 3)).toBe(0);
  });

  it('remember blocks that left HBM, or begin anew with those that come back', () => {
    expect(written('lookups', recomputed)).toBe(4);
    expect(written('stay', recomputed)).toBe(0);
  });

  it('count generated blocks when they are computed, or only once they are part of a prompt', () => {
    const turns: Scripted[] = [
      {at: 0, input: 8, output: 9, text: 'abcd'},
      {at: 100 * MS, input: 17, output: 1, text: 'abcd'},
    ];
    const bytes = (generated: boolean) =>
      run({dram: 100, write: {when: 'selective', afterTouches: 2, counts: 'stay', generated}}, turns).record.tiers[0].writtenBytes / 1e6;
    expect([true, false].map(bytes)).toEqual([4, 2]);
  });

  it('go to a second memory from the first, once a block was found so often', () => {
    const disk = (times: number, afterTouches: number) => {
      const script = Array.from({length: times}, (_, i): Scripted => ({at: i * 50 * MS, input: 17, output: 1, text: 'abcd'}));
      const onDisk = {when: 'selective', afterTouches, counts: 'hits', generated: false} as const;
      return run({dram: 100, ssd: 100, onDisk}, script).record.tiers.map(({writtenBytes}) => writtenBytes / 1e6);
    };
    expect(disk(1, 1)).toEqual([4, 0]);
    expect(disk(2, 1)).toEqual([4, 4]);
    expect(disk(2, 2)).toEqual([4, 0]);
    expect(disk(3, 2)).toEqual([4, 4]);
  });
});

describe('chunks of several blocks', () => {
  it('are written whole: what does not fill one stays above', () => {
    const written = (chunkBlocks: number) => run({dram: 100, chunkBlocks}, pushedOut.slice(0, 1)).record.tiers[0].writtenBytes / 1e6;
    expect([1, 2, 3, 4, 5].map(written)).toEqual([4, 4, 3, 4, 0]);
  });

  it('are loaded whole: what was found of one is computed', () => {
    // 3 of 4 blocks of the first chunk match; blocks alone would bring 12 tokens.
    const asked: Scripted[] = [...pushedOut.slice(0, 3), {at: 300 * MS, input: 17, output: 1, text: 'abcx'}];
    const row = (chunkBlocks: number) => run({dram: 100, chunkBlocks}, asked).rows[3];
    expect(row(1)).toMatchObject({below: [12], computed: 5});
    expect(row(2)).toMatchObject({below: [8], computed: 9});
    expect(row(4)).toMatchObject({below: [0], computed: 17});
  });

  it('are complete with a chunk of the prompt that a later step computes', () => {
    // Steps of 12 tokens: 3 blocks, then 1; a chunk of 4 is complete with the second.
    const overrides: Overrides = {kv: {blocks: 8}, scheduler: {maxNumBatchedTokens: 12}};
    const {record} = run({dram: 100, chunkBlocks: 4}, pushedOut.slice(0, 1), overrides);
    expect(record.tiers[0].writtenBytes).toBe(4e6);
  });
});

describe('the shortest load', () => {
  it('is loaded, and what is shorter is computed', () => {
    const row = (leastTokens: number) => {
      const below = {hierarchy: hierarchyConfig({dram: 100}), load: 'always' as const, leastTokens};
      const record = simulated({kv: {blocks: 8}}, perToken, new ScriptedWorkload(pushedOut), {below});
      return record.requests.computed[record.requests.id.indexOf(3)];
    };
    expect(row(16)).toBe(1);
    expect(row(17)).toBe(17);
  });
});

describe('what is loaded from the disk', () => {
  it('comes into DRAM too, or not', () => {
    // DRAM has 4 places: when a comes back its copy is on the disk only; then DRAM has it, or still what came last.
    const again: Scripted[] = [...pushedOut, {at: 400 * MS, input: 32, output: 1}, {at: 500 * MS, input: 17, output: 1, text: 'abcd'}];
    const last = (promote: boolean) => run({dram: 4, ssd: 100, promote}, again).rows[5].below;
    expect(last(false)).toEqual([0, 16]);
    expect(last(true)).toEqual([16, 0]);
  });
});

describe('generated blocks', () => {
  // 8 prompt tokens and 9 generated, of which 8 are stored: 4 blocks in all. Then they come back as a prompt, and HBM still has them.
  const turns: Scripted[] = [
    {at: 0, input: 8, output: 9, text: 'abcd'},
    {at: 100 * MS, input: 17, output: 1, text: 'abcd'},
  ];
  const written = (generated: boolean, script: Scripted[]) =>
    run({dram: 100, write: {when: 'through', generated}}, script).record.tiers[0].writtenBytes / 1e6;

  it('are written when they are computed, or only once they are part of a prompt', () => {
    expect(written(true, turns.slice(0, 1))).toBe(4);
    expect(written(false, turns.slice(0, 1))).toBe(2);
    expect(written(false, turns)).toBe(4);
  });
});

describe('a block that is being written', () => {
  // a computes 4 blocks until 16 ms; over 100 MB/s they take 40 ms to write. b needs all 8 blocks of HBM.
  const slow = {dram: 100, host: 1e8};
  const second = (at: number): Scripted => ({at: at * MS, input: 32, output: 1});
  const a: Scripted = {at: 0, input: 16, output: 1, text: 'abcd'};

  it('stays where it is until it is written: who needs its place waits', () => {
    const {rows} = run(slow, [a, second(20)]);
    expect(rows[1]).toMatchObject({scheduled: 56, first: 88});
  });

  it('stays for whoever asks for it meanwhile', () => {
    const {rows} = run(slow, [a, {at: 20 * MS, input: 17, output: 1, text: 'abcd'}]);
    expect(rows[1]).toMatchObject({hit: 16, computed: 1, scheduled: 20, first: 21});
  });

  it.each(['mixed', 'prefill-first'] as const)(
    'lets the last one that runs keep what is being computed before it gives way (%s steps)',
    (steps) => {
      // b holds the 4 other places. Its prompt ends at 35 ms, its second token at 36; for the third it needs a fifth place, and gives way only when the second is there, not at 35. From 56 ms on it computes 17 tokens again.
      const b: Scripted = {at: 20 * MS, input: 15, output: 3};
      const {counters, requests} = run(slow, [a, b], {kv: {blocks: 8}, inFlight: 2, scheduler: {steps}}).record;
      expect(counters).toMatchObject({preemptions: 1, generatedTokens: 4, discardedTokens: 0});
      expect(requests.finished[1] / MS).toBeCloseTo(73, 6);
    },
  );

  it('gives its place, when it had to leave HBM first, only once it is written: the step waits', () => {
    const {rows} = run({...slow, write: {when: 'back'}}, [a, second(100)]);
    expect(rows[1]).toMatchObject({scheduled: 100, first: 172});
  });

  it('is written ahead where places are kept free, so that nobody waits for it', () => {
    const {rows, record} = run({...slow, write: {when: 'back'}, ahead: 8}, [a, second(100)]);
    expect(rows[1]).toMatchObject({scheduled: 100, first: 132});
    expect(record.tiers[0].writtenBytes).toBe(4e6);
  });

  it('holds up what follows it from above, while the memory below is slow', () => {
    // DRAM has 4 places. The fourth request pushes the second out of HBM, that pushes the first to the SSD: 4 MB at 100 MB/s take 40 ms, then 0.08 ms over the host link.
    const four = [...pushedOut.slice(0, 3), {at: 300 * MS, input: 16, output: 1}];
    const first = (disk: number) => run({dram: 4, ssd: 100, disk, write: {when: 'back'}}, four).rows[3].first;
    expect(first(1e8)).toBeCloseTo(356.08, 6);
    expect(first(1e9)).toBeCloseTo(320.08, 6);
  });

  it('waits for its place before a load is brought there', () => {
    // All of HBM is dirty when a comes back: 4 MB must be written, then 4 MB read, each 40 ms; then one token.
    const back: Scripted[] = [
      a,
      {at: 100 * MS, input: 32, output: 1, text: 'mnopqrst'},
      {at: 500 * MS, input: 17, output: 1, text: 'abcd'},
    ];
    const {rows} = run({...slow, write: {when: 'back'}}, back);
    expect(rows[2].below).toEqual([16]);
    expect(rows[2].load).toBeCloseTo(90, 6); // 5 blocks leave for 4 that are loaded and 1 that is computed
    expect(rows[2].first).toBeCloseTo(591, 6);
  });
});

describe('the page cache of an SSD', () => {
  // 4 blocks take 40 ms to the SSD and 0.08 ms to DRAM; the page cache has room for 4.
  const slowDisk = {ssd: 100, disk: 1e8};
  const a: Scripted = {at: 0, input: 16, output: 1, text: 'abcd'};
  const writers: Scripted[] = [a, {at: 20 * MS, input: 16, output: 1, text: 'mnop'}, {at: 40 * MS, input: 32, output: 1}];

  it('takes writes at the speed of DRAM, and holds writers up only while all of it waits for the disk', () => {
    // The third needs all of HBM: past the cache it waits for both writes, 16 + 40 + 40 ms; else for the first, which makes room for the second.
    expect(run(slowDisk, writers).rows[2].scheduled).toBeCloseTo(96, 6);
    expect(run({...slowDisk, pageCache: 4}, writers).rows[2].scheduled).toBeCloseTo(56.16, 6);
    expect(run({...slowDisk, pageCache: 8}, writers).rows[2].scheduled).toBe(40);
  });

  it('answers reads of what it still holds at the speed of DRAM, and holds what was read', () => {
    const again: Scripted[] = [...pushedOut, {at: 400 * MS, input: 32, output: 1}, {at: 500 * MS, input: 17, output: 1, text: 'abcd'}];
    const {rows} = run({...slowDisk, pageCache: 12}, again);
    expect(rows[3]).toMatchObject({below: [16, 0]});
    expect(rows[3].load).toBeCloseTo(0.08, 6);
    const small = run({...slowDisk, pageCache: 4}, again).rows;
    expect(small[3]).toMatchObject({below: [0, 16]});
    expect(small[3].load).toBeCloseTo(40, 6);
    expect(small[5]).toMatchObject({below: [16, 0]});
  });

  it('passes everything on to the disk', () => {
    expect(run({...slowDisk, pageCache: 4}, writers).record.tiers.map(({writtenBytes}) => writtenBytes)).toEqual([8e6, 8e6]);
  });
});

describe('random traffic over two tiers', () => {
  const admissions: NonNullable<TierShape['admission']>[] = [
    {policy: 'after-touches', params: {k: 1, counts: 'hits'}},
    {policy: 'after-touches', params: {k: 2, counts: 'lookups'}},
    {policy: 'by-size', params: {tokens: 20, of: 'longer'}},
    {policy: 'by-size', params: {tokens: 20, of: 'shorter'}},
    {policy: 'predicted-use', params: {within: 0.05, alpha: 0.2}},
  ];
  const shapes = (seed: number): TierShape => {
    const random = stream(seed, 'test/tiers');
    const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
    const writes: Write[] = [
      {when: 'through', generated: seed % 2 === 0},
      {when: 'back'},
      {when: 'selective', afterTouches: 2, counts: 'hits', generated: false},
    ];
    const drawn = writes[whole(0, 2)];
    const counts = (['hits', 'lookups', 'stay'] as const)[seed % 3];
    const write: Write = drawn.when === 'selective' ? {...drawn, counts, generated: seed % 2 === 0} : drawn;
    return {
      dram: whole(2, 60),
      ssd: whole(0, 1) * whole(10, 200),
      write,
      inclusive: write.when !== 'back' || random() < 0.5,
      host: 10 ** (7 + 3 * random()),
      disk: 10 ** (6.5 + 3 * random()),
      latency: whole(0, 1) * 50_000,
      hbm: 1e10,
      ahead: whole(0, 1) * whole(1, 12),
      layers: random() < 0.5 ? 1 : whole(2, 6),
      pageCache: whole(0, 1) * whole(1, 20),
      unified: random() < 0.35,
      promote: seed % 5 === 0,
      chunkBlocks: write.when === 'back' ? 1 : 1 + (seed % 3),
      ...(seed % 4 === 1 ? {admission: admissions[whole(0, admissions.length - 1)]} : {}),
      ...(seed % 5 === 2 ? {watermark: {high: 0.6 + 0.4 * random(), low: 0.5 * random()}} : {}),
      ...(seed % 7 === 0 ? {onDisk: {when: 'selective', afterTouches: 1, counts: 'hits', generated: false}} : {}),
    };
  };

  const policies = Object.entries(evictionPolicies).map(([name, policy]) => factoryOf(name, policy));
  const policy = (index: number) => policies[index % policies.length];
  /** Every memory evicts in another way. */
  const memories = (seed: number) => {
    const hierarchy = hierarchyConfig(shapes(seed));
    return {...hierarchy, tiers: hierarchy.tiers.map((tier, i) => ({...tier, eviction: policy(seed + 7 * i + 7)}))};
  };

  it('gives the same bytes with fast-forward on and off while transfers are under way, whatever evicts, and the books balance', () => {
    let loaded = 0,
      evicted = 0,
      written = 0;
    for (let seed = 0; seed < 200; seed++) {
      const {overrides, cost, script} = randomTraffic(seed);
      const steps = seed % 4 === 3 ? 'prefill-first' : 'mixed';
      const withCache = {...overrides, kv: {...overrides.kv, prefixCache: true}, scheduler: {...overrides.scheduler, steps} as const};
      const below = {hierarchy: memories(seed), load: (['always', 'cheaper', 'always'] as const)[seed % 3]};
      const eviction = policy(seed);
      const on = simulated(withCache, cost, new ScriptedWorkload(script), {below, eviction});
      const off = simulated(withCache, cost, new ScriptedWorkload(script), {below, eviction, fastForward: false});
      expect(digest(on), `seed ${seed}`).toBe(digest(off));
      expect(on.requests.rows).toBe(script.length);
      expect([...on.requests.end].every((end) => end === 0)).toBe(true);
      expect(on.counters.generatedTokens - on.counters.discardedTokens).toBe(on.requests.output.reduce((a, b) => a + b, 0));
      for (let i = 0; i < on.requests.rows; i++) {
        const below = on.requests.hitBelow.reduce((sum, column) => sum + column[i], 0);
        if (on.requests.preemptions[i] === 0) expect(on.requests.hit[i] + below + on.requests.computed[i]).toBe(on.requests.input[i]);
        expect(on.requests.hit[i] + below).toBeLessThanOrEqual(on.requests.hitInfinite[i]);
      }
      loaded += on.tiers.reduce((sum, tier) => sum + tier.readBytes, 0);
      written += on.tiers.reduce((sum, tier) => sum + tier.writtenBytes, 0);
      evicted += on.tiers.reduce((sum, tier) => sum + tier.evictions, 0);
    }
    expect(Math.min(loaded / 1e6, written / 1e6, evicted)).toBeGreaterThan(1000);
  });

  it('ends when two requests that load have to give way to each other in turns: each keeps a token of every turn (seed 41)', () => {
    // Two steps in flight, 18 blocks of HBM, two prompts of 12 and 8 blocks that load again what was written back: who came last found no block for its second token while its first was still being computed.
    const {overrides, cost, script} = randomTraffic(41);
    for (const names of [['predicted', 'lfu', 'lirs'] as const, ['lru', 'slru', 'priority'] as const]) {
      const [eviction, dram, ssd] = names.map((name) => factoryOf(name, evictionPolicies[name]));
      const shape = hierarchyConfig({...shapes(41), unified: false});
      const hierarchy = {...shape, tiers: shape.tiers.map((tier, i) => ({...tier, eviction: [dram, ssd][i]}))};
      const {requests, counters} = simulated(overrides, cost, new ScriptedWorkload(script), {eviction, below: {hierarchy, load: 'always'}});
      expect(requests.rows).toBe(script.length);
      expect(counters.generatedTokens - counters.discardedTokens).toBe(requests.output.reduce((a, b) => a + b, 0));
    }
  });
});
