import type {Trace} from './trace.js';

/** How far apart the uses of a block are: how many different blocks were read since it was read last. A cache with LRU needs one more to hold it. */
export class ReuseDistances {
  /** Uses that had one before them. */
  readonly total: number;
  /** By distance: uses. */
  readonly #counts: Int32Array;

  constructor(counts: Int32Array) {
    this.#counts = counts;
    this.total = counts.reduce((sum, count) => sum + count, 0);
  }

  /** The distance at `share` of the rising list of all uses, interpolated between neighbours as numpy does. */
  quantile(share: number): number {
    const place = (this.total - 1) * share;
    const below = this.#at(Math.floor(place));
    return below + (this.#at(Math.ceil(place)) - below) * (place - Math.floor(place));
  }

  /** Uses at these distances or nearer, for rising `distances`. */
  within(distances: readonly number[]): number[] {
    let sum = 0,
      next = 0;
    return distances.map((distance) => {
      for (; next <= distance && next < this.#counts.length; next++) sum += this.#counts[next];
      return sum;
    });
  }

  /** The use at a place of the rising list. */
  #at(place: number): number {
    let before = 0;
    for (let distance = 0; distance < this.#counts.length; distance++) {
      before += this.#counts[distance];
      if (before > place) return distance;
    }
    return this.#counts.length - 1;
  }
}

/**
 * Counts, for each use of a block after its first, the different blocks read in between (stack distances: Mattson, Gecsei, Slutz and Traiger, IBM Systems Journal 1970).
 *
 * A tree of partial sums holds how many blocks were read last in each row (as Bennett and Kruskal's of 1975 does for each access). A chain is read head to tail, so blocks that one row read last come again in their order: only the first of them asks the tree.
 */
export function reuseDistances({rows, offsets, ids, distinct}: Pick<Trace, 'rows' | 'offsets' | 'ids' | 'distinct'>): ReuseDistances {
  const read = new RowSums(rows);
  const lastRow = new Int32Array(distinct).fill(-1),
    lastAccess = new Int32Array(distinct);
  const counts = new Int32Array(distinct + 1);
  /** Accesses from … to - 1 that are the last of their block. */
  const lastOnes = (from: number, to: number): number => {
    let count = 0;
    for (let access = from; access < to; access++) if (lastAccess[ids[access]] === access) count++;
    return count;
  };
  for (let row = 0; row < rows; row++) {
    let mine = 0; // blocks that this row has read
    let from = -1, // the row that read the present blocks last, how many of them this one took over, and the latest of these
      taken = 0,
      place = 0;
    let behind = 0, // blocks that `from` read last and behind `place`, and those that the rows after it did
      later = 0;
    for (let access = offsets[row]; access < offsets[row + 1]; access++) {
      const id = ids[access];
      const before = lastRow[id],
        at = lastAccess[id];
      if (before === row) counts[lastOnes(at + 1, access)]++;
      else if (before >= 0) {
        if (before === from && at > place) behind -= lastOnes(place + 1, at + 1);
        else {
          read.add(from, -taken);
          from = before;
          taken = 0;
          behind = lastOnes(at + 1, offsets[before + 1]);
          later = read.after(before);
        }
        place = at;
        counts[behind + later + mine]++;
        taken++;
        mine++;
      } else mine++;
      lastRow[id] = row;
      lastAccess[id] = access;
    }
    read.add(from, -taken);
    read.add(row, mine);
  }
  return new ReuseDistances(counts);
}

/** How many blocks each row read last, as a tree of partial sums. */
class RowSums {
  readonly #sums: Int32Array;
  #total = 0;

  constructor(rows: number) {
    this.#sums = new Int32Array(rows + 1);
  }

  /** Changes a row's count; row -1 is none. */
  add(row: number, change: number): void {
    if (change === 0) return;
    this.#total += change;
    for (let i = row + 1; i < this.#sums.length; i += i & -i) this.#sums[i] += change;
  }

  /** What the rows after `row` have together. */
  after(row: number): number {
    let sum = 0;
    for (let i = row + 1; i > 0; i -= i & -i) sum += this.#sums[i];
    return this.#total - sum;
  }
}
