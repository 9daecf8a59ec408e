import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {eviction} from './eviction.js';
import {FrequencySketch} from './frequency-sketch.js';
import {QueuedPolicy} from './queued.js';

/**
 * New blocks pass a small window; leaving it, a block takes the place of the main part's next victim only if it was seen more often.
 *
 * Einziger, Friedman and Manes, TinyLFU: a highly efficient cache admission policy, ACM ToS 2017. The main part is segmented: 80 % for blocks read again in it.
 */
export const wTinyLfu = eviction({
  about: 'evicts the less often seen of two: the oldest of a small window, and the oldest of the rest',
  params: {
    window: {kind: 'share', default: 0.01, about: 'share of the room for new blocks'},
    protected: {kind: 'share', default: 0.8, about: 'share of the rest for blocks that were read again'},
  },
  create: ({blocks, capacity}, params) => new WTinyLfu(blocks, capacity, params.window, params.protected),
});

const WINDOW = 0;
const PROBATION = 1;
const PROTECTED = 2;

class WTinyLfu extends QueuedPolicy {
  readonly #windowRoom: number;
  readonly #protectedRoom: number;
  readonly #seen: FrequencySketch;

  constructor(blocks: number, capacity: number, window: number, protectedShare: number) {
    super(blocks, 3);
    this.#windowRoom = Math.max(1, Math.floor(capacity * window));
    this.#protectedRoom = Math.floor((capacity - this.#windowRoom) * protectedShare);
    this.#seen = new FrequencySketch(capacity);
  }

  protected enter(block: BlockId): number {
    this.#seen.add(block);
    return WINDOW;
  }

  protected override entered(): void {
    // One has left for the block: whom it pushes out of the window has won its place.
    if (this.queues.sizes[WINDOW] > this.#windowRoom) this.queues.move(PROBATION, this.queues.oldest(WINDOW));
  }

  protected read(block: BlockId, queue: number): void {
    this.#seen.add(block);
    this.queues.move(queue === WINDOW ? WINDOW : PROTECTED, block);
    if (this.queues.sizes[PROTECTED] > this.#protectedRoom) this.queues.move(PROBATION, this.queues.oldest(PROTECTED));
  }

  victim(): BlockId {
    const {sizes} = this.queues;
    const held = this.oldest(sizes[PROBATION] > 0 ? PROBATION : PROTECTED);
    const candidate = this.oldest(WINDOW);
    if (held === NO_BLOCK || candidate === NO_BLOCK) return held === NO_BLOCK ? candidate : held;
    if (sizes[WINDOW] < this.#windowRoom) return held;
    return this.#seen.count(candidate) > this.#seen.count(held) ? held : candidate;
  }
}
