import {eviction} from './eviction.js';
import {scored} from './scored.js';

/**
 * Evicts the block with the least reads since it became resident, counted on top of the worth that the last victim had when the block was read.
 *
 * So what was popular long ago goes in time. Arlitt et al., Evaluating content management techniques for web proxy caches, 1999 (LFU with dynamic aging).
 */
export const lfuAging = eviction({
  about: 'evicts the block that was read least often, old reads counting less and less',
  create: scored((block, {reads}, _context, age) => age + reads[block]),
});
