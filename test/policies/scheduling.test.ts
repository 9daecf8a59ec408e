import {describe, expect, it} from 'vitest';
import {schedulingPolicies} from '../../src/policies/scheduling/index.js';
import type {Chosen, Job, Scheduling, SchedulingPolicy} from '../../src/policies/scheduling/policy.js';
import {LinkedList} from '../../src/sim/core/linked-list.js';
import {type Random, stream} from '../../src/sim/core/random.js';

/** A request that waits, as small as a policy sees it. */
interface Waiting extends Job<Waiting> {
  readonly cached: number;
}

function job(id: number, input: number, output: number, cached = 0): Waiting {
  const own = {rank: 0, place: -1, level: 0, levelFrom: 0, admittedWith: 0, waitsSince: 0};
  return {id, input, output, class: 0, cached, older: null, younger: null, ...own};
}

function policy(name: keyof typeof schedulingPolicies, chosen: Chosen, random: Random = () => 0.5): SchedulingPolicy<Waiting> {
  const entry: Scheduling = schedulingPolicies[name];
  const view = {generated: () => 0, lostTokens: 0, cached: (one: Waiting) => one.cached, cacheVersion: 1, prefillSteps: () => 1};
  return entry.create(chosen, random)<Waiting>({view, classes: ['a']});
}

/** Ids in the order in which they would run. */
function order(waiting: SchedulingPolicy<Waiting>, jobs: readonly Waiting[]): number[] {
  for (const one of jobs) waiting.push(one, 0);
  const ids: number[] = [];
  for (waiting.refresh(0); waiting.head !== null; waiting.refresh(0)) {
    ids.push(waiting.head.id);
    waiting.remove(waiting.head);
  }
  return ids;
}

describe('sjf with an error', () => {
  // Box and Muller: uniform draws 0.5 and 0 make √(2 ln 2) · cos 0 = 1.177, draws 0.5 and 0.5 the same with cos π = −1.
  const draws =
    (...numbers: number[]): Random =>
    () =>
      numbers.shift()!;
  const jobs = () => [job(0, 10, 100), job(1, 10, 150)];

  it('predicts outputs e^(error · z) times as long as they are: 180 of 100, and 83 of 150, so that the longer one goes first', () => {
    expect(order(policy('sjf', {by: 'total', error: 0}), jobs())).toEqual([0, 1]);
    const waiting = policy('sjf', {by: 'total', error: 0.5}, draws(0.5, 0, 0.5, 0.5));
    const [shorter, longer] = jobs();
    expect(order(waiting, [shorter, longer])).toEqual([1, 0]);
    expect(shorter.rank).toBeCloseTo(10 + 180.16, 1);
    expect(longer.rank).toBeCloseTo(10 + 83.26, 1);
  });

  it('is of the output alone, and a small one changes little', () => {
    const byInput = policy('sjf', {by: 'input', error: 0.5}, draws(0.5, 0, 0.5, 0.5));
    expect(order(byInput, [job(0, 20, 1), job(1, 10, 1)])).toEqual([1, 0]);
    expect(order(policy('sjf', {by: 'output', error: 0.1}, draws(0.5, 0, 0.5, 0.5)), jobs())).toEqual([0, 1]); // 112 and 133
  });

  it('can be drawn as none: a first draw of 0 is no deviation', () => {
    const waiting = policy('sjf', {by: 'output', error: 0.5}, draws(0, 0.25));
    const one = job(0, 10, 100);
    waiting.push(one, 0);
    expect(one.rank).toBe(100);
  });

  it('stays what it was for a request that gives way and waits again', () => {
    const waiting = policy('sjf', {by: 'total', error: 0.5}, draws(0.5, 0));
    const one = job(0, 10, 100);
    waiting.push(one, 0);
    const {rank} = one;
    waiting.remove(one);
    waiting.putBack(one, 0, 'front');
    expect(one.rank).toBe(rank);
    expect(waiting.head).toBe(one);
  });

  it('draws once for a request, and nothing without an error', () => {
    let drawn = 0;
    const counting = () => (++drawn % 2) / 2;
    order(policy('sjf', {by: 'total', error: 0}, counting), jobs());
    expect(drawn).toBe(0);
    order(policy('sjf', {by: 'total', error: 1}, counting), jobs());
    expect(drawn).toBe(4);
  });
});

