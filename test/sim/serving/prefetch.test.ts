import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import type {CostModel} from '../../../src/models/cost/cost.js';
import {type PrefetchPolicyName, prefetchPolicies} from '../../../src/policies/prefetch/index.js';
import {defaultsOf} from '../../../src/policies/prefetch/parameters.js';
import {stream} from '../../../src/sim/core/random.js';
import type {RunRecord} from '../../../src/sim/metrics/record.js';
import {createWorkload} from '../../../src/sim/workload/index.js';
import type {Distribution, Workload} from '../../../src/sim/workload/workload.js';
import {linearCost} from '../../support/linear-cost.js';
import {randomTraffic} from '../../support/random-traffic.js';
import {simulated} from '../../support/replica-config.js';
import {type Scripted, ScriptedWorkload} from '../../support/scripted.js';
import {hierarchyConfig, type TierShape} from '../../support/tiers.js';

const MS = 1e6;

/** 100 ms a step, all of them reading 10 GB/s from HBM. */
const heavy: CostModel = {
  ...linearCost({}),
  predict(_batch, into) {
    into.seconds = into.bounds[1] = into.terms[1] = 0.1;
    into.bytes = 1e9;
    into.bounds[0] = into.terms[0] = into.flops = 0;
  },
};

/** A policy with what is written of its parameters. */
function choice(name: PrefetchPolicyName, params: Record<string, number | string> = {}) {
  const policy = prefetchPolicies[name];
  return {policy, params: {...defaultsOf(policy), ...params}};
}

const perToken = linearCost({token: 0.001});

interface Ran {
  readonly first: readonly number[];
  readonly hit: readonly number[];
  readonly below: readonly (readonly number[])[];
  readonly load: readonly number[];
  readonly finished: readonly number[];
  /** MB useful, late and wasted, of all memories. */
  readonly moved: readonly number[];
}

/** Times in ms, by order of arrival. A block is 4 tokens, 1 MB, and 1 ms over a link of 1 GB/s; a token takes 1 ms. */
function ran(
  script: Scripted[],
  prefetch: ReturnType<typeof choice> | null,
  shape: TierShape = {dram: 100, host: 1e9},
  {blocks = 8, seqs = 64, cost = perToken} = {},
): Ran {
  const below = {hierarchy: hierarchyConfig(shape), load: 'always' as const};
  const overrides = {kv: {blocks}, scheduler: {maxNumSeqs: seqs}};
  const {requests: r, tiers} = simulated(overrides, cost, new ScriptedWorkload(script), {below, prefetch});
  const order = Array.from({length: r.rows}, (_, i) => i).sort((a, b) => r.id[a] - r.id[b]);
  const ms = (column: Float64Array) => order.map((i) => Math.round(column[i]) / MS);
  const moved = (['useful', 'late', 'wasted'] as const).map((kind) => tiers.reduce((sum, {prefetched}) => sum + prefetched[kind], 0) / 1e6);
  return {
    first: ms(r.firstToken),
    finished: ms(r.finished),
    load: ms(r.load),
    hit: order.map((i) => r.hit[i]),
    below: order.map((i) => r.hitBelow.map((column) => column[i])),
    moved,
  };
}

