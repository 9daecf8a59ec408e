/** Counts up to this. */
const MOST = 15;
const ROWS = 4;
/** All counts are halved after this many additions for each block of room. */
const SAMPLE = 10;

/** Estimates how often a block was seen lately, in little room: counters up to 15 that several blocks share; the least of a block's four counts (Cormode and Muthukrishnan 2005). */
export class FrequencySketch {
  readonly #counts: Uint8Array;
  readonly #mask: number;
  readonly #sample: number;
  #added = 0;

  /** `capacity` is the number of blocks in the cache; there are 16 counters for each, as in Caffeine (ben-manes/caffeine, 8 bytes of 4-bit counters an entry). */
  constructor(capacity: number) {
    const width = 2 ** Math.ceil(Math.log2(Math.max(16, 4 * capacity)));
    this.#mask = width - 1;
    this.#counts = new Uint8Array(ROWS * width);
    this.#sample = SAMPLE * Math.max(1, capacity);
  }

  /** How often the block was seen, or more when it shares all its counters. */
  count(block: number): number {
    const counts = this.#counts,
      mask = this.#mask;
    const hash = mixed(block);
    const step = stepOf(hash);
    let least = MOST;
    for (let row = 0, at = hash; row < ROWS; row++, at += step) {
      const count = counts[((at & mask) << 2) | row];
      if (count < least) least = count;
    }
    return least;
  }

  /** The block was seen; only its least counters rise. */
  add(block: number): void {
    const least = this.count(block);
    if (least === MOST) return;
    const counts = this.#counts,
      mask = this.#mask;
    const hash = mixed(block);
    const step = stepOf(hash);
    for (let row = 0, at = hash; row < ROWS; row++, at += step) {
      const place = ((at & mask) << 2) | row;
      if (counts[place] === least) counts[place]++;
    }
    if (++this.#added >= this.#sample) this.#halve();
  }

  #halve(): void {
    for (let i = 0; i < this.#counts.length; i++) this.#counts[i] >>= 1;
    this.#added >>= 1;
  }
}

/** Scatters consecutive ids (the finaliser of MurmurHash3). */
function mixed(block: number): number {
  let hash = Math.imul(block ^ (block >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Odd, so that the rows of two blocks that meet in one row differ in the others. */
function stepOf(hash: number): number {
  return (Math.imul(hash, 0x9e3779b1) >>> 8) | 1;
}
