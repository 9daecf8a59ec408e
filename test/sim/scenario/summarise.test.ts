import {describe, expect, it} from 'vitest';
import type {CostTerm} from '../../../src/models/cost/cost.js';
import {canonicalJson, fileNumber} from '../../../src/sim/scenario/canonical.js';
import {reportData, timelinesOf} from '../../../src/sim/scenario/report-data.js';
import {summarise} from '../../../src/sim/scenario/summarise.js';
import {requestTable, timelineTable} from '../../../src/sim/scenario/tables.js';
import {costScales, provenance, trust} from '../../../src/sim/scenario/trust.js';
import type {RequestRow} from '../../support/records.js';
import {runRecord, singleServer} from '../../support/records.js';
import {toyPlan, toyScenario} from '../../support/scenarios.js';

const term = (grade: CostTerm['grade'], interval: [number, number] = [0.8, 1.2]): CostTerm => ({
  name: grade,
  grade,
  source: 'test',
  interval,
});
const extras = {command: 'tiercast run toy.yaml', requestsFile: true};

// Three requests of a run of 10 s: TTFT 1, 3 and 2 s; two of five tokens, one cut short by the queue limit.
const rows: RequestRow[] = [
  {arrival: 0, scheduled: 0.5, firstToken: 1, finished: 3, input: 100, output: 5, hit: 0, hitInfinite: 0},
  {arrival: 1, scheduled: 3, firstToken: 4, finished: 8, input: 100, output: 5, hit: 48, hitInfinite: 64, preemptions: 2},
  {arrival: 2, end: 'rejected', reason: 'queue_limit', input: 100, output: 0},
  {arrival: 4, scheduled: 5, firstToken: 6, finished: 10, input: 200, output: 2, hit: 16, hitInfinite: 96},
];

describe('a run of four requests', () => {
  const document = summarise(
    toyScenario({slo: {ttft: 2, tpot: 1.5, e2e: null, attainment: 0.5, session: null, makespan: null, classes: {}}}),
    toyPlan,
    [runRecord(rows)],
    extras,
  );

  it('has latencies of those that finished', () => {
    expect(document.metrics.ttft_s).toMatchObject({n: 3, mean: 2, p50: 2, max: 3});
    // (3 − 1) / 4, (8 − 4) / 4, (10 − 6) / 1
    expect(document.metrics.tpot_s).toMatchObject({n: 3, p50: 1, max: 4});
  });

  it('counts every measured request once', () => {
    expect(document.requests).toEqual({
      arrived: 4,
      measured: 4,
      finished: 3,
      rejected: {queue_limit: 1},
      timed_out: 0,
      failed: {},
      preemptions: 2,
      warmup_requests: 0,
    });
  });

  it('has rates over the time from the first arrival to the last end, 10 s', () => {
    expect(document.throughput).toMatchObject({
      requests_per_s: 0.3,
      output_tokens_per_s: 1.2,
      input_tokens_per_s: 40,
      goodput_requests_per_s: 0.1,
    });
  });

  it('counts the rejected one as missing the goal: 1 of 4', () => {
    // The first meets both, the second misses TTFT, the last TPOT.
    expect(document.slo).toMatchObject({ttft_s: 2, tpot_s: 1.5, e2e_s: null, goal: 0.5, attainment: 0.25, meets: false, classes: {}});
    expect(document.verdict[0]).toEqual({
      code: 'slo_missed',
      text: 'Misses the goal: 25 % of requests within TTFT 2 s and TPOT 1.5 s (goal 50 %).',
    });
  });

  it('has hits as shares of prompt tokens of those that were looked up: 64 and 160 of 400', () => {
    expect(document.hits).toEqual({
      unit: 'tokens in whole blocks',
      by_tier_tokens: {hbm: 64},
      computed_tokens: 336,
      share: {hbm: 0.16, computed: 0.84},
      bounds: {none: 0, belady: null, infinite: 0.4},
      prefix_cache: true,
    });
  });

  it('says what the prefix cache is worth, what bounds it and that memory ran out', () => {
    expect(document.verdict.slice(1).map((sentence) => sentence.text)).toEqual([
      'Bound: HBM bandwidth, 100 % of busy time.',
      'The prefix cache saves computing 16 % of prompt tokens, of 40 % that repeat: room for more would save up to 24 %.',
      'KV memory ran out: running requests were preempted 2 times.',
    ]);
  });

  it('has shares of busy time that add to one', () => {
    expect(Object.values(document.time.bound_share).reduce((a, b) => a + b)).toBe(1);
    expect(Object.values(document.time.by_step).reduce((a, b) => a + b)).toBe(1);
  });

  it('has MFU and MBU of the busy seconds: 1 of 4 GFLOP/s, 1 of 2 GB/s', () => {
    expect(document.throughput.mfu_share).toBeCloseTo(0.25, 12);
    expect(document.throughput.mbu_share).toBeCloseTo(0.5, 12);
  });

  it('warns of the request that was turned away and of too few to know the p95', () => {
    expect(document.warnings.map(({code, path}) => [code, path])).toEqual([
      ['wide_interval', 'run.requests'],
      ['rejected', 'scheduler.queue_limit'],
    ]);
  });

  it('warns when the warm-up swallows every request', () => {
    const scenario = toyScenario({run: {...toyScenario().run, warmup: {kind: 'seconds', value: 1000}}});
    const {warnings} = summarise(scenario, toyPlan, [runRecord(rows)], extras);
    expect(warnings[0]).toEqual({
      code: 'nothing_measured',
      path: 'run.warmup',
      text: 'all 4 requests arrive within the warm-up, so none is measured; a shorter warm-up or a longer run',
    });
  });

  it('prints no cost without a price', () => {
    expect(document.cost).toMatchObject({
      per_hour_usd: null,
      per_million_output_tokens_usd: null,
      per_session_usd: null,
      per_hour: null,
      prices: [],
    });
  });
});

