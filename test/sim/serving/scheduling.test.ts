import {describe, expect, it} from 'vitest';
import {admissionPolicies} from '../../../src/policies/admission/index.js';
import {type SchedulingPolicyName, schedulingPolicies} from '../../../src/policies/scheduling/index.js';
import type {Scheduling, SchedulingFactory} from '../../../src/policies/scheduling/policy.js';
import {type Random, stream} from '../../../src/sim/core/random.js';
import {linearCost} from '../../support/linear-cost.js';
import {naiveEngine} from '../../support/naive-engine.js';
import {byClass, byRank, fcfs, feedbackQueues, longestPrefix, type MakeOrder} from '../../support/naive-orders.js';
import {randomTraffic} from '../../support/random-traffic.js';
import {type Overrides, replicaConfig, simulated} from '../../support/replica-config.js';
import {arrivalsOf, conserved, digest, naiveRows} from '../../support/run-checks.js';
import {type Scripted, ScriptedWorkload} from '../../support/scripted.js';

/** What each policy is made with here, and the same order written the slow and obvious way. */
const cases: Record<SchedulingPolicyName, {chosen?: object; order: MakeOrder; scheduler?: Overrides['scheduler']}> = {
  fcfs: {order: fcfs},
  priority: {order: byClass()},
  sjf: {chosen: {by: 'total', error: 0}, order: byRank(({arrival}) => arrival.input + arrival.output)},
  lpm: {order: longestPrefix},
  'prefill-first': {order: fcfs, scheduler: {steps: 'prefill-first'}},
  'decode-first': {order: fcfs, scheduler: {promptsPerStep: 1}},
  mlfq: {
    chosen: {quantum: 3, levels: 4, starvation: 0.2},
    order: feedbackQueues({quantum: 3, levels: 4, starvation: 2e8}),
  },
};

function factory(name: SchedulingPolicyName, chosen: object | undefined = cases[name].chosen): SchedulingFactory {
  const entry: Scheduling = schedulingPolicies[name];
  return entry.create({...chosen}, stream(1, 'scheduler'));
}

const batchings = ['continuous', 'static', 'request'] as const;
const SEEDS = Array.from({length: 25}, (_, i) => i);

/** Random traffic of three classes for a random engine: with retraction, whole prompts, blocks that are shared late. */
function traffic(seed: number, name: SchedulingPolicyName, batching: (typeof batchings)[number]) {
  const {overrides, cost, script} = randomTraffic(seed);
  const random = stream(seed, 'test/scheduling');
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)];
  const steps = {steps: pick(['mixed', 'mixed', 'prefill-first'] as const)};
  const rest = {preemption: pick(['recompute', 'recompute', 'retract'] as const), batching};
  return {
    overrides: {
      ...overrides,
      kv: {...overrides.kv, publishes: pick(['plan', 'step', 'end'] as const)},
      scheduler: {...overrides.scheduler, ...steps, ...rest, ...cases[name].scheduler},
    } satisfies Overrides,
    cost,
    script: script.map((request) => ({...request, class: Math.floor(random() * 3)})),
    random,
  };
}

describe.each(Object.keys(schedulingPolicies) as SchedulingPolicyName[])('%s', (name) => {
  it.each(batchings)('with %s batching equals a slow engine of plain lists, request by request', (batching) => {
    let preemptions = 0;
    for (const seed of SEEDS) {
      const {overrides, cost, script} = traffic(seed, name, batching);
      const record = simulated(overrides, cost, new ScriptedWorkload(script), {scheduling: factory(name)});
      const expected = naiveEngine(replicaConfig(overrides), cost, arrivalsOf(new ScriptedWorkload(script)), cases[name].order);
      expect(naiveRows(record), `seed ${seed}`).toEqual(expected.map(({tokens: _, ...row}) => row));
      preemptions += record.counters.preemptions;
    }
    if (batching === 'continuous') expect(preemptions).toBeGreaterThan(30);
  });

  it.each(batchings)(
    'with %s batching ends every request, keeps the books, and gives the same bytes with fast-forward on and off',
    (batching) => {
      for (const seed of SEEDS) {
        const {overrides, cost, script, random} = traffic(seed, name, batching);
        const varied = {...overrides, scheduler: {...overrides.scheduler, ...variant(random)}};
        const parts = {scheduling: factory(name), admission: admissionPolicies['kv-pressure'].create(0.5 + random() / 2)};
        const on = simulated(varied, cost, new ScriptedWorkload(script), parts);
        const off = simulated(varied, cost, new ScriptedWorkload(script), {...parts, fastForward: false});
        expect(digest(on), `seed ${seed}`).toBe(digest(off));
        conserved(on, script);
      }
    },
  );

  it('never computes more tokens in a step than its budget, nor more sequences than allowed', () => {
    for (const seed of SEEDS) {
      const {overrides, cost, script} = traffic(seed, name, 'continuous');
      const {maxNumBatchedTokens, maxNumSeqs} = overrides.scheduler;
      let most = 0;
      const watching = {
        ...cost,
        predict: (...[sums, into]: Parameters<typeof cost.predict>) => {
          if (sums.emitting > 0 || sums.chunks > 0) most = Math.max(most, sums.decodes + sums.chunkTokens);
          cost.predict(sums, into);
        },
      };
      const record = simulated(overrides, watching, new ScriptedWorkload(script), {scheduling: factory(name)});
      if (name !== 'mlfq') expect(most).toBeLessThanOrEqual(maxNumBatchedTokens!); // mlfq asks what whole prompts would take
      expect(record.counters.maxRunning).toBeLessThanOrEqual(maxNumSeqs!);
    }
  });
});

