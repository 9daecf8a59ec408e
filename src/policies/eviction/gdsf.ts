import {eviction} from './eviction.js';
import {scored} from './scored.js';

/**
 * Evicts the block with the least reads × time to compute it again ÷ bytes, on top of what the last victim was worth.
 *
 * Cherkasova, Improving WWW proxies performance with Greedy-Dual-Size-Frequency caching policy, HP Labs 1998. Without times and sizes all blocks cost the same, and it is lfu-aging.
 */
export const gdsf = eviction({
  about: 'evicts the block with the least reads × seconds to recompute ÷ bytes, old reads counting less and less',
  uses: ['recompute', 'bytes'],
  create: scored((block, {reads}, {recompute, bytes}, age) => age + (reads[block] * (recompute?.(block) ?? 1)) / (bytes?.(block) ?? 1)),
});
