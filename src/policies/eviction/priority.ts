import {eviction} from './eviction.js';
import {scored} from './scored.js';

/** Evicts the block with the lowest priority; the least recently used among equals. TensorRT-LLM's order (FORMATS §8.4), without its rule of leaves. */
export const priority = eviction({
  about: 'evicts the block with the lowest priority, the least recently used among equals',
  params: {
    shared: {kind: 'number', default: 35, about: 'priority of blocks of shared prefixes, where nobody else gives one'},
    own: {kind: 'number', default: 35, about: 'priority of the blocks of one session'},
  },
  needs: ['priority'],
  create: scored((block, _history, {priority: of}) => of!(block), 'read'),
});
