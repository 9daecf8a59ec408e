import {describe, expect, it} from 'vitest';
import {build} from '../../../src/sim/scenario/build.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {decodeSpeed, planLines} from '../../../src/sim/scenario/plan-table.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {load, refusal} from '../../support/scenario-text.js';

const head = 'model: llama-3.1-8b\nhardware: h100-sxm\nengine: {preset: vllm, max_model_len: 8192}\n';
const traffic =
  'workload: {kind: lengths, arrivals: 8 req/s, input_tokens: {dist: lognormal, mean: 500, cv: 1}, output_tokens: {dist: lognormal, mean: 100, cv: 1}}\n';
const scenario = (scheduler: string, workload = traffic) => ({
  'a.yaml': `${head}scheduler: ${scheduler}\n${workload}run: {requests: 60}\n`,
});
const mixed = `workload:
  streams:
    chat: {kind: chat, arrivals: 2 session/s}
    bulk: {kind: lengths, arrivals: 1 req/s, input_tokens: 100, output_tokens: 10}
`;

describe('scheduler.policy', () => {
  it('takes what the scenario does not say from the policy and the engine', async () => {
    expect((await load(scenario('{}'))).scheduler).toMatchObject({
      policy: 'fcfs',
      batching: 'continuous',
      steps: 'mixed',
      promptsPerStep: Number.POSITIVE_INFINITY,
      preemption: 'recompute',
      admission: {policy: 'none'},
    });
    expect((await load(scenario('{policy: mlfq}'))).scheduler.parameters).toEqual({
      quantum: 32,
      levels: 6,
      starvation: 30,
      steps: 'engine',
    });
  });

  it('has parameters of its own, with units, and the same again from its resolved file', async () => {
    const first = await load(scenario('{policy: {policy: mlfq, quantum: 8, starvation: 500 ms, steps: prefill-first}}'));
    expect(first.scheduler).toMatchObject({steps: 'prefill-first', parameters: {quantum: 8, levels: 6, starvation: 0.5}});
    const again = await load({'a.yaml': first.yaml});
    expect(again.scheduler).toEqual(first.scheduler);
    expect(again.sha256).toBe(first.sha256);
  });

  it('says what steps are made of where that is what it is about', async () => {
    expect((await load(scenario('{policy: prefill-first}'))).scheduler.steps).toBe('prefill-first');
    expect((await load(scenario('{policy: decode-first}'))).scheduler.promptsPerStep).toBe(1);
  });

  it('reaches the run', async () => {
    const first = await load(scenario('{max_num_seqs: 2}'));
    const firstTokens = async (policy: string) => {
      const one = await load(scenario(`{max_num_seqs: 2, policy: ${policy}}`));
      return simulate(one, planMemory(one), {replication: 0}).eventLog;
    };
    const plain = simulate(first, planMemory(first), {replication: 0}).eventLog;
    expect(await firstTokens('fcfs')).toBe(plain);
    const others = await Promise.all(['sjf', '{policy: sjf, error: 1}', 'prefill-first', 'mlfq'].map(firstTokens));
    expect(new Set([plain, ...others]).size).toBe(5);
  });

  it('guesses lengths anew in every replication, and alike in every run of it', async () => {
    const one = await load(scenario('{max_num_seqs: 2, policy: {policy: sjf, error: 1}}'));
    const plan = planMemory(one);
    const log = (replication: number) => simulate(one, plan, {replication}).eventLog;
    expect(log(0)).toBe(log(0));
    expect(log(1)).not.toBe(log(0));
  });
});

describe('scheduler.admission', () => {
  it('is none, or a share of the KV that may be in use', async () => {
    const one = await load(scenario('{admission: {policy: kv-pressure, share: 0.5}}'));
    expect(build(one, planMemory(one), {replication: 0}).admission!({held: 20, capacity: 100})).toBe(30);
    expect((await load(scenario('{admission: kv-pressure}'))).scheduler.admission).toEqual({policy: 'kv-pressure', value: 0.9});
  });
});