describe('session', () => {
  // Session 0 thinks for 84 ms, then comes back; at 101 ms it is expected at 185. Session 1 pushes it out of HBM and ends at 142: its 4 blocks are fetched until 146.
  const before: Scripted[] = [
    {at: 0, input: 16, output: 1, text: 'abcd', session: 0},
    {at: 100 * MS, input: 17, output: 1, text: 'abcd', session: 0},
    {at: 110 * MS, input: 32, output: 1, session: 1},
  ];
  const one = choice('session', {lookahead: 1});
  const back = (at: number): Scripted => ({at: at * MS, input: 17, output: 1, text: 'abcd', session: 0});

  it('has the blocks of the session that is expected next in HBM when it comes', () => {
    const {first, hit, moved} = ran([...before, back(185)], one);
    expect([first[3], hit[3], moved]).toEqual([186, 16, [4, 0, 0]]);
    expect(ran([...before, back(185)], null)).toMatchObject({first: [16, 101, 142, 190], moved: [0, 0, 0]});
  });

  it('fetches whole chunks: of 5 known blocks in chunks of 3, the first 3', () => {
    const script = [
      {...before[0], input: 24, text: 'abcdef'},
      {...before[1], input: 21, text: 'abcdef'},
      before[2],
      {...back(200), input: 21, text: 'abcdef'},
    ];
    expect(ran(script, one, {dram: 100, host: 1e9, chunkBlocks: 3})).toMatchObject({moved: [3, 0, 0]});
  });

  it('is late when the session comes while its fetch is under way: it waits for the rest', () => {
    const {first, load, moved} = ran([...before, back(144)], one);
    expect([first[3], load[3], moved]).toEqual([147, 2, [0, 4, 0]]);
  });

  it('has wasted what leaves before the session comes, and what nobody asks for to the end', () => {
    const other: Scripted = {at: 160 * MS, input: 32, output: 1, session: 2};
    expect(ran([...before, other], one).moved).toEqual([0, 0, 4]);
    expect(ran(before, one).moved).toEqual([0, 0, 4]);
    expect(ran([...before, other, back(250)], one)).toMatchObject({moved: [0, 0, 4]});
  });

  it('gives a session up that has not come for twice its think time', () => {
    // Expected from 101 ms on at 185, and until 269: session 1 ends after that.
    const late = [...before.slice(0, 2), {...before[2], at: 240 * MS}];
    expect(ran(late, one).moved).toEqual([0, 0, 0]);
  });

  it('begins no earlier than its lead, in the middle of a step, which it slows by what it takes of HBM', () => {
    // Steps of 100 ms read 10 GB/s, all of HBM. The session is expected at 2,000 ms; 450 before, a fetch of 4 MB at 1 GB/s begins in a step that would end at 1,600: 4 ms of it take 10 %.
    const script: Scripted[] = [
      before[0],
      {...before[1], at: 1000 * MS},
      {...before[2], at: 1110 * MS},
      {at: 1300 * MS, input: 4, output: 6, session: 2},
      back(2000),
    ];
    const run = (prefetch: ReturnType<typeof choice> | null) => ran(script, prefetch, {dram: 100, host: 1e9, hbm: 10e9}, {cost: heavy});
    expect(run(null)).toMatchObject({finished: [100, 1100, 1210, 1900, 2104]});
    expect(run(choice('session', {lookahead: 1, lead: 0.45}))).toMatchObject({finished: [100, 1100, 1210, 1900.4, 2100], moved: [4, 0, 0]});
  });

  it('takes no place from what is expected sooner, nor from the next request in the queue', () => {
    // Sessions 0 and 1 are expected at 185 and 226. Until 150 ms all 8 places of HBM are being written to DRAM; then session 0 takes 4 of session 1, which gets none of them back.
    const two = ran([...before.slice(0, 2), {...before[2], text: 'ijklmnop'}, back(185)], choice('session', {lookahead: 2}));
    expect([two.first[3], two.moved[0]]).toEqual([186, 4]);
  });

  it('cold: what was fetched is the first to leave', () => {
    // Session 1 leaves 4 blocks and 4 empty places, which the fetch fills. Then one place is needed: that of a block of session 1, used before, or of one that was fetched.
    const next: Scripted[] = [
      ...before.slice(0, 2),
      {...before[2], text: 'ijkl'},
      {at: 150 * MS, input: 4, output: 1, session: 2},
      back(185),
    ];
    expect(ran(next, choice('session', {lookahead: 1, insert: 'used'})).hit[4]).toBe(16);
    expect(ran(next, choice('session', {lookahead: 1, insert: 'cold'}))).toMatchObject({hit: [0, 16, 0, 0, 12], moved: [3, 0, 2]}); // and one of session 1, fetched when it is next, and not used
  });
});

describe('oracle', () => {
  it('fetches the next arrival before it comes', () => {
    // Pushed out by 132 ms; fetched until 136; asked for at 185.
    const script: Scripted[] = [
      {at: 0, input: 16, output: 1, text: 'abcd'},
      {at: 100 * MS, input: 32, output: 1},
      {at: 185 * MS, input: 17, output: 1, text: 'abcd'},
    ];
    expect(ran(script, choice('oracle'))).toMatchObject({first: [16, 132, 186], hit: [0, 0, 16], moved: [4, 0, 0]});
    expect(ran([...script.slice(0, 2), {...script[2], at: 134 * MS}], choice('oracle'))).toMatchObject({
      first: [16, 132, 137],
      moved: [0, 4, 0],
    });
    expect(ran(script.slice(0, 2), choice('oracle')).moved).toEqual([0, 0, 0]);
  });
});

