import {eviction} from './eviction.js';
import {scored} from './scored.js';

/**
 * Evicts the block with the lowest priority; the least recently used among equals. TensorRT-LLM's order (FORMATS §8.4), without its rule of leaves.
 *
 * Where nobody gives priorities, a block has that of its kind: shared by several sessions, or of one alone. With the defaults all are equal, and it is LRU.
 */
export const priority = eviction({
  about: 'evicts the block with the lowest priority, the least recently used among equals',
  params: {
    shared: {kind: 'number', default: 35, about: 'priority of blocks that several sessions may use, where nobody gives one'},
    own: {kind: 'number', default: 35, about: 'priority of the blocks of one session'},
  },
  needs: ['session'],
  uses: ['priority'],
  create: (context, {shared, own}) => byPriority({...context, priority: context.priority ?? kind(context.session!, shared, own)}),
});

const byPriority = scored((block, _history, {priority: of}) => of!(block), 'read');

function kind(session: (block: number) => number, shared: number, own: number): (block: number) => number {
  return (block) => (session(block) < 0 ? shared : own);
}
