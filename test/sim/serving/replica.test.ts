import {describe, expect, it} from 'vitest';
import {ends, type RunRecord, reasons} from '../../../src/sim/metrics/record.js';
import {createWorkload} from '../../../src/sim/workload/index.js';
import {linearCost} from '../../support/linear-cost.js';
import {type Overrides, simulated} from '../../support/replica-config.js';
import {type Scripted, ScriptedWorkload} from '../../support/scripted.js';

const MS = 1e6;
/** Every step takes 10 ms. */
const tenMs = linearCost({base: 0.01});

interface Row {
  scheduled: number;
  first: number;
  finished: number;
  hit: number;
  end: string;
  reason: string;
  preemptions: number;
}

/** The requests in order of arrival, times in ms. */
function rows({requests: r}: RunRecord): Row[] {
  const order = Array.from({length: r.rows}, (_, i) => i).sort((a, b) => r.id[a] - r.id[b]);
  return order.map((i) => ({
    scheduled: r.scheduled[i] / MS,
    first: r.firstToken[i] / MS,
    finished: r.finished[i] / MS,
    hit: r.hit[i],
    end: ends[r.end[i]],
    reason: reasons[r.reason[i]],
    preemptions: r.preemptions[i],
  }));
}

function run(overrides: Overrides, script: Scripted[], cost = tenMs): RunRecord {
  return simulated(overrides, cost, new ScriptedWorkload(script));
}

describe('steps', () => {
  it('emits the first token after the prompt and one token a step after it', () => {
    expect(rows(run({}, [{at: 0, input: 5, output: 3}]))).toMatchObject([{scheduled: 0, first: 10, finished: 30}]);
  });

  it('computes a prompt of 10 tokens in three steps of 4', () => {
    expect(rows(run({scheduler: {maxNumBatchedTokens: 4}}, [{at: 0, input: 10, output: 1}]))).toMatchObject([{first: 30, finished: 30}]);
  });

  it('gives decodes their token before prompts share the rest of the budget', () => {
    // Steps: 0-10 a's prompt; 10-20 a + 3 of b; 20-30 a + 3 of b; 30-40 the last 2 of b (a is done at 30).
    const record = run({scheduler: {maxNumBatchedTokens: 4}}, [
      {at: 0, input: 4, output: 3},
      {at: 1 * MS, input: 8, output: 1},
    ]);
    expect(rows(record)).toMatchObject([
      {first: 10, finished: 30},
      {scheduled: 10, first: 40, finished: 40},
    ]);
  });

  it('joins the running batch at a step end, never in the middle of a step', () => {
    const record = run({}, [
      {at: 0, input: 4, output: 4},
      {at: 12 * MS, input: 4, output: 1},
    ]);
    expect(rows(record)[1]).toMatchObject({scheduled: 20, first: 30});
  });

  it('with two steps in flight waits for the rest of the step, all of the next one, and its own', () => {
    // Steps end at 10, 20, 30, 40 … At 12 ms the step 20-30 is planned already: b is in 30-40.
    const record = run({inFlight: 2}, [
      {at: 0, input: 4, output: 6},
      {at: 12 * MS, input: 4, output: 1},
    ]);
    expect(rows(record)[1]).toMatchObject({scheduled: 20, first: 40});
  });

  it('keeps at most max_num_seqs running', () => {
    const script = [0, 0, 0].map((at) => ({at, input: 4, output: 2}));
    expect(rows(run({scheduler: {maxNumSeqs: 2}}, script)).map((row) => row.finished)).toEqual([20, 20, 40]);
  });

  it('starts prompts only every second step when told so', () => {
    const script = [
      {at: 0, input: 4, output: 9},
      {at: 5 * MS, input: 4, output: 1},
    ];
    expect(rows(run({scheduler: {prefillInterval: 2}}, script))[1]).toMatchObject({scheduled: 20, first: 30});
    expect(rows(run({}, script))[1]).toMatchObject({scheduled: 10, first: 20});
  });

  it('caps the chunk of one prompt, so that a short one behind it is not held up', () => {
    const script = [
      {at: 0, input: 12, output: 1},
      {at: 0, input: 4, output: 1},
    ];
    const budget = {maxNumBatchedTokens: 8};
    expect(rows(run({scheduler: {...budget, longPrefillTokenThreshold: 4}}, script))[1].first).toBe(10);
    expect(rows(run({scheduler: budget}, script))[1].first).toBe(20);
  });

  it('adds the time a request spends outside the scheduler before it is queued', () => {
    expect(rows(run({request: 0.003}, [{at: 0, input: 4, output: 1}]))).toMatchObject([{scheduled: 3, first: 13}]);
  });
});