describe('markov', () => {
  it('fetches what most often followed the last document, after what is asked for itself', () => {
    // B followed A once. A again at 300 loads its 4 blocks until 304, then those of B are fetched until 308.
    const [a, b] = ['abcd', 'ijkl'];
    const script: Scripted[] = [
      {at: 0, input: 16, output: 1, text: a},
      {at: 100 * MS, input: 16, output: 1, text: b},
      {at: 200 * MS, input: 40, output: 1, text: ''},
      {at: 300 * MS, input: 17, output: 1, text: a},
      {at: 350 * MS, input: 17, output: 1, text: b},
    ];
    const {first, hit, moved} = ran(script, choice('markov', {lookahead: 1}), undefined, {blocks: 10});
    expect([first.slice(3), hit[4], moved]).toEqual([[305, 351], 16, [4, 0, 0]]);
    expect(
      ran([...script.slice(0, 4), {...script[4], at: 306 * MS}], choice('markov', {lookahead: 1}), undefined, {blocks: 10}),
    ).toMatchObject({
      first: [16, 116, 240, 305, 309],
      moved: [0, 4, 0],
    });
  });
});

describe('queue', () => {
  // a is pushed out of HBM (8 places) and DRAM (12); 4 blocks come from the SSD in 4 ms. d runs until 302 ms, one request at a time; a comes again at 300.
  const shape: TierShape = {dram: 12, ssd: 100, disk: 1e9};
  const before: Scripted[] = [
    {at: 0, input: 16, output: 1, text: 'abcd'},
    {at: 100 * MS, input: 32, output: 1, text: 'ijklmnop'},
    {at: 200 * MS, input: 32, output: 1, text: 'qrstuvwx'},
    {at: 290 * MS, input: 12, output: 1},
    {at: 300 * MS, input: 17, output: 1, text: 'abcd'},
  ];
  const run = (params: Record<string, number | string>, script = before) =>
    ran(script, choice('queue', {threshold: 4, ...params}), shape, {seqs: 1});
  const ofA = ({first, below, moved}: Ran) => [first[4], below[4], moved];

  it('best-effort: stops when the request can run, uses what has come and computes the rest', () => {
    expect(ofA(run({}))).toEqual([302 + 0.04 + 9, [8, 0], [2, 0, 0]]);
    expect(ofA(run({rest: 'load'}))).toEqual([302 + 2 + 1, [8, 8], [2, 0, 0]]);
  });

  it('wait-complete: the request waits until all has come; nobody else would have run, so it is late', () => {
    expect(ofA(run({stop: 'wait-complete'}))).toEqual([304 + 0.08 + 1, [16, 0], [4, 0, 0]]);
  });

  it('timeout: it waits for the base and so much a 1,024 tokens, no longer', () => {
    expect(ofA(run({stop: 'timeout', timeout_base: 0.003, timeout_per_ki_token: 1e-9}))).toEqual([303 + 0.06 + 5, [12, 0], [3, 0, 0]]);
    expect(ofA(run({stop: 'timeout', timeout_base: 0.001, timeout_per_ki_token: (0.002 * 1024) / 17}))).toEqual([
      303 + 0.06 + 5,
      [12, 0],
      [3, 0, 0],
    ]);
  });

  it('comes from every memory beyond, each on its own way, and the request waits for the last of them', () => {
    // The page cache has 2 of the 4 blocks when a comes again, and copies them in 2 × 0.02 ms; the SSD has all, and gives the other 2 in 4 ms, until 304.
    const cached = {...shape, pageCache: 18, disk: 0.5e9};
    const mixed = ran(before, choice('queue', {threshold: 4, stop: 'wait-complete'}), cached, {seqs: 1});
    expect([mixed.below[4], mixed.moved]).toEqual([
      [16, 0, 0],
      [4, 0, 0],
    ]);
  });

  it('fetches whole chunks: of the 5 blocks that are asked for, in chunks of 3, the first 3, though 6 are there', () => {
    const script = [{...before[0], input: 24, text: 'abcdef'}, ...before.slice(1, 4), {...before[4], input: 21, text: 'abcdef'}];
    const chunks = ran(script, choice('queue', {threshold: 4, stop: 'wait-complete'}), {...shape, chunkBlocks: 3}, {seqs: 1});
    expect(ofA(chunks).slice(1)).toEqual([
      [12, 0],
      [3, 0, 0],
    ]);
  });

  it('does not push out what the nearest memory has of the prompt itself', () => {
    // a is read again at 50 ms, so its tail leaves DRAM first: 2 blocks of 12 are left of it, the oldest there. They are touched when a comes again, and what is fetched takes the places of others.
    const script: Scripted[] = [
      {at: 0, input: 16, output: 1, text: 'abcd'},
      {at: 50 * MS, input: 17, output: 1, text: 'abcd'},
      {at: 100 * MS, input: 32, output: 1, text: 'ijklmnop'},
      {at: 200 * MS, input: 8, output: 1, text: 'qr'},
      {at: 290 * MS, input: 12, output: 1},
      {at: 300 * MS, input: 17, output: 1, text: 'abcd'},
    ];
    const {below, moved} = run({stop: 'wait-complete'}, script);
    expect([below[5], moved]).toEqual([
      [16, 0],
      [2, 0, 0],
    ]);
  });

  it('does not begin below the threshold, beyond the capacity, or when nothing lies beyond', () => {
    const nothing = [302 + 17, [0, 0], [0, 0, 0]];
    expect(ofA(run({threshold: 17}))).toEqual(nothing); // 17 are missing, 16 are found
    expect(ofA(run({capacity: 0}))).toEqual(nothing);
    expect(ofA(ran(before, choice('queue', {threshold: 4}), {dram: 12}, {seqs: 1}))).toEqual([319, [0], [0, 0, 0]]);
  });
});