it('a warm-up of one request leaves three, measured from the second arrival', () => {
  const scenario = toyScenario();
  const cut = {...scenario, run: {...scenario.run, warmup: {kind: 'requests', value: 1} as const}};
  const document = summarise(cut, toyPlan, [runRecord(rows)], extras);
  expect(document.requests).toMatchObject({arrived: 4, measured: 3, finished: 2, warmup_requests: 1});
  expect(document.throughput.requests_per_s).toBeCloseTo(2 / 9, 12);
});

it('a replayed trace is measured whole', () => {
  const scenario = toyScenario();
  const slowStart = Array.from({length: 200}, (_, i) => ({arrival: i, scheduled: i, firstToken: i + 1, finished: i + (i < 10 ? 50 : 1)}));
  const auto = {...scenario, run: {...scenario.run, warmup: {kind: 'auto'} as const}};
  const trace = {
    format: 'azure',
    rows: 200,
    times: new Float64Array(0),
    inputs: new Int32Array(0),
    outputs: new Int32Array(0),
    blockSize: 0,
  };
  const replay = {
    ...auto,
    workload: {
      kind: 'replay',
      arrivals: null,
      trace: {
        ...trace,
        offsets: new Int32Array(1),
        ids: new Int32Array(0),
        distinct: 0,
        sessions: null,
        gaps: null,
        kinds: null,
        notes: [],
      },
    } as const,
  };
  expect(summarise(auto, toyPlan, [runRecord(slowStart)], extras).requests.warmup_requests).toBe(10);
  expect(summarise(replay, toyPlan, [runRecord(slowStart)], extras).requests.warmup_requests).toBe(0);
});

it('replications are pooled and their spread gives the intervals', () => {
  const records = [1, 2, 3].map((seed) => singleServer(0.7, 500, seed));
  const document = summarise(toyScenario(), toyPlan, records, extras);
  const [from, to] = document.metrics.e2e_s.ci95.mean!;
  expect(document.replications).toBe(3);
  expect(document.metrics.e2e_s.n).toBe(1500);
  expect((from + to) / 2).toBeCloseTo(document.metrics.e2e_s.mean!, 9);
  expect(document.load.rho).toBeGreaterThan(0.6);
});