describe('prefix cache', () => {
  it('finds the whole blocks of an earlier prompt, and computes at least one block of a full hit', () => {
    const record = run({}, [
      {at: 0, input: 12, output: 1, text: 'abc'},
      {at: 50 * MS, input: 12, output: 1, text: 'abc'}, // hits end below the last token: 2 blocks
      {at: 100 * MS, input: 13, output: 1, text: 'abc'},
      {at: 150 * MS, input: 13, output: 1, text: 'abX'},
    ]);
    expect(rows(record).map((row) => row.hit)).toEqual([0, 8, 12, 8]);
  });

  it('is shared from the moment a block is scheduled, within one step', () => {
    const record = run({}, [
      {at: 0, input: 9, output: 1, text: 'ab'},
      {at: 0, input: 9, output: 1, text: 'ab'},
    ]);
    expect(rows(record).map((row) => row.hit)).toEqual([0, 8]);
  });

  it('evicts the tail of the chain that ended first, and only when room is needed', () => {
    // 6 blocks. a and b leave 2 + 2 named blocks and 2 empty ones; c takes 3 and evicts one: the tail of a.
    const record = run({kv: {blocks: 6}}, [
      {at: 0, input: 8, output: 1, text: 'ab'},
      {at: 20 * MS, input: 8, output: 1, text: 'xy'},
      {at: 40 * MS, input: 12, output: 1, text: 'pqr'},
      {at: 60 * MS, input: 9, output: 1, text: 'ab'},
      {at: 80 * MS, input: 9, output: 1, text: 'xy'},
    ]);
    expect(rows(record).map((row) => row.hit)).toEqual([0, 0, 0, 4, 0]);
    expect(record.counters.evictions).toBeGreaterThan(0);
  });

  it('does nothing when it is off', () => {
    const script = [0, 50].map((at) => ({at: at * MS, input: 9, output: 1, text: 'ab'}));
    expect(rows(run({kv: {prefixCache: false}}, script)).map((row) => row.hit)).toEqual([0, 0]);
  });

  it('changes the time to first token when hits change', () => {
    const perToken = linearCost({token: 0.001});
    const script = (second: string) => [
      {at: 0, input: 12, output: 1, text: 'abc'},
      {at: 50 * MS, input: 12, output: 1, text: second},
    ];
    const ttft = (second: string) => rows(run({}, script(second), perToken))[1].first - 50;
    expect(ttft('xyz')).toBe(12);
    expect(ttft('ayz')).toBe(8);
    expect(ttft('abz')).toBe(4);
  });
});

