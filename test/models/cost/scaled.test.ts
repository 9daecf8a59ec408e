import {expect, it} from 'vitest';
import {BatchSums, Prediction} from '../../../src/models/cost/cost.js';
import {scaled, stretched} from '../../../src/models/cost/scaled.js';
import {costOf} from '../../../src/sim/scenario/build.js';
import {plainScenario} from '../../support/plain-scenario.js';

const cost = costOf(plainScenario({model: 'llama-3.1-8b', device: 'h100-sxm'}));
const batch = Object.assign(new BatchSums(), {
  decodes: 8,
  decodeContext: 8000,
  decodeContextClipped: 8000,
  decodeLongest: 1000,
  emitting: 8,
});

function predicted(model: typeof cost): Prediction {
  const into = new Prediction(model.terms.length);
  model.predict(batch, into);
  return into;
}

it('stretches one term and lengthens the step by what that adds; what bounds a step keeps its shares', () => {
  const plain = predicted(cost);
  const linear = cost.terms.findIndex(({name}) => name === 'linear');
  const wrong = predicted(stretched(cost, {term: 'linear', factor: 1.5}));
  expect(wrong.terms[linear]).toBeCloseTo(1.5 * plain.terms[linear], 12);
  expect(wrong.seconds).toBeCloseTo(plain.seconds + 0.5 * plain.terms[linear], 12);
  expect(wrong.bounds.reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(wrong.seconds, 12);
  for (const [i, seconds] of wrong.bounds.entries()) expect(seconds / wrong.seconds).toBeCloseTo(plain.bounds[i] / plain.seconds, 12);
});

it('leaves a model alone that has no such term', () => {
  expect(stretched(cost, {term: 'magic', factor: 1.5})).toBe(cost);
});

it('stretches everything by one factor', () => {
  expect(predicted(scaled(cost, 2)).seconds).toBeCloseTo(2 * predicted(cost).seconds, 12);
});