it('an overloaded run says so first, with ρ', () => {
  const document = summarise(toyScenario(), toyPlan, [singleServer(1.5, 2000, 1)], extras);
  expect(document.verdict[0].code).toBe('overloaded');
  expect(document.verdict[0].text).toMatch(/^Overloaded: ρ = 1\.[45]\d?, /);
});

it('without goals there is no attainment and no goodput, and the verdict says how to set one', () => {
  const document = summarise(toyScenario(), toyPlan, [runRecord(rows)], extras);
  expect(document.slo).toMatchObject({attainment: null, meets: null});
  expect(document.throughput.goodput_requests_per_s).toBeNull();
  expect(document.verdict[0].code).toBe('no_goal');
});

it('80 % intervals reach from the cheap run to the dear one', () => {
  const stretched = (row: RequestRow, scale: number) => ({
    ...row,
    firstToken: row.arrival + ((row.firstToken ?? Number.NaN) - row.arrival) * scale,
  });
  const at = (scale: number) => [runRecord(rows.map((row) => stretched(row, scale)))];
  const document = summarise(toyScenario(), toyPlan, at(1), {...extras, prediction: {low: at(0.9), high: at(1.2)}});
  expect(document.metrics.ttft_s.interval80.mean![0]).toBeCloseTo(1.8, 9);
  expect(document.metrics.ttft_s.interval80.mean![1]).toBeCloseTo(2.4, 9);
});

it('simulated bounds say what cache and memory are worth in TTFT p95', () => {
  const at = (ttft: number) => [runRecord([{arrival: 0, scheduled: 0, firstToken: ttft, finished: 9}])];
  const document = summarise(toyScenario(), toyPlan, at(2), {...extras, bounds: {none: at(3), infinite: at(1.9)}});
  expect(document.verdict.at(-1)).toEqual({
    code: 'prefix_cache_worth',
    text: 'TTFT p95 would be 3 s without a prefix cache (+50 %) and 1.9 s with endless KV memory (−5 %).',
  });
});

describe('a prefix cache', () => {
  const worth = (change: object, share: Partial<RequestRow>) => {
    const scenario = toyScenario();
    const record = runRecord(rows.map((row) => ({...row, hit: 0, hitInfinite: 0, ...share})));
    const {verdict} = summarise({...scenario, kv: {...scenario.kv, ...change}}, toyPlan, [record], extras);
    return verdict.find(({code}) => code === 'prefix_cache')?.text;
  };
  it.each([
    [{}, {}, 'A prefix cache is worth nothing here: no prompt repeats.'],
    [{prefixCache: false}, {hitInfinite: 50}, 'The prefix cache is off; an infinite one would hold 37.5 % of prompt tokens.'],
    [{}, {hit: 50, hitInfinite: 50}, 'The prefix cache saves computing 37.5 % of prompt tokens, all that repeat.'],
  ])('%o %o: %s', (change, share, text) => expect(worth(change, share)).toBe(text));
});

