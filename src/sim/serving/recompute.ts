import {BatchSums, type CostModel, Prediction} from '../../models/cost/cost.js';
import {widened} from '../core/widened.js';
import type {ReplicaConfig} from './config.js';

/**
 * Seconds that computing a block again takes, by the number of blocks before it: its share of the largest chunk that a step computes, begun there.
 *
 * A block alone would cost nearly a whole step, as weights are read once for all tokens of it; lost blocks are computed together.
 */
export function recomputeSeconds(cost: CostModel, {kv, scheduler, maxModelLen}: ReplicaConfig): (depth: number) => number {
  const {maxNumBatchedTokens, longPrefillTokenThreshold: threshold} = scheduler;
  const most = Math.min(maxNumBatchedTokens, maxModelLen, threshold > 0 ? threshold : Number.POSITIVE_INFINITY);
  const tokens = Math.max(kv.blockSize, most);
  const sums = new BatchSums();
  const prediction = new Prediction(cost.terms.length);
  /** By depth; 0: not asked yet. */
  let seconds = new Float64Array(256);
  return (depth) => {
    if (depth >= seconds.length) seconds = widened(seconds, 2 * depth);
    if (seconds[depth] === 0) {
      sums.clear();
      sums.addChunk(depth * kv.blockSize, tokens, cost.window);
      cost.predict(sums, prediction);
      seconds[depth] = (prediction.seconds * kv.blockSize) / tokens;
    }
    return seconds[depth];
  };
}
