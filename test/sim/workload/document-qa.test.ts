import {expect, it} from 'vitest';
import type {Traffic} from '../../../src/sim/workload/workload.js';
import {constant, idsOf, served, workload} from '../../support/workloads.js';

type Config = Extract<Traffic, {kind: 'document-qa'}>;

const second = 1e9;
const fixed: Config = {
  kind: 'document-qa',
  arrivals: {process: 'constant', rate: 1, of: 'session'},
  documents: {count: 1, tokens: constant(100), popularity: {dist: 'uniform'}},
  questions: constant(2),
  questionTokens: constant(10),
  outputTokens: constant(20),
  thinkTime: constant(7),
};

it('each prompt is the document, what was asked and answered before, and a question', () => {
  const arrivals = served(workload(fixed, {limit: {sessions: 1}}), second);
  expect(arrivals.map(({time, input, output}) => [time / second, input, output])).toEqual([
    [1, 110, 20],
    [9, 140, 20],
  ]);
});

it('sessions share whole blocks of a document that both ask about, and nothing else', () => {
  const arrivals = served(workload(fixed, {limit: {sessions: 2}}), second);
  const [first, second_] = [0, 1].map((session) => idsOf(arrivals.find((arrival) => arrival.session === session && arrival.turn === 1)!));
  expect(first.filter((id) => second_.includes(id))).toEqual([0, 1, 2, 3, 4, 5]); // 100 tokens: 6 whole blocks of 16
});

it('popular documents are chosen as their rank says, and one that nobody asks about takes no ids', () => {
  const config: Config = {
    ...fixed,
    questions: constant(1),
    documents: {...fixed.documents, count: 1000, popularity: {dist: 'zipf', s: 1.2}},
  };
  const source = workload(config, {limit: {sessions: 2000}});
  const chosen = new Map<number, number>();
  let sessions = 0;
  for (let arrival = source.next(); arrival !== null; arrival = source.next(), sessions++) {
    const [document] = idsOf(arrival);
    chosen.set(document, (chosen.get(document) ?? 0) + 1);
    source.released(arrival.session);
  }
  const counts = [...chosen.values()].sort((a, b) => b - a);
  // Σ k^-1.2 for k = 1 … 1000 is 4.335: the first is chosen 461 times of 2,000, the second 201 times; √461 ≈ 21.
  expect(sessions).toBe(2000);
  expect(Math.abs(counts[0] - 461)).toBeLessThan(80);
  expect(Math.abs(counts[1] - 201)).toBeLessThan(55);
  expect(source.ids.limit).toBeLessThan(6 * chosen.size + 20);
  expect(chosen.size).toBeLessThan(900);
});

it('a message names the documents', () => {
  expect(() => workload({...fixed, documents: {...fixed.documents, count: 0}})).toThrow(
    /^workload\.documents\.count: 0 is no whole number/,
  );
});
