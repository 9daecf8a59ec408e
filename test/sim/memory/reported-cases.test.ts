import {describe, expect, it} from 'vitest';
import {factoryOf} from '../../../src/policies/eviction/eviction.js';
import {evictionPolicies} from '../../../src/policies/eviction/index.js';
import type {RoutingPolicy} from '../../../src/policies/routing/policy.js';
import {prefixAffinity} from '../../../src/policies/routing/prefix-affinity.js';
import {arrivalOrder} from '../../../src/policies/scheduling/arrival-order.js';
import type {Job, SchedulingContext, SchedulingFactory} from '../../../src/policies/scheduling/policy.js';
import {breakEven} from '../../../src/sim/scenario/break-even.js';
import {costPerHour} from '../../../src/sim/scenario/cost-figures.js';
import {hierarchyOf} from '../../../src/sim/scenario/hierarchy-of.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import type {KvTier} from '../../../src/sim/scenario/scenario.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {linearCost} from '../../support/linear-cost.js';
import {simulated} from '../../support/replica-config.js';
import {digest} from '../../support/run-checks.js';
import {chat, load} from '../../support/scenario-text.js';
import {type Scripted, ScriptedWorkload} from '../../support/scripted.js';
import {ranTierChats, type TierChats, tierChats} from '../../support/tier-chats.js';
import {hierarchyConfig, type TierShape} from '../../support/tiers.js';

const MS = 1e6;

/** Requests against memories of blocks of 1 MB, 1 ms a computed token; rows in order of arrival. */
function run(shape: TierShape, script: Scripted[], load: 'always' | 'never' | 'cheaper' = 'always', blocks = 8) {
  const record = simulated({kv: {blocks}}, linearCost({token: 0.001}), new ScriptedWorkload(script), {
    below: {hierarchy: hierarchyConfig(shape), load},
  });
  const r = record.requests;
  const order = Array.from({length: r.rows}, (_, i) => i).sort((a, b) => r.id[a] - r.id[b]);
  const rows = order.map((i) => ({
    hit: r.hit[i],
    below: r.hitBelow.map((column) => column[i]),
    computed: r.computed[i],
    ttft: (r.firstToken[i] - r.arrival[i]) / MS,
    load: r.load[i] / MS,
  }));
  return {record, rows, tier: record.tiers[0], end: record.lastEnd / MS};
}

const ask = (at: number, text: string, tokens = 16): Scripted => ({at: at * MS, input: tokens, output: 1, text});

/** Three prompts of 4 blocks in turn, `rounds` times: 12 blocks, of which HBM holds 8. */
const turns = (rounds: number): Scripted[] =>
  Array.from({length: 3 * rounds}, (_, i) => ask(100 * i, ['abcd', 'mnop', 'uvwx'][i % 3]!, 17));