describe('blocks run out', () => {
  it('preempts the request admitted last; it starts again and emits what is missing, its first token unchanged', () => {
    // 4 blocks of 4. Both prompts take 2 blocks, no room is left; at 8 computed tokens each needs a third: b must go.
    const record = run({kv: {blocks: 4, prefixCache: false}}, [
      {at: 0, input: 8, output: 5},
      {at: 0, input: 8, output: 5},
    ]);
    const [a, b] = rows(record);
    expect(a).toMatchObject({first: 10, finished: 50, preemptions: 0});
    // b emitted one token, waits for a, computes 8 + 1 tokens in one step, then three more.
    expect(b).toMatchObject({first: 10, finished: 90, preemptions: 1});
    expect(record.counters.generatedTokens - record.counters.discardedTokens).toBe(10);
  });

  it('throws away the token in flight of a victim', () => {
    const record = run({inFlight: 2, kv: {blocks: 4, prefixCache: false}}, [
      {at: 0, input: 7, output: 6},
      {at: 0, input: 7, output: 6},
    ]);
    expect(record.counters.preemptions).toBe(1);
    expect(record.counters.discardedTokens).toBe(1);
    expect(record.counters.generatedTokens - record.counters.discardedTokens).toBe(12);
  });

  it('admits a prompt only when all of it fits, and nobody before it', () => {
    const record = run({kv: {blocks: 5, prefixCache: false}, scheduler: {maxNumBatchedTokens: 8}}, [
      {at: 0, input: 8, output: 2},
      {at: 0, input: 12, output: 1}, // needs 3 blocks; the first one's next token leaves 2: it waits for its end
      {at: 0, input: 4, output: 1}, // fits, but stands behind
    ]);
    expect(rows(record).map((row) => row.scheduled)).toEqual([0, 20, 30]);
  });

  it('without preemption admits a request only when its last token fits too', () => {
    const record = run({kv: {blocks: 4, prefixCache: false}, scheduler: {preemption: 'none'}}, [
      {at: 0, input: 8, output: 5},
      {at: 0, input: 8, output: 5},
    ]);
    expect(record.counters.preemptions).toBe(0);
    expect(rows(record).map((row) => row.scheduled)).toEqual([0, 50]);
  });
});

describe('requests that do not finish', () => {
  it('turns away what exceeds the queue, the context, or all blocks, each with its reason', () => {
    const record = run({scheduler: {maxNumSeqs: 1, queueLimit: 1}, maxModelLen: 100, kv: {blocks: 20}}, [
      {at: 0, input: 4, output: 3},
      {at: 1, input: 4, output: 1},
      {at: 2, input: 4, output: 1},
      {at: 3, input: 100, output: 1},
      {at: 4, input: 80, output: 2},
    ]);
    expect(rows(record).map((row) => [row.end, row.reason])).toEqual([
      ['finished', ''],
      ['finished', ''],
      ['rejected', 'queue_limit'],
      ['rejected', 'too_long'],
      ['failed', 'no_room'],
    ]);
  });

  it('lets a request leave when it has waited too long, but not once it was scheduled', () => {
    const record = run({scheduler: {maxNumSeqs: 1, timeout: 0.015}}, [
      {at: 0, input: 4, output: 3},
      {at: 0, input: 4, output: 1},
      {at: 16 * MS, input: 4, output: 1},
    ]);
    expect(rows(record)).toMatchObject([
      {end: 'finished', finished: 30},
      {end: 'timed-out', reason: 'queue_timeout', finished: 15},
      {end: 'finished', scheduled: 30},
    ]);
  });

  it('stops with a diagnosis when nobody gets in and the next one comes at once', () => {
    const workload = createWorkload(
      {
        kind: 'lengths',
        arrivals: {process: 'closed-loop', sessions: 5},
        inputTokens: {dist: 'constant', value: 8},
        outputTokens: {dist: 'constant', value: 2},
        sharedPrefixes: null,
      },
      {seed: 1, replication: 0, blockSize: 4, limit: {requests: null, sessions: null, duration: 10}},
    );
    expect(() => simulated({scheduler: {queueLimit: 0}}, tenMs, workload)).toThrow(
      /^livelock at 0 s: 1000000 requests came at this one moment/,
    );
  });

  it('refuses a run in which nobody comes', () => {
    expect(() => run({}, [])).toThrow(
      'no request arrived before the end of the run: make run.duration longer, or workload.arrivals.rate higher',
    );
  });

  it('refuses times beyond 2^53 ns, where they are not exact', () => {
    expect(() => run({}, [{at: 2 ** 53, input: 4, output: 1}])).toThrow(/^the run takes more than 104 days of simulated time/);
    const slow = linearCost({base: 2 ** 53 * 1e-9});
    expect(() => run({}, [{at: 0, input: 4, output: 2}], slow)).toThrow(/^the run takes more than 104 days of simulated time/);
  });

  it('cuts an answer at the longest context', () => {
    expect(rows(run({maxModelLen: 10}, [{at: 0, input: 8, output: 50}]))[0].finished).toBe(20);
  });
});
