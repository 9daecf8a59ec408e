import {eviction} from './eviction.js';
import {scored} from './scored.js';

/**
 * Evicts the block whose next use is farthest away; needs the future.
 *
 * Belady, A study of replacement algorithms, IBM Systems Journal 1966. It bounds demand fetching of equal blocks into one tier, without bypass.
 */
export const belady = eviction({
  about: 'evicts the block whose next use is farthest away: the best that demand fetching can do',
  needs: ['nextUse'],
  create: scored((block, _history, {nextUse}) => -nextUse!(block)),
});