it('sjf has the shortest first, the first to arrive among equals, whoever leaves the queue', () => {
  const random = stream(1, 'test/policies/scheduling');
  const waiting = policy('sjf', {by: 'input', error: 0});
  const left: Waiting[] = [];
  for (let id = 0; id < 2000; id++) {
    const one = job(id, 1 + Math.floor(random() * 40), 1);
    left.push(one);
    waiting.push(one, 0);
    // Any of them leaves, as those that time out do; more leave than come in the second half.
    for (let n = id < 1000 ? 1 : 2; n > 0 && random() < 0.8 && left.length > 0; n--)
      waiting.remove(left.splice(Math.floor(random() * left.length), 1)[0]);
    const [first] = [...left].sort((a, b) => a.input - b.input || a.id - b.id);
    expect(waiting.head).toBe(first ?? null);
    expect(waiting.size).toBe(left.length);
  }
});

describe('lpm', () => {
  const waits = (n: number) => {
    const waiting = policy('lpm', {});
    for (let id = 0; id < n; id++) waiting.push(job(id, 8, 1), 0);
    return waiting;
  };

  it('may change its order at any step while two to 128 wait, and never with fewer or more', () => {
    expect([0, 1, 2, 128, 129].map((n) => waits(n).steadyUntil)).toEqual([Infinity, Infinity, -Infinity, -Infinity, Infinity]);
  });

  it('takes the longest cached prefix first, the order of arrival among equals', () => {
    expect(order(policy('lpm', {}), [job(0, 8, 1, 0), job(1, 8, 1, 4), job(2, 8, 1, 8), job(3, 8, 1, 4), job(4, 8, 1, 0)])).toEqual([
      2, 1, 3, 0, 4,
    ]);
  });
});

describe('mlfq', () => {
  /** Queues of 2, 4 and whatever is more decode steps; a prompt takes as many steps as it has tokens. */
  const queues = (generated = () => 0) => {
    const view = {generated, lostTokens: 0, cached: () => 0, cacheVersion: 1, prefillSteps: (tokens: number) => tokens};
    const chosen = {quantum: 2, levels: 3, starvation: 1};
    return schedulingPolicies.mlfq.create(chosen, () => 0.5)<Waiting>({view, classes: ['a']});
  };

  it('lets a prompt join the first queue whose quantum it does not exceed, and none beyond the last', () => {
    const waiting = queues();
    const levels = [1, 2, 3, 4, 5, 100].map((input, id) => {
      const one = job(id, input, 1);
      waiting.push(one, 0);
      return one.level;
    });
    expect(levels).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it('brings who has waited for the whole of `starvation` to the first queue, and says when that is', () => {
    const waiting = queues();
    const [long, short] = [job(0, 100, 1), job(1, 1, 1)];
    waiting.push(long, 5);
    waiting.push(short, 1e9);
    expect(waiting.steadyUntil).toBe(1e9 + 5);
    waiting.refresh(1e9 + 4);
    expect([long.level, waiting.head]).toEqual([2, short]);
    waiting.refresh(1e9 + 5);
    expect([long.level, waiting.head]).toEqual([0, short]); // behind those that are there
    expect(waiting.steadyUntil).toBe(2e9);
    waiting.remove(short);
    expect(waiting.steadyUntil).toBe(2e9 + 5);
  });

  it('puts who gives way into the queue that its service has sunk it to, also when the engine chose it', () => {
    let tokens = 0;
    const waiting = queues(() => tokens);
    const one = job(0, 1, 9);
    waiting.push(one, 0);
    waiting.remove(one);
    tokens = 2; // its prompt and one more step: the quantum of the first queue
    waiting.putBack(one, 0, 'back');
    expect(one.level).toBe(1);
  });

  const running = (...jobs: Waiting[]) => {
    const list = new LinkedList<Waiting>();
    for (const one of jobs) list.push(one);
    return list;
  };

  it('takes the blocks of the one admitted last where all have their last token under way', () => {
    const [first, last] = [job(0, 1, 1), job(1, 1, 1)];
    expect(queues(() => 1).victim(running(first, last))).toBe(last);
  });

  it('counts the steps until somebody has used up the quantum of the queue of the head, one less where rounding could decide', () => {
    // Service is the prompt's steps and one a token after the first: 1 of the 2 of the first queue.
    const steps = (input: number) => {
      const waiting = queues(() => 1);
      waiting.push(job(1, 1, 1), 0);
      return waiting.preemption!.calmSteps(running(job(0, input, 9)));
    };
    expect([0.5, 1, 1 - 1e-12, 2, 3].map(steps)).toEqual([2, 1, 1, 0, 0]);
  });
});
