import {type BatchSums, bounds, type CostModel, type Prediction} from './cost.js';

/** Every step takes `seconds`, whatever it computes: for queueing theory. */
export function constant(seconds: number): CostModel {
  const compute = bounds.indexOf('compute');
  return {
    kind: 'constant',
    window: Number.POSITIVE_INFINITY,
    terms: [{name: 'constant', grade: 'assumed', source: 'hardware.cost_model.constant', interval: [1, 1]}],
    predict(_batch: Readonly<BatchSums>, into: Prediction): void {
      into.seconds = seconds;
      into.flops = 0;
      into.bytes = 0;
      into.bounds.fill(0);
      into.bounds[compute] = seconds;
      into.terms[0] = seconds;
    },
  };
}