/** Rules that the slow engine does not know. */
function variant(random: Random): Overrides['scheduler'] {
  const variants: Overrides['scheduler'][] = [{}, {longPrefillTokenThreshold: 3}, {prefillInterval: 3}, {preemption: 'none'}];
  return variants[Math.floor(random() * variants.length)];
}

const MS = 1e6;
/** Every step takes 10 ms. */
const tenMs = linearCost({base: 0.01});

/** First token and end of each request in ms, in order of arrival. */
function timeline(name: SchedulingPolicyName, overrides: Overrides, script: Scripted[], chosen?: object, cost = tenMs): [number, number][] {
  const record = simulated(
    {...overrides, scheduler: {...cases[name].scheduler, ...overrides.scheduler}},
    cost,
    new ScriptedWorkload(script),
    {
      scheduling: factory(name, chosen),
    },
  );
  return naiveRows(record).map(({first, finished}) => [first / MS, finished / MS]);
}

describe('worked by hand, with steps of 10 ms', () => {
  const one = {scheduler: {maxNumSeqs: 1}};
  const three: Scripted[] = [
    {at: 0, input: 4, output: 2},
    {at: 1, input: 12, output: 3, class: 2},
    {at: 2, input: 4, output: 1, class: 1},
  ];

  it('fcfs: a 0-20, b 20-50, c 50-60', () => {
    expect(timeline('fcfs', one, three)).toEqual([
      [10, 20],
      [30, 50],
      [60, 60],
    ]);
  });

  it('sjf: a runs when the others come; c is shorter than b', () => {
    expect(timeline('sjf', one, three)).toEqual([
      [10, 20],
      [40, 60],
      [30, 30],
    ]);
  });

  it('sjf by output or by input looks at nothing else', () => {
    const script = [three[0], {at: 1, input: 12, output: 1}, {at: 2, input: 4, output: 3}];
    expect(timeline('sjf', one, script, {by: 'output', error: 0}).map(([first]) => first)).toEqual([10, 30, 40]);
    expect(timeline('sjf', one, script, {by: 'input', error: 0}).map(([first]) => first)).toEqual([10, 60, 30]);
  });

  it('priority: the order of classes, not of arrival; classes that are not named come last', () => {
    expect(timeline('priority', one, three, {order: ['c', 'b']})[1]).toEqual([30, 50]);
    expect(timeline('priority', one, three, {order: ['b']})).toEqual([
      [10, 20],
      [40, 60],
      [30, 30],
    ]);
  });

  it('priority: the least urgent gives its blocks up, though it was admitted first', () => {
    // 4 blocks of 4: both prompts take 2, and after 8 tokens each needs a third.
    const script = [
      {at: 0, input: 8, output: 5, class: 1},
      {at: 0, input: 8, output: 5, class: 0},
    ];
    const blocks = {kv: {blocks: 4, prefixCache: false}};
    // The urgent one runs 0-50. The other has one token, waits, computes 8 + 1 tokens 50-60 and three more by 90.
    expect(timeline('priority', blocks, script)).toEqual([
      [10, 90],
      [10, 50],
    ]);
    expect(timeline('fcfs', blocks, script)).toEqual([
      [10, 50],
      [10, 90],
    ]);
  });

  it('lpm: who shares the cached prefix goes first', () => {
    const script = [
      {at: 0, input: 8, output: 2, text: 'ab'},
      {at: 1, input: 9, output: 1, text: 'xy'},
      {at: 2, input: 9, output: 1, text: 'ab'},
    ];
    expect(timeline('lpm', one, script)).toEqual([
      [10, 20],
      [40, 40],
      [30, 30],
    ]);
    expect(timeline('fcfs', one, script)).toEqual([
      [10, 20],
      [30, 30],
      [40, 40],
    ]);
  });

  it('lpm: who loses its cached prefix while a decode grows loses its turn at the next step, also with steps run ahead', () => {
    // 12 blocks of 4. `a` (1 block) and `wxyz` (4) are cached when d begins at 40 ms. At 100 ms b and c come: c shares `a`, so it is first, and needs 11 blocks while d holds 3.
    // d takes its 8th block at 290 ms: `a` leaves. At 300 ms c has no prefix any more, b is first by arrival, and runs 300-310. c waits until d has ended: 40 + 40 · 10 ms.
    const script = [
      {at: 0, input: 5, output: 1, text: 'a'},
      {at: 20 * MS, input: 17, output: 1, text: 'wxyz'},
      {at: 40 * MS, input: 4, output: 40},
      {at: 100 * MS, input: 4, output: 1},
      {at: 100 * MS, input: 44, output: 1, text: 'a'},
    ];
    const ends = (fastForward: boolean) =>
      naiveRows(simulated({kv: {blocks: 12}}, tenMs, new ScriptedWorkload(script), {scheduling: factory('lpm'), fastForward})).map(
        ({finished}) => finished / MS,
      );
    expect(ends(false)).toEqual([10, 30, 440, 310, 450]);
    expect(ends(true)).toEqual(ends(false));
  });

  it('lpm: with more than 128 waiting it is first come, first served', () => {
    const queue = (n: number): Scripted[] => [
      {at: 0, input: 8, output: 2, text: 'ab'},
      ...Array.from({length: n - 1}, () => ({at: 1, input: 9, output: 1, text: 'xy'})),
      {at: 2, input: 9, output: 1, text: 'ab'},
    ];
    expect(timeline('lpm', one, queue(128))[128]).toEqual([30, 30]);
    expect(timeline('lpm', one, queue(129))[1]).toEqual([30, 30]);
  });

  // One request decodes when a prompt of 8 tokens comes; 4 tokens fit into a step.
  const late: Scripted[] = [
    {at: 0, input: 4, output: 4},
    {at: 1, input: 8, output: 1},
  ];
  const four = {scheduler: {maxNumBatchedTokens: 4}};

  it('prefill-first: the prompt takes two whole steps, and the decode stalls for 20 ms', () => {
    expect(timeline('prefill-first', four, late)).toEqual([
      [10, 60],
      [30, 30],
    ]);
  });

  it('fcfs and decode-first: the decode goes on, and the prompt gets three tokens a step', () => {
    expect(timeline('fcfs', four, late)).toEqual([
      [10, 40],
      [40, 40],
    ]);
    expect(timeline('decode-first', four, late)).toEqual([
      [10, 40],
      [40, 40],
    ]);
  });

  it('decode-first: one prompt a step, however small', () => {
    const script = [0, 0, 0].map((at) => ({at, input: 2, output: 1}));
    expect(timeline('decode-first', {}, script)).toEqual([
      [10, 10],
      [20, 20],
      [30, 30],
    ]);
    expect(timeline('fcfs', {}, script)).toEqual([
      [10, 10],
      [10, 10],
      [10, 10],
    ]);
  });

  it('mlfq: who has used its quantum of two steps up gives way to a newcomer, and goes on when that has sunk as deep', () => {
    // a: 0-20 two tokens, in its second queue from then on. b comes at 15: 20-30, 30-40 in the first queue, and ends. a computes 4 + 2 tokens 40-50, the third token, and the fourth 50-60.
    const script = [
      {at: 0, input: 4, output: 4},
      {at: 15 * MS, input: 4, output: 2},
    ];
    const rules = {quantum: 2, levels: 3, starvation: 10};
    expect(timeline('mlfq', {...one, kv: {prefixCache: false}}, script, rules)).toEqual([
      [10, 60],
      [30, 40],
    ]);
    expect(timeline('fcfs', one, script)).toEqual([
      [10, 40],
      [50, 60],
    ]);
  });

  it('mlfq: a long prompt skips the queues that it would use up, and waits behind a short one that came later', () => {
    // 10 ms a step and 1 ms a token: a prompt of 40 takes 50/11 = 4.5 steps, more than the 2 of the first queue and the 4 of the second.
    const cost = linearCost({base: 0.01, token: 0.001});
    const script = [
      {at: 0, input: 4, output: 2},
      {at: 1, input: 40, output: 1},
      {at: 2, input: 4, output: 1},
    ];
    const firsts = timeline('mlfq', one, script, {quantum: 2, levels: 3, starvation: 10}, cost).map(([first]) => first);
    expect(firsts).toEqual([14, 14 + 11 + 14 + 50, 14 + 11 + 14]);
  });

  it('mlfq: who has waited too long comes to the first queue', () => {
    // The long prompt b would wait for all of the short ones that come every 14 ms; after 30 ms it is in the first queue, behind c, which was there before.
    const cost = linearCost({base: 0.01, token: 0.001});
    const short = Array.from({length: 8}, (_, i) => ({at: i * 14 * MS, input: 4, output: 1}));
    const script = [short[0], {at: 1, input: 40, output: 1}, ...short.slice(1)];
    const first = (starvation: number) => timeline('mlfq', one, script, {quantum: 2, levels: 3, starvation}, cost)[1][0];
    expect(first(10)).toBe(8 * 14 + 50);
    expect(first(0.03)).toBe(3 * 14 + 14 + 50);
  });

  it('static batching: who comes later waits for the last of the batch', () => {
    const script = [
      {at: 0, input: 4, output: 2},
      {at: 0, input: 4, output: 4},
      {at: 1, input: 4, output: 1},
    ];
    expect(timeline('fcfs', {scheduler: {batching: 'static'}}, script)).toEqual([
      [10, 20],
      [10, 40],
      [50, 50],
    ]);
    expect(timeline('fcfs', {}, script)).toEqual([
      [10, 20],
      [10, 40],
      [20, 20],
    ]);
  });

  it('a static batch whose prompts take several steps is still one batch', () => {
    const script = [0, 0, 5 * MS].map((at) => ({at, input: 4, output: 3}));
    // Prompts end at 10 and 20, so the batch ends at 50, although a ends at 40 and there is room.
    const scheduler = {batching: 'static', maxNumBatchedTokens: 4} as const;
    expect(timeline('fcfs', {scheduler}, script).map(([first]) => first)).toEqual([10, 30, 60]);
  });

  it('request batching: one at a time', () => {
    const script = [0, 0].map((at) => ({at, input: 4, output: 2}));
    expect(timeline('fcfs', {scheduler: {batching: 'request'}}, script)).toEqual([
      [10, 20],
      [30, 40],
    ]);
  });

  it('retraction: who generated least goes, the longest prompt among equals, to the end of the queue, its blocks dropped', () => {
    // 5 blocks of 4: a and b have 2 each; when a needs its third at 10 ms and b too, one is free. b generated as much and is longer: it goes. c, which came later, is before it.
    const script = [
      {at: 0, input: 7, output: 5, text: 'ab'},
      {at: 0, input: 8, output: 5, text: 'xy'},
      {at: 1, input: 8, output: 1},
    ];
    const scheduled = (preemption: 'recompute' | 'retract') =>
      simulated({kv: {blocks: 4}, scheduler: {preemption}}, tenMs, new ScriptedWorkload(script));
    const retracted = scheduled('retract');
    const rows = naiveRows(retracted);
    expect(rows.map(({preemptions}) => preemptions)).toEqual([0, 1, 0]);
    expect(rows[2].finished).toBeLessThan(rows[1].finished);
    expect(naiveRows(scheduled('recompute'))[2].finished).toBeGreaterThanOrEqual(rows[2].finished);
  });

  it('kv-pressure keeps blocks free, but admits whoever finds the engine empty', () => {
    const script = [0, 0].map((at) => ({at, input: 16, output: 1}));
    const run = (share: number) =>
      naiveRows(
        simulated({kv: {blocks: 10}}, tenMs, new ScriptedWorkload(script), {admission: admissionPolicies['kv-pressure'].create(share)}),
      ).map(({finished}) => finished / MS);
    expect(run(0.8)).toEqual([10, 10]); // 8 of 10 blocks
    expect(run(0.7)).toEqual([10, 20]);
    expect(run(0.1)).toEqual([10, 20]);
  });

  it('blocks that are shared after the step are missed by who is planned with it', () => {
    const script = [0, 0].map((at) => ({at, input: 9, output: 1, text: 'ab'}));
    const hits = (publishes: 'plan' | 'step') =>
      naiveRows(simulated({kv: {publishes}}, tenMs, new ScriptedWorkload(script))).map(({hit}) => hit);
    expect(hits('plan')).toEqual([0, 8]);
    expect(hits('step')).toEqual([0, 0]);
  });

  it('slots: a prompt is taken over by one request after its own has ended, generated tokens with it', () => {
    const script = [
      {at: 0, input: 9, output: 4, text: 'abc'},
      {at: 5 * MS, input: 9, output: 1, text: 'ab'}, // the first one still runs
      {at: 100 * MS, input: 13, output: 1, text: 'abc'}, // the third block was generated
      {at: 100 * MS, input: 13, output: 1, text: 'abc'}, // the one before has taken over what there was
      {at: 200 * MS, input: 13, output: 1, text: 'abc'},
    ];
    const hits = naiveRows(simulated({kv: {publishes: 'end'}}, tenMs, new ScriptedWorkload(script))).map(({hit}) => hit);
    expect(hits).toEqual([0, 0, 12, 0, 12]);
  });
});
