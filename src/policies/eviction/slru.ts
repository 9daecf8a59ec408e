import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {eviction} from './eviction.js';
import {QueuedPolicy} from './queued.js';

/**
 * Evicts the least recently used block of the lowest of several segments; a read lifts a block by one, and a segment that is full lets its oldest down.
 *
 * Karedla, Love and Wherry, Caching strategies to improve disk system performance, IEEE Computer 1994 (two segments there).
 */
export const slru = eviction({
  about: 'evicts the least recently used block of the lowest segment; reads lift a block',
  params: {segments: {kind: 'count', default: 4, about: 'segments of equal size, at most 64'}},
  create: ({blocks, capacity}, {segments}) => new Slru(blocks, Math.min(segments, 64, capacity), capacity),
});

class Slru extends QueuedPolicy {
  readonly #room: number;

  constructor(blocks: number, segments: number, capacity: number) {
    super(blocks, segments);
    this.#room = Math.floor(capacity / segments);
  }

  protected enter(): number {
    const {sizes} = this.queues;
    for (let segment = 0; segment < sizes.length; segment++) if (sizes[segment] < this.#room) return segment;
    return 0;
  }

  protected read(block: BlockId, segment: number): void {
    const up = Math.min(segment + 1, this.queues.sizes.length - 1);
    this.queues.move(up, block);
    for (let over = up; over > 0 && this.queues.sizes[over] > this.#room; over--) this.queues.move(over - 1, this.queues.oldest(over));
  }

  victim(): BlockId {
    const {sizes} = this.queues;
    for (let segment = 0; segment < sizes.length; segment++) if (sizes[segment] > 0) return this.queues.oldest(segment);
    return NO_BLOCK;
  }
}