describe('what users of other tools reported', () => {
  it('R37: a DRAM tier that holds a third of what comes again loads what it has and computes the rest, each token once', () => {
    const loaded = (dram: number) => run({dram}, turns(6)).rows.reduce((sum, row) => sum + row.below[0]!, 0);
    const computed = (dram: number) => run({dram}, turns(6)).rows.reduce((sum, row) => sum + row.computed, 0);
    expect([loaded(12), computed(12)]).toEqual([15 * 16, 3 * 17 + 15]);
    expect([loaded(4), computed(4)]).toEqual([0, 18 * 17]);
    const {hits} = ranTierChats(tierChats({hbm: 60, dram: 60, ssd: 0})).document;
    expect(hits.by_tier_tokens['dram']).toBeGreaterThan(0);
    expect(hits.computed_tokens).toBeGreaterThan(0);
    expect(1 - hits.share['computed']!).toBeLessThan(hits.bounds.infinite!);
  });

  it('R39: more hits make TTFT shorter by what is not computed', () => {
    const last = (dram: number) => run({dram}, turns(2)).rows[3]!;
    expect(last(0 + 4)).toMatchObject({below: [0], ttft: 17});
    expect(last(12)).toMatchObject({below: [16]});
    expect(last(12).ttft).toBeCloseTo(1.08, 6);
  });

  it('R40: an inclusive tier copies, and HBM keeps its hits; an exclusive one moves, and the two hold different blocks', () => {
    // Three prompts of 4 blocks in turn: HBM's 8 places and 9 of DRAM hold all of them, and what is on its way down, only if no block lies in both.
    const found = (inclusive: boolean) =>
      run({dram: 9, inclusive, write: {when: 'back'}}, turns(4))
        .rows.slice(3)
        .map((row) => row.hit + row.below[0]!);
    expect(found(false).every((tokens) => tokens === 16)).toBe(true);
    expect(found(true).some((tokens) => tokens < 16)).toBe(true);
    const twice = [ask(0, 'abcd', 17), ask(100, 'abcd', 17)];
    expect(run({dram: 100}, twice).rows[1]).toMatchObject({hit: 16, below: [0]});
  });

  it('R41: the tier is asked whenever HBM has less than the prompt, not only when HBM is full', () => {
    // The second prompt pushed part of the first out of HBM; the third needs 5 of 10 blocks, so room is there without eviction of what it hits.
    const script = [ask(0, 'abcd', 17), ask(100, 'mnopqrst', 33), ask(200, 'abcd', 17)];
    const {rows} = run({dram: 100}, script, 'always', 10);
    expect(rows[2]!.hit + rows[2]!.below[0]!).toBe(16);
    expect(rows[2]!.below[0]).toBeGreaterThan(0);
    expect(rows[2]).toMatchObject({computed: 1});
  });

  it('R42: bytes written and bytes read again are told apart: write-through writes what nobody asks for', () => {
    const once = Array.from({length: 6}, (_, i) => ask(100 * i, `${'abcdef'[i]}klm`));
    expect(run({dram: 100}, once).tier).toMatchObject({writtenBytes: 24e6, readBytes: 0});
    const {tiers} = ranTierChats(tierChats({hbm: 60, dram: 60, ssd: 6000})).document;
    expect(tiers['dram']!.moved_bytes).toEqual({load: tiers['dram']!.reads_bytes, write: tiers['dram']!.writes_bytes});
    expect(tiers['dram']!.writes_bytes).toBeGreaterThan(tiers['dram']!.reads_bytes!);
  });

  it('R43: a tier whose loads take longer than computing makes it slower, `cheaper` does not, and the break-even says so', async () => {
    const slow = {dram: 12, host: 1e8}; // 40 ms against 16
    const end = (load: 'always' | 'never' | 'cheaper') => run(slow, turns(4), load).rows.at(-1)!.ttft;
    expect(end('always')).toBeGreaterThan(end('never'));
    expect(end('cheaper')).toBe(end('never'));
    const scenario = await load({'a.yaml': `${chat}kv: {tiers: {dram: 64 GiB}}\n`}, [
      'hardware.memory.dram=1 TiB',
      'hardware.links.host=1 GB/s',
    ]);
    expect(breakEven(scenario, planMemory(scenario))).toEqual({dram: null});
  });

  it('R44: when a tier does not help, the verdict says why: how far apart uses are, against its size', () => {
    const small = ranTierChats(tierChats({hbm: 60, dram: 60, ssd: 0}));
    const text = small.document.verdict.map((sentence) => sentence.text).join(' ');
    expect(text).toMatch(/It is smaller than what comes again: \d+(\.\d)? % of prompt tokens were asked for after they had left\./);
    const {reuse_bytes: reuse, size_bytes: size} = small.document.tiers['dram']!;
    expect(reuse!.median).toBeGreaterThan(size);
    // A tier as large as the 90th percentile finds most of it.
    const lost = ({document: {hits}}: ReturnType<typeof ranTierChats>) => hits.bounds.infinite! - (1 - hits.share['computed']!);
    const larger = ranTierChats(tierChats({hbm: 60, dram: Math.ceil(reuse!.p90 / 1000), ssd: 0}));
    expect(lost(larger)).toBeLessThan(0.3 * lost(small));
    expect(text).toMatch(/Between two uses of what had left, .* came in the median and .* in nine of ten cases: it holds/);
  });

  it('R46: a disk is staged in DRAM or goes straight to the device: the route says which memories it uses', async () => {
    const text = `${chat}hardware: {device: h100-sxm, memory: {dram: 1 TiB, ssd: nvme-gen4-4tb}}\nkv: {tiers: {ssd: 3 TiB}}\n`.replace(
      'hardware: h100-sxm\n',
      '',
    );
    const through = async (via: string) => {
      const scenario = await load({'a.yaml': text}, [`kv.tiers.ssd.via=${via}`]);
      const {load: up, store} = hierarchyOf(scenario, planMemory(scenario))!.hierarchy.tiers[0]!;
      return [up.through.includes('dram'), store.through.includes('dram')];
    };
    expect(await through('dram')).toEqual([true, true]);
    expect(await through('direct')).toEqual([false, false]);
  });

  it('R48: no hit at all is an anomaly that is named, with its possible causes', () => {
    const warned = (parts: TierChats) => ranTierChats(parts).document.warnings.filter(({code}) => code === 'no_hits');
    const parts = tierChats({hbm: 60, dram: 60, ssd: 0});
    expect(warned(parts)).toEqual([]);
    // Each prompt alone: nothing of it can be found again.
    const workload = {...parts.scenario.workload, turns: {dist: 'constant', value: 1}} as typeof parts.scenario.workload;
    const [warning, ...more] = warned({...parts, scenario: {...parts.scenario, workload}});
    expect(more).toEqual([]);
    expect(warning).toMatchObject({path: 'kv.tiers', text: expect.stringMatching(/kv\.block_size.*start of each prompt.*PYTHONHASHSEED/)});
  });

  it('R49: through the page cache a write ends when DRAM has it; past it, when the disk has', () => {
    const slowDisk = {ssd: 100, disk: 1e8};
    const writers = [ask(0, 'abcd'), ask(20, 'mnop'), {at: 40 * MS, input: 32, output: 1}];
    const waited = (pageCache: number) => run({...slowDisk, pageCache}, writers).rows[2]!.ttft - 32;
    expect(waited(0)).toBeCloseTo(56, 6);
    expect(waited(8)).toBeCloseTo(0, 6);
  });

  it('R50: an SSD is a tier of its own, with its wear', () => {
    const {document, record} = ranTierChats(tierChats({hbm: 60, dram: 0, ssd: 6000}));
    const seconds = (record.lastEnd - record.firstArrival) / 1e9;
    expect(document.hits.by_tier_tokens['ssd']).toBeGreaterThan(0);
    expect(document.tiers['ssd']!.wear_years! / (1e6 / (document.tiers['ssd']!.writes_bytes! / seconds) / (365.25 * 86_400))).toBeCloseTo(
      1,
      9,
    );
  });

  it('R51: a remote memory is bound by its own network, beside the host link', async () => {
    const text =
      `${chat}hardware: {device: h100-sxm, memory: {dram: 1 TiB, remote: 10 TiB}, links: {network: 12.5 GB/s}}\nkv: {tiers: {remote: 5 TiB}}\n`.replace(
        'hardware: h100-sxm\n',
        '',
      );
    const scenario = await load({'a.yaml': text});
    const [remote] = hierarchyOf(scenario, planMemory(scenario))!.hierarchy.tiers;
    expect(remote).toMatchObject({name: 'remote', load: {bandwidth: 12.5e9}, store: {bandwidth: 12.5e9}});
    expect(remote!.load.through).toContain('network.up');
  });

  it('R52: the size of DRAM and of the SSD are keys with a price, so a sweep can weigh them', async () => {
    const text =
      `${chat}hardware: {device: h100-sxm, memory: {dram: 1 TiB, ssd: nvme-gen4-4tb}}\nkv: {tiers: {dram: rest, ssd: rest}}\ncost: {device: 3 USD/hour, dram: 0.002 USD/GiB/hour, ssd: 0.0001 USD/GiB/hour}\n`.replace(
        'hardware: h100-sxm\n',
        '',
      );
    const perHour = async (set: string[]) => {
      const scenario = await load({'a.yaml': text}, set);
      return costPerHour(scenario, planMemory(scenario))!;
    };
    const [one, two] = [await perHour([]), await perHour(['hardware.memory.dram.capacity=2 TiB', 'hardware.memory.ssd.count=2'])];
    expect(one.dram).toBeCloseTo(1024 * 0.002, 9);
    expect(two.dram / one.dram).toBeCloseTo(2, 9);
    expect(two.ssd / one.ssd).toBeCloseTo(2, 9);
  });

  it('R54: priorities decide who leaves, in HBM, DRAM and on the SSD alike, and what leaves one is found in the next', () => {
    // Three shared beginnings of 10 blocks among chats of their own text; HBM, DRAM and SSD are each too small for all.
    const found = (eviction: Pick<KvTier, 'eviction' | 'evictionParams'>) => {
      const {scenario, plan} = tierChats({hbm: 60, dram: 60, ssd: 200}, {write: {when: 'back'}});
      const workload = {
        ...scenario.workload,
        sharedPrefixes: {count: 3, tokens: {dist: 'constant', value: 160}, popularity: {dist: 'uniform'}},
        thinkTime: {dist: 'constant', value: 600},
      } as unknown as typeof scenario.workload;
      const kv = {...scenario.kv, ...eviction, tiers: scenario.kv.tiers.map((tier) => ({...tier, ...eviction}))};
      const record = simulate({...scenario, kv, workload}, plan, {replication: 0, audit: true});
      const {requests: r} = record;
      const firsts = Array.from({length: r.rows}, (_, i) => i).filter((i) => r.turn[i] === 0);
      const shared = firsts.reduce((sum, i) => sum + r.hit[i]! + r.hitBelow.reduce((all, column) => all + column[i]!, 0), 0);
      return {shared: shared / firsts.length, tiers: r.hitBelow.map((column) => column.reduce((a, b) => a + b, 0))};
    };
    const shared = found({eviction: 'priority', evictionParams: {shared: 80, own: 20}});
    const own = found({eviction: 'priority', evictionParams: {shared: 20, own: 80}});
    expect(shared.shared).toBeGreaterThan(150); // of 160: but for the first use of each, they never leave
    expect(own.shared).toBeLessThan(0.8 * shared.shared);
    expect(Math.min(...own.tiers)).toBeGreaterThan(0); // DRAM and the SSD each answered some
  });

  it('R89: a run without work, or in which nobody can go on, ends with an error that says so, and at once', () => {
    const workload = () => new ScriptedWorkload([]);
    expect(() => simulated({}, linearCost({token: 0.001}), workload())).toThrow(
      /^no request arrived before the end of the run: make run\.duration longer/,
    );
    /** Requests wait and nobody is ever named as the next. */
    const nobody: SchedulingFactory = <J extends Job<J>>(context: SchedulingContext<J>) =>
      Object.defineProperty(arrivalOrder<J>(context), 'head', {get: () => null});
    expect(() =>
      simulated({}, linearCost({token: 0.001}), new ScriptedWorkload([ask(0, 'abcd')]), {scheduling: nobody, audit: false}),
    ).toThrow('no progress: 1 requests wait, 0 load and 0 run, but no step can be planned');
  });

  it('R90: eviction by cost keeps what takes longest to compute again, as a run knows it', () => {
    const made = factoryOf('gdsf', evictionPolicies.gdsf)({blocks: 3, capacity: 3, recompute: (block) => [3, 1, 2][block]!});
    for (const block of [0, 1, 2]) {
      made.insert(block);
      made.unpin(block);
    }
    expect(made.victim(-1)).toBe(1); // the cheapest, though used last but one
    // A deep block costs more than a shallow one, for attention looks at all before it: a run tells that.
    const record = (eviction: 'gdsf' | 'lfu-aging') => {
      const {scenario, plan} = tierChats({hbm: 60, dram: 60, ssd: 0});
      const costModel = {kind: 'roofline'} as typeof scenario.costModel;
      return digest(simulate({...scenario, costModel, kv: {...scenario.kv, eviction}}, plan, {replication: 0}));
    };
    expect(record('gdsf')).not.toBe(record('lfu-aging'));
  });

  it('R53: a router remembers as much as its own index has room for, whatever the caches hold', () => {
    // Six conversations of 10 blocks, two at a time, before two replicas whose caches hold all of them; every other round the two of a pair come in the other order.
    const script = Array.from({length: 60}, (_, i): Scripted => {
      const round = Math.floor(i / 6);
      const pair = Math.floor((i % 6) / 2);
      return ask(100 * (3 * round + pair), `${'abcdef'[2 * pair + ((i + round) % 2)]}ghijklmno`, 41);
    });
    const hits = (index: number) => {
      const router: RoutingPolicy = {...prefixAffinity, create: (view) => prefixAffinity.create(view, {index})};
      const {requests} = simulated({kv: {blocks: 200}}, linearCost({token: 0.001}), new ScriptedWorkload(script), {replicas: 2, router});
      return requests.hit.reduce((sum, hit) => sum + hit, 0);
    };
    expect(hits(60)).toBe(54 * 40);
    expect(hits(10)).toBe(48 * 40); // sent to the other replica, where each is computed once more
  });
});