describe('defaults of schedulers that no source has', () => {
  const assumed = async (files: Record<string, string>) =>
    (await load(files)).assumptions
      .filter(({path}) => path.startsWith('scheduler.'))
      .map(({path, value, grade}) => `${path} ${value} ${grade}`);

  it('are assumptions of the run until they are written, also from its resolved file', async () => {
    const wanted = [
      'scheduler.policy.quantum 32 assumed',
      'scheduler.policy.levels 6 assumed',
      'scheduler.policy.starvation 30 s assumed',
      'scheduler.admission.share 0.9 assumed',
    ];
    expect(await assumed(scenario('{policy: mlfq, admission: kv-pressure}'))).toEqual(wanted);
    const {yaml} = await load(scenario('{policy: mlfq, admission: kv-pressure}'));
    expect((await assumed({'a.yaml': yaml})).sort()).toEqual([...wanted].sort());
    expect(await assumed(scenario('{policy: {policy: mlfq, quantum: 8, levels: 2, starvation: 1 s}}'))).toEqual([]);
    expect(await assumed(scenario('{policy: sjf}'))).toEqual([]);
  });
});

describe('the plan', () => {
  const line = async (scheduler: string) => {
    const one = await load(scenario(scheduler));
    const plan = planMemory(one);
    return planLines(one, plan, decodeSpeed(one, plan), (rows) => rows.map((row) => row.join(' '))).filter((text) =>
      text.startsWith('scheduler'),
    );
  };

  it('names the scheduler where it is not what engines do by themselves', async () => {
    expect(await line('{max_num_seqs: 4}')).toEqual([]);
    expect(await line('{policy: {policy: sjf, error: 0.5}, batching: static}')).toEqual([
      'scheduler sjf (by total, error 0.5) · static batching · admission none',
    ]);
    expect(await line('{policy: {policy: mlfq, levels: 4}, admission: {policy: kv-pressure, share: 0.8}}')).toEqual([
      'scheduler mlfq (quantum 32, levels 4, starvation 30 s) · continuous batching · admission kv-pressure 0.8',
    ]);
    expect(await line('{policy: {policy: fcfs, steps: prefill-first}}')).toEqual([
      'scheduler fcfs (steps prefill-first) · continuous batching · admission none',
    ]);
  });
});

it('warns of knobs that change nothing', async () => {
  const told = async (scheduler: string, workload?: string) =>
    (await load(scenario(scheduler, workload))).warnings.map(({path, text}) => `${path}: ${text}`);
  expect(await told('{batching: request, max_num_seqs: 4}')).toContainEqual(
    expect.stringMatching(/^scheduler\.max_num_seqs: .*one at a time/),
  );
  expect(await told('{policy: {policy: sjf, by: input, error: 1}}')).toContainEqual(expect.stringMatching(/^scheduler\.policy\.error: /));
  expect(await told('{policy: priority}')).toContainEqual(expect.stringMatching(/^scheduler\.policy: .*all requests are of one class/));
  expect(await told('{policy: priority}', mixed)).not.toContainEqual(expect.stringMatching(/^scheduler\.policy: /));
});

it.each([
  ['{policy: sjff}', traffic, /scheduler\.policy: unknown scheduling policy "sjff" \(did you mean "sjf"\?\)/],
  ['{policy: {policy: fcfs, quantum: 3}}', traffic, /scheduler\.policy\.quantum: is no parameter of fcfs; it has steps$/],
  ['{policy: {policy: prefill-first, steps: mixed}}', traffic, /scheduler\.policy\.steps: is no parameter of prefill-first; it has none$/],
  ['{policy: {policy: priority, order: [chat, bulc]}}', mixed, /scheduler\.policy\.order: unknown class "bulc" \(did you mean "bulk"\?\)/],
  ['{policy: {policy: sjf, by: time}}', traffic, /scheduler\.policy\.by: unknown choice "time"/],
  ['{admission: {policy: kv-pressure, share: 2}}', traffic, /scheduler\.admission\.share: 2 is not a share/],
])('refuses %s', async (scheduler, workload, message) => {
  expect(await refusal(scenario(scheduler, workload))).toMatch(message);
});