/** Sessions that think between their turns, on a coarse grid or not. */
function conversations(seed: number): Workload {
  const random = stream(seed, 'test/prefetch');
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const between = (min: number, max: number): Distribution => ({dist: 'uniform', min, max});
  const thinks: Distribution[] = [
    {dist: 'constant', value: whole(0, 60) / 1000},
    {dist: 'lognormal', mean: 0.02 + 0.1 * random(), cv: 0.3},
    {dist: 'exponential', mean: 0.05},
  ];
  const thinkTime = thinks[whole(0, 2)];
  const sharedPrefixes = random() < 0.4 ? ({count: 3, tokens: between(1, 12), popularity: {dist: 'uniform'}} as const) : null;
  const arrivals =
    random() < 0.5
      ? ({process: 'constant', rate: whole(5, 200), of: 'session'} as const)
      : ({process: 'closed-loop', sessions: whole(2, 20)} as const);
  const limit = {requests: whole(40, 120), sessions: null, duration: null};
  const options = {seed, replication: 0, blockSize: 4, limit};
  if (random() < 0.25)
    return createWorkload(
      {
        kind: 'document-qa',
        arrivals,
        documents: {count: whole(2, 10), tokens: between(8, 40), popularity: {dist: 'zipf', s: 0.8}},
        questions: between(1, 3),
        questionTokens: between(1, 8),
        outputTokens: between(1, 8),
        thinkTime,
      },
      options,
    );
  return createWorkload(
    {kind: 'chat', arrivals, turns: between(2, 6), thinkTime, userTokens: between(1, 12), outputTokens: between(1, 8), sharedPrefixes},
    options,
  );
}

