import {describe, expect, it} from 'vitest';
import {measured} from '../../../src/sim/metrics/measured.js';
import {sessionSeries} from '../../../src/sim/metrics/sessions.js';
import type {Slo} from '../../../src/sim/scenario/scenario.js';
import {sloOf} from '../../../src/sim/scenario/slo-figures.js';
import {summarise} from '../../../src/sim/scenario/summarise.js';
import {requestTable} from '../../../src/sim/scenario/tables.js';
import {type RequestRow, runRecord} from '../../support/records.js';
import {load, refusal} from '../../support/scenario-text.js';
import {toyPlan, toyScenario} from '../../support/scenarios.js';

const none: Slo = {ttft: null, tpot: null, e2e: null, attainment: 0.5, session: null, makespan: null, classes: {}};

// TTFT of chat: 1 and 3 s; of bulk: 9 s and rejected.
const rows: RequestRow[] = [
  {arrival: 0, scheduled: 0, firstToken: 1, finished: 2, class: 'chat'},
  {arrival: 1, scheduled: 1, firstToken: 10, finished: 10, class: 'bulk'},
  {arrival: 2, scheduled: 4, firstToken: 5, finished: 6, class: 'chat'},
  {arrival: 3, end: 'rejected', reason: 'queue_limit', class: 'bulk'},
];

function judged(slo: Partial<Slo>) {
  return sloOf(toyScenario({slo: {...none, ...slo}}), [measured(runRecord(rows).requests, {kind: 'none'})], [{makespanSeconds: 10}]);
}

describe('goals by class', () => {
  it('judge each request by the goals of its class, the others by those of all', () => {
    const slo = judged({ttft: 2, classes: {bulk: {ttft: 10, tpot: null, e2e: null, attainment: 0.4}}});
    // Chat: 1 of 2 within 2 s. Bulk: 1 of 2 within 10 s.
    expect(slo).toMatchObject({attainment: 0.5, meets: true});
    expect(slo.classes).toMatchObject({
      chat: {requests: 2, ttft_s: 2, attainment: 0.5, goal: 0.5, meets: true},
      bulk: {requests: 2, ttft_s: 10, attainment: 0.5, goal: 0.4, meets: true},
    });
    expect(slo.classes['chat'].ttft_p95_s).toBeCloseTo(2.9, 12);
    expect(slo.classes['bulk'].ttft_p95_s).toBe(9);
  });

  it('that one class misses are missed, however good the others are', () => {
    expect(judged({ttft: 20, attainment: 0.7, classes: {bulk: {ttft: 20, tpot: null, e2e: null, attainment: 0.6}}})).toMatchObject({
      attainment: 0.75,
      meets: false,
    });
  });

  it('are no judgement of a class that has none', () => {
    const {classes} = judged({classes: {chat: {ttft: 2, tpot: null, e2e: null, attainment: 0.5}}});
    expect(classes).toMatchObject({chat: {attainment: 0.5}, bulk: {attainment: null, meets: null}});
  });

  it('are named in the verdict where a class misses them', () => {
    const slo = {...none, ttft: 2, classes: {bulk: {ttft: 5, tpot: null, e2e: null, attainment: 0.4}}};
    const [first] = summarise(toyScenario({slo}), toyPlan, [runRecord(rows)]).verdict;
    expect(first).toEqual({
      code: 'slo_missed',
      text: 'Misses the goal: 25 % of requests within the goals of their class (goal 50 %); of class bulk 0 % (goal 40 %).',
    });
  });

  it('stand nowhere when there is one class without goals of its own', () => {
    const plain = rows.map(({class: _, ...row}) => row);
    expect(summarise(toyScenario({slo: {...none, ttft: 2}}), toyPlan, [runRecord(plain)]).slo.classes).toEqual({});
  });

  it('decide slo_met in requests.csv, beside the name of the class', () => {
    const [header, ...all] = [...requestTable(runRecord(rows), {...none, ttft: 2, classes: {bulk: {ttft: 10, tpot: null, e2e: null}}})];
    const column = (name: (typeof header)[number]) => all.map((row) => row[header.indexOf(name)]);
    expect(column('class')).toEqual(['chat', 'bulk', 'chat', 'bulk']);
    expect(column('slo_met')).toEqual([1, 1, 0, 0]);
  });
});

describe('goals of sessions and of the run', () => {
  // Session 0: 0 to 9 s in two turns. Session 1: its second turn was rejected. Session 2: 2 to 4 s.
  const sessions: RequestRow[] = [
    {arrival: 0, scheduled: 0, firstToken: 1, finished: 2, session: 0, turn: 0},
    {arrival: 1, scheduled: 1, firstToken: 2, finished: 3, session: 1, turn: 0},
    {arrival: 2, scheduled: 2, firstToken: 3, finished: 4, session: 2, turn: 0},
    {arrival: 5, end: 'rejected', reason: 'queue_limit', session: 1, turn: 1},
    {arrival: 6, scheduled: 6, firstToken: 7, finished: 9, session: 0, turn: 1},
  ];
  const run = measured(runRecord(sessions).requests, {kind: 'none'});

  it('a session takes from its first arrival to its last token, and counts when all of it finished', () => {
    expect([...sessionSeries(run)]).toEqual([9, 2]);
  });

  it('a session whose first turn was warm-up does not count', () => {
    expect([...sessionSeries(measured(runRecord(sessions).requests, {kind: 'requests', value: 1}))]).toEqual([2]);
  });

  it.each([
    [{session: 9}, {sessions_attainment: 1, meets: true}],
    [
      {session: 5, attainment: 0.6},
      {sessions_attainment: 0.5, meets: false},
    ],
    [{makespan: 10}, {makespan_s: 10, meets: true}],
    [{makespan: 9.9}, {meets: false}],
  ])('%o give %o', (goals, expected) => {
    expect(sloOf(toyScenario({slo: {...none, ...goals}}), [run], [{makespanSeconds: 10}])).toMatchObject(expected);
  });
});

it('a run judged by its sessions and its length alone says so in its verdict', () => {
  const [first] = summarise(toyScenario({slo: {...none, session: 3, makespan: 20}}), toyPlan, [runRecord(rows)]).verdict;
  expect(first.text).toBe('Misses the goal: 33.3 % of sessions within 3 s (goal 50 %); the run takes 10 s (goal 20 s).');
});

describe('slo.classes in a scenario', () => {
  const chat = 'model: llama-3.1-8b\nhardware: h100-sxm\nengine: vllm\nworkload: {kind: chat, arrivals: 2 session/s, class: talk}\n';

  it('take what they do not say from slo', async () => {
    const {slo} = await load({'a.yaml': `${chat}slo: {ttft: 1 s, session: 5 min, classes: {talk: {tpot: 50 ms}}}\n`});
    expect(slo).toMatchObject({session: 300, classes: {talk: {ttft: 1, tpot: 0.05, e2e: null, attainment: 0.95}}});
  });

  it('name classes of the workload', async () => {
    expect(await refusal({'a.yaml': `${chat}slo: {classes: {tlak: {ttft: 1 s}}}\n`})).toBe(
      'a.yaml:5:23 slo.classes.tlak: unknown class "tlak" (did you mean "talk"?); known: talk',
    );
  });
});
