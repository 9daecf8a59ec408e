import {beforeAll, describe, expect, it} from 'vitest';
import type {RunRecord} from '../../../src/sim/metrics/record.js';
import type {ReplicaTrace} from '../../../src/sim/metrics/run-trace.js';
import {perfettoTrace} from '../../../src/sim/scenario/perfetto.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {load} from '../../support/scenario-text.js';

interface Event {
  readonly ph: string;
  readonly pid: number;
  readonly tid?: number;
  readonly name: string;
  readonly ts?: number;
  readonly dur?: number;
  readonly cat?: string;
  readonly id?: string;
  readonly args?: Readonly<Record<string, number | string>>;
}

// Two replicas whose HBM is too small for their chats: blocks go down to DRAM and come back, some requests are turned away.
const text = `model: llama-3.1-8b
hardware: {device: h100-sxm, memory: {dram: 256 GiB}}
engine: {preset: vllm, max_model_len: 8192}
scheduler: {queue_limit: 3, max_num_seqs: 4}
kv: {blocks: 700, tiers: {dram: 200 GiB}}
cluster: {replicas: 2}
workload: {kind: chat, arrivals: 8 session/s, turns: 4, think_time: 2 s, user_tokens: 600}
run: {requests: 300, seed: 3, warmup: 0}
`;

describe('a trace of a run', () => {
  let record: RunRecord;
  let whole: string;
  let events: readonly Event[];
  const trace: ReplicaTrace[] = [];
  beforeAll(async () => {
    const scenario = await load({'a.yaml': text});
    const plan = planMemory(scenario);
    record = simulate(scenario, plan, {replication: 0, trace});
    whole = [...perfettoTrace(scenario.name, plan, record, trace)].join('');
    events = JSON.parse(whole).traceEvents;
    // Watching changes nothing.
    expect(simulate(scenario, plan, {replication: 0}).eventLog).toBe(record.eventLog);
  }, 60_000);

  const of = (ph: string, cat?: string) => events.filter((event) => event.ph === ph && (cat === undefined || event.cat === cat));
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

  it('has a slice for every step, one after the other in each replica, and as long together as the run was busy', () => {
    expect(of('X')).toHaveLength(record.counters.steps);
    expect(sum(of('X').map(({dur}) => dur!)) / 1e6).toBeCloseTo(record.counters.busySeconds, 6);
    for (const pid of [1, 2]) {
      const steps = of('X').filter((event) => event.pid === pid);
      expect(steps.length).toBe(record.replicas[pid - 1].counters.steps);
      for (let i = 1; i < steps.length; i++) expect(steps[i].ts!).toBeGreaterThanOrEqual(steps[i - 1].ts! + steps[i - 1].dur! - 1e-3);
    }
    expect(sum(of('X').map(({args}) => Number(args!.prefill_tokens)))).toBe(record.counters.prefillTokens);
  });

  it('is equal with and without running ahead', async () => {
    const scenario = await load({'a.yaml': text});
    const plan = planMemory(scenario);
    const slow: ReplicaTrace[] = [];
    const again = simulate(scenario, plan, {replication: 0, trace: slow, fastForward: false});
    expect([...perfettoTrace(scenario.name, plan, again, slow)].join('')).toBe(whole);
  });

  it('has every request with its phases inside, in order and without a gap', () => {
    const open = new Map<string, Event[]>();
    let requests = 0;
    for (const event of events.filter(({cat}) => cat === 'request')) {
      const stack = open.get(event.id!) ?? [];
      open.set(event.id!, stack);
      if (event.ph === 'b') {
        if (stack.length > 0) expect(event.ts!).toBeGreaterThanOrEqual(stack.at(-1)!.ts!);
        stack.push(event);
        expect(stack.length).toBeLessThanOrEqual(2);
        continue;
      }
      const begun = stack.pop()!;
      expect(event.name).toBe(begun.name);
      expect(event.ts!).toBeGreaterThanOrEqual(begun.ts!);
      if (stack.length === 0) requests++;
    }
    expect([...open.values()].every((stack) => stack.length === 0)).toBe(true);
    expect(requests).toBe(record.requests.rows);
  });

  it('gives requests the phases and ends of requests.csv', () => {
    const {requests: r} = record;
    const row = r.load.findIndex((load) => load > 0);
    expect(row).toBeGreaterThanOrEqual(0);
    const own = events.filter(({cat, id, ph}) => cat === 'request' && id === `r${r.id[row]}` && ph === 'b');
    expect(own.map(({name}) => name)).toEqual([
      `request ${r.id[row]}`,
      ...(r.scheduled[row] > r.arrival[row] ? ['queue'] : []),
      'load',
      'prefill',
      'decode',
    ]);
    expect(own.at(-1)!.ts! * 1000).toBeCloseTo(r.firstToken[row], 0);
    const rejected = events.filter(({ph, args}) => ph === 'b' && args?.end === 'rejected: queue_limit');
    expect(rejected).toHaveLength(r.end.filter((end) => end === 1).length);
    expect(rejected.length).toBeGreaterThan(0);
  });

  it('has every transfer by channel, with the bytes of the result', () => {
    const [dram] = record.tiers;
    const bytes = (channel: string) => sum(of('b', channel).map(({args}) => Number(args!.bytes)));
    expect(bytes('host.up')).toBe(dram.readBytes);
    expect(bytes('host.down')).toBe(dram.writtenBytes);
    expect(dram.readBytes).toBeGreaterThan(0);
    for (const channel of ['host.up', 'host.down']) {
      const ends = new Map(of('e', channel).map((event) => [event.id, event.ts!]));
      let last = 0;
      let pid = 0;
      for (const event of of('b', channel)) {
        if (event.pid !== pid) [pid, last] = [event.pid, 0];
        expect(event.ts!).toBeGreaterThanOrEqual(last);
        expect(ends.get(event.id)!).toBeGreaterThan(event.ts!);
        last = event.ts!;
      }
    }
  });

  it('is of a run whose timeline adds up: bytes a second times time are the bytes that crossed each link', () => {
    for (const {timeline, resources} of [record, ...record.replicas]) {
      const end = record.lastEnd - (timeline.rows - 1) * timeline.width;
      resources.forEach(({name, bytes}, r) => {
        const moved =
          timeline.flowBytes[r].reduce((total, rate, row) => total + rate * (row === timeline.rows - 1 ? end : timeline.width), 0) / 1e9;
        expect(moved / Math.max(1, bytes), name).toBeCloseTo(bytes > 0 ? 1 : 0, 3);
      });
    }
  });

  it('counts what runs, waits and lies in each memory at rising times', () => {
    const counters = of('C').filter(({pid, name}) => pid === 2 && name === 'requests');
    const {running} = record.replicas[1].timeline;
    expect(counters.map(({args}) => args!.running)).toEqual([...running]);
    for (let i = 1; i < counters.length; i++) expect(counters[i].ts!).toBeGreaterThan(counters[i - 1].ts!);
    expect(new Set(of('C').map(({name}) => name))).toEqual(new Set(['requests', 'KV bytes in hbm', 'KV bytes in dram']));
  });
});