describe('trust', () => {
  it.each([
    [{measured: 0.5, fitted: 0.45, assumed: 0.05}, 'A'],
    [{fitted: 0.6, assumed: 0.4}, 'B'],
    [{datasheet: 0.6, assumed: 0.4}, 'C'],
    [{fitted: 0.3, datasheet: 0.15, assumed: 0.55}, 'D'],
    [{extrapolated: 1}, 'D'],
  ] as const)('of busy time spent as %o, with narrow intervals, is %s', (shares, grade) => {
    const terms = Object.keys(shares).map((name) => term(name as CostTerm['grade'], [0.9, 1.1]));
    expect(trust(provenance(terms, Object.values(shares)))).toMatchObject({grade});
  });

  it.each([
    [[0.88, 1.12], 'A'],
    [[0.95, 1.13], 'B'],
    [[0.75, 1.05], 'B'],
    [[0.9, 1.41], 'C'],
    [[0.49, 1], 'D'],
  ] as const)('of busy time all measured, with steps within %o of the prediction, is %s', (interval, grade) => {
    expect(trust(provenance([term('measured', [...interval])], [1]))).toMatchObject({grade});
  });

  it('of a run that computed nothing is D', () => {
    expect(trust(provenance([term('measured')], [0]))).toEqual({grade: 'D', text: 'nothing was computed'});
  });

  it('gives its reason', () => {
    expect(trust(provenance([term('fitted'), term('assumed', [0.4, 2])], [3, 1])).text).toBe(
      'of busy time, 75 % fitted, 25 % assumed; 80 % interval of a step −30 % … +40 % (most of it fitted: test)',
    );
  });

  it('weights the cost interval by busy time: ¾ of 0.8 … 1.2 and ¼ of 0.4 … 2', () => {
    const scales = costScales(provenance([term('fitted'), term('assumed', [0.4, 2])], [3, 1]));
    expect(scales.low).toBeCloseTo(0.7, 12);
    expect(scales.high).toBeCloseTo(1.4, 12);
  });
});

describe('files', () => {
  it.each([
    [1 / 3, 0.333333333],
    [123456.123456789, 123456.123],
    [85_521_858_560, 85_521_858_560],
    [0, 0],
  ])('%d is written as %d', (value, written) => expect(fileNumber(value)).toBe(written));

  it('hold no NaN: unknown is null', () => {
    expect(() => canonicalJson({a: {b: Number.NaN}})).toThrow('b is NaN');
    expect(canonicalJson({b: null, a: 1 / 3})).toBe('{\n  "b": null,\n  "a": 0.333333333\n}\n');
  });

  it('the document of a run is canonical and equal for an equal run', () => {
    const text = () => canonicalJson(summarise(toyScenario(), toyPlan, [runRecord(rows)], extras));
    expect(text()).toBe(text());
    expect(text()).toContain('"ttft_s"');
  });

  it('requests.csv has one row a request in order of arrival, and empty where nothing applies', () => {
    const [header, first, , rejected] = [...requestTable(runRecord(rows), {ttft: 2, tpot: null, e2e: null, classes: {}})];
    const named = (row: readonly (string | number)[]) => Object.fromEntries(header.map((name, i) => [name, row[i]]));
    expect(named(first)).toMatchObject({
      request_id: 0,
      arrival_s: 0,
      ttft_s: 1,
      tpot_s: 0.5,
      queue_s: 0.5,
      prefill_s: 0.5,
      decode_s: 2,
      slo_met: 1,
    });
    expect(named(rejected)).toMatchObject({end: 'rejected', reason: 'queue_limit', scheduled_s: '', ttft_s: '', queue_s: '', slo_met: 0});
  });

  it('timeline.csv has the columns of the report, bound shares of the interval', () => {
    const record = runRecord(rows, 4);
    const table = [...timelineTable(timelinesOf(toyPlan, record))];
    expect(table).toHaveLength(5);
    // In the first 2.5 s one runs from 0.5 s on, and one waits until 0.5 s, the next from 1 s: 2 s of each.
    expect(table[1]).toEqual([0, '0', 0.8, 0.8, 0, 0.8, 3200, 0, 0, 0, 0, 0, 0, 0, 0, 0.8, 0, 0, 0]);
  });

  it('the page gets at most report.sample requests, evenly picked', () => {
    const scenario = toyScenario({report: {title: 'toy', panels: null, sample: 10}});
    const record = singleServer(0.5, 100, 1);
    const {sample} = reportData(scenario, toyPlan, [record], summarise(scenario, toyPlan, [record], extras));
    expect(sample.arrival).toHaveLength(10);
    expect(sample.arrival[1]).toBe(record.requests.arrival[10] / 1e9);
  });
});
