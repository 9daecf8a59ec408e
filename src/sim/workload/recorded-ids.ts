import type {Trace} from '../traces/trace.js';
import type {IdPool} from './block-ids.js';
import type {Chain} from './chain.js';
import type {SessionRows} from './session-rows.js';

/**
 * The engine's blocks of a trace: its ids, cut to another block size. One of its blocks becomes several, or the last of several (ids are prefix-inclusive) stands for one.
 *
 * Ids that one session alone uses go back when it ends; without sessions, and where several use them, they stay.
 */
export class RecordedIds {
  readonly #trace: Trace;
  readonly #rows: SessionRows;
  readonly #pool: IdPool;
  readonly #size: number;
  /** Engine blocks that a recorded one is cut into; 1 when engine blocks are larger. */
  readonly #parts: number;
  /** Recorded blocks that make an engine block; 1 when these are smaller. */
  readonly #stride: number;
  /** First engine id of the shared ones. */
  readonly #base: number;
  /** By id: its place among the shared ones, or ~place among those of its session; null: all are shared, in their order. */
  readonly #places: Int32Array | null;
  /** By session: ids that it alone uses. */
  readonly #owned: Int32Array | null;

  constructor(trace: Trace, rows: SessionRows, pool: IdPool, size: number) {
    this.#trace = trace;
    this.#rows = rows;
    this.#pool = pool;
    this.#size = size;
    this.#parts = Math.max(1, trace.blockSize / size);
    this.#stride = Math.max(1, size / trace.blockSize);
    const places = trace.sessions === null ? null : placesOf(trace, trace.sessions, rows.count);
    this.#places = places?.places ?? null;
    this.#owned = places?.owned ?? null;
    this.#base = pool.share((places?.shared ?? trace.distinct) * this.#parts);
  }

  /** Engine blocks of a row's prompt that can be shared, and all that prompt and answer take. */
  blocks(row: number): {shared: number; all: number} {
    const {inputs, outputs, offsets, blockSize} = this.#trace;
    const covered = Math.min(inputs[row], (offsets[row + 1] - offsets[row]) * blockSize);
    return {shared: Math.floor(covered / this.#size), all: Math.ceil((inputs[row] + outputs[row]) / this.#size)};
  }

  /** Hands out what a session alone uses: its ids, then the unshared ends of its turns, each its own. Returns where each turn's end starts. */
  allocate(index: number, session: number): {base: number; ends: Int32Array} {
    const turns = this.#rows.turns(index);
    const ends = new Int32Array(turns);
    let count = (this.#owned?.[index] ?? 0) * this.#parts;
    for (let turn = 0; turn < turns; turn++) {
      ends[turn] = count;
      const {shared, all} = this.blocks(this.#rows.row(index, turn));
      count += all - shared;
    }
    return {base: this.#pool.allocate(session, count), ends};
  }

  /** The chain of a row; `own` is where its session's ids begin, `end` where its unshared blocks do. */
  chain(row: number, own: number, end: number): Chain {
    const bases: number[] = [],
      counts: number[] = [];
    const append = (id: number, count: number): void => {
      const last = bases.length - 1;
      if (last >= 0 && bases[last] + counts[last] === id) counts[last] += count;
      else {
        bases.push(id);
        counts.push(count);
      }
    };
    const {offsets, ids} = this.#trace;
    const {shared, all} = this.blocks(row);
    const parts = this.#parts,
      places = this.#places;
    for (let i = this.#stride - 1, done = 0; done < shared; i += this.#stride, done += parts) {
      const id = ids[offsets[row] + i];
      const place = places === null ? id : places[id];
      append(place >= 0 ? this.#base + place * parts : own + ~place * parts, Math.min(parts, shared - done));
    }
    append(own + end, all - shared); // never empty: every row generates
    return {bases, counts, blocks: all};
  }
}

/** Tells ids that one session uses from those that several do, and numbers each kind in order. */
function placesOf(
  {ids, offsets, distinct, rows}: Trace,
  sessions: Int32Array,
  count: number,
): {places: Int32Array; owned: Int32Array; shared: number} {
  const UNSEEN = -1,
    SEVERAL = -2;
  const owners = new Int32Array(distinct).fill(UNSEEN);
  for (let row = 0; row < rows; row++) {
    for (let i = offsets[row]; i < offsets[row + 1]; i++) {
      const owner = owners[ids[i]];
      if (owner === UNSEEN) owners[ids[i]] = sessions[row];
      else if (owner !== sessions[row]) owners[ids[i]] = SEVERAL;
    }
  }
  const places = new Int32Array(distinct);
  const owned = new Int32Array(count);
  let shared = 0;
  for (let id = 0; id < distinct; id++) {
    if (owners[id] >= 0) places[id] = ~owned[owners[id]]++;
    else places[id] = shared++;
  }
  return {places, owned, shared};
}