function shapeOf(seed: number): TierShape {
  const random = stream(seed, 'test/prefetch/tiers');
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const write = (
    [
      {when: 'through', generated: seed % 2 === 0},
      {when: 'back'},
      {when: 'selective', afterTouches: 2, counts: (['hits', 'lookups', 'stay'] as const)[(seed % 4) % 3], generated: true},
    ] as const
  )[seed % 3];
  return {
    dram: whole(4, random() < 0.4 ? 60 : 160),
    ssd: random() < 0.8 ? whole(60, 400) : 0,
    write,
    inclusive: write.when !== 'back' || random() < 0.5,
    host: 10 ** (8 + 2 * random()),
    disk: 10 ** (7.5 + 2 * random()),
    latency: whole(0, 1) * 50_000,
    hbm: 1e10,
    ahead: whole(0, 1) * whole(1, 8),
    layers: random() < 0.6 ? 1 : whole(2, 6),
    pageCache: random() < 0.2 ? whole(4, 20) : 0,
    chunkBlocks: write.when === 'back' || random() < 0.6 ? 1 : whole(2, 4),
  };
}

function randomChoice(seed: number) {
  const random = stream(seed, 'test/prefetch/policy');
  const pick = <T>(...from: T[]): T => from[Math.floor(random() * from.length)];
  const names = Object.keys(prefetchPolicies).filter((name) => name !== 'none') as PrefetchPolicyName[];
  const name = names[seed % names.length];
  if (name === 'queue')
    return choice(name, {
      threshold: pick(4, 12),
      capacity: pick(0.2, 1),
      stop: pick('best-effort', 'wait-complete', 'timeout'),
      timeout_base: 0.002,
      timeout_per_ki_token: 0.1,
      rest: pick('compute', 'load'),
    });
  const common = {lookahead: pick(1, 2, 8), to: pick('hbm', 'hbm', 'near'), insert: pick('used', 'cold')};
  if (name === 'session') return choice(name, {...common, think: pick('mean', 'ewma'), lead: pick(0.02, 1e6)});
  return choice(name, name === 'oracle' ? {...common, lead: pick(0.02, 1e6)} : common);
}

/** The nearest memory that replicas may share: not the one that is fetched into. */
function sharedBeside(seed: number, to: number | string | undefined): NonNullable<TierShape['shared']> {
  return to === 'hbm' ? 'dram' : (shapeOf(seed).pageCache ?? 0) > 0 ? 'page-cache' : 'ssd';
}

function digest(record: RunRecord): string {
  const text = JSON.stringify(record, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value as Float64Array, String) : value));
  return createHash('sha256').update(text).digest('hex');
}

describe('random sessions with prefetches', () => {
  it('give the same bytes with fast-forward on and off, and the books balance', () => {
    const sums = {useful: 0, late: 0, wasted: 0};
    for (let seed = 0; seed < 200; seed++) {
      const {overrides, cost} = randomTraffic(seed);
      const replicas = seed % 5 < 2 ? 2 : 1;
      const prefetch = randomChoice(seed);
      const publishes = (['plan', 'step', 'end'] as const)[(seed % 7) % 3];
      const tight = {...overrides, kv: {...overrides.kv, blocks: 30 + (seed % 40), prefixCache: true, publishes}, maxModelLen: 100};
      const options = {
        below: {
          hierarchy: hierarchyConfig({...shapeOf(seed), shared: seed % 5 === 1 ? sharedBeside(seed, prefetch.params['to']) : null}),
          load: (['always', 'cheaper', 'always'] as const)[seed % 3],
        },
        prefetch,
        replicas,
        router: 'session-affinity' as const,
      };
      const on = simulated(tight, cost, conversations(seed), options);
      const off = simulated(tight, cost, conversations(seed), {...options, fastForward: false});
      expect(digest(on), `seed ${seed}`).toBe(digest(off));
      expect(
        [...on.requests.end].every((end) => end === 0),
        `seed ${seed}`,
      ).toBe(true);
      for (let i = 0; i < on.requests.rows; i++) {
        const below = on.requests.hitBelow.reduce((sum, column) => sum + column[i], 0);
        if (on.requests.preemptions[i] === 0) expect(on.requests.hit[i] + below + on.requests.computed[i]).toBe(on.requests.input[i]);
      }
      for (const {prefetched, readBytes} of on.tiers) {
        sums.useful += prefetched.useful;
        sums.late += prefetched.late;
        sums.wasted += prefetched.wasted;
        expect(prefetched.useful + prefetched.late + prefetched.wasted).toBeLessThanOrEqual(readBytes);
      }
    }
    expect(Math.min(sums.useful, sums.late, sums.wasted) / 1e6).toBeGreaterThan(50);
  }, 300_000);
});
