import type {BatchSums, CostModel, Prediction} from '../../src/models/cost/cost.js';

/** A small real cost model: a base per step, and seconds per computed token and per token of context. Bound by compute and memory. */
export function linearCost({base = 0, token = 0, context = 0, window = Number.POSITIVE_INFINITY}): CostModel {
  return {
    kind: 'linear',
    terms: [
      {name: 'tokens', grade: 'assumed', source: 'test', interval: [1, 1]},
      {name: 'context', grade: 'assumed', source: 'test', interval: [1, 1]},
    ],
    window,
    predict(batch: Readonly<BatchSums>, into: Prediction): void {
      const tokens = base + token * (batch.decodes + batch.chunkTokens);
      const read = context * (batch.decodeContextClipped + batch.chunkAreaClipped + batch.decodeLongest);
      into.terms[0] = into.bounds[0] = tokens;
      into.terms[1] = into.bounds[1] = read;
      into.seconds = tokens + read;
      into.flops = batch.chunkArea;
      into.bytes = batch.decodeContext;
    },
  };
}
