/**
 * A set of numbers below `size` that knows its greatest: a bit a number, a bit a word above, and so on.
 *
 * Adding, removing and taking the greatest cost a few words each, however many there are.
 */
export class LatestUses {
  /** From the numbers themselves to the one word at the top. */
  readonly #levels: Int32Array[] = [];

  constructor(size: number) {
    let words = size;
    do {
      words = Math.max(1, Math.ceil(words / 32));
      this.#levels.push(new Int32Array(words));
    } while (words > 1);
  }

  add(value: number): void {
    let at = value;
    for (const words of this.#levels) {
      words[at >>> 5] |= 1 << (at & 31);
      at >>>= 5;
    }
  }

  remove(value: number): void {
    let at = value;
    for (const words of this.#levels) {
      const left = (words[at >>> 5] &= ~(1 << (at & 31)));
      if (left !== 0) return;
      at >>>= 5;
    }
  }

  /** The greatest number in the set; −1: it is empty. */
  get greatest(): number {
    let word = 0;
    for (let level = this.#levels.length - 1; level >= 0; level--) {
      const bits = this.#levels[level][word];
      if (bits === 0) return -1;
      word = (word << 5) + 31 - Math.clz32(bits);
    }
    return word;
  }
}
