import {expect, it} from 'vitest';
import {compacted} from '../../../src/sim/workload/agent.js';
import {createWorkload} from '../../../src/sim/workload/index.js';
import {NO_PREFIX} from '../../../src/sim/workload/prefixes.js';
import type {Traffic} from '../../../src/sim/workload/workload.js';

const constant = (value: number) => ({dist: 'constant', value}) as const;
const options = {seed: 1, replication: 0, blockSize: 4, limit: {requests: 9, sessions: null, duration: null}};
const batch: Traffic = {
  kind: 'batch',
  arrivals: null,
  inputTokens: constant(5),
  outputTokens: constant(2),
  sharedPrefixes: {count: 1, tokens: constant(8), popularity: {dist: 'uniform'}},
};

it('a prompt as long as the limit is not compacted', () => {
  expect(compacted(NO_PREFIX, [10, 8], [2, 1], {tokens: 20, keepTokens: 4}, 4)).toEqual({inputs: [10, 20], starts: [0, 0]});
});

it('requests of a batch share their prefix, and no end brings another', () => {
  const workload = createWorkload(batch, options);
  const first = workload.next()!;
  expect(first.input).toBe(13);
  expect(workload.next()!.chain!.bases[0]).toBe(first.chain!.bases[0]);
  expect(workload.leastGap.toAnother).toBe(Infinity);
  expect(workload.follow(first, 1, true)).toBeNull();
});

it('the least gap of a mix is that of the stream with the shortest', () => {
  const chat: Traffic = {
    kind: 'chat',
    arrivals: {process: 'constant', rate: 1, of: 'session'},
    turns: constant(3),
    thinkTime: constant(7),
    userTokens: constant(5),
    outputTokens: constant(2),
    sharedPrefixes: null,
  };
  const streams = [batch, chat].map((traffic, i) => ({name: `s${i}`, class: 'c', traffic}));
  expect(createWorkload({kind: 'streams', streams}, options).leastGap.withinSession).toBe(7e9);
});
