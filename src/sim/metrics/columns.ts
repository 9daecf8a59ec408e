import type {RequestColumns} from './record.js';
import type {ReplicaGaps} from './token-clock.js';

/** One request as it ended; times in ns, NaN = not applicable. */
export interface RequestRow {
  id: number;
  session: number;
  turn: number;
  /** Index into the names of classes. */
  class: number;
  replica: number;
  arrival: number;
  scheduled: number;
  firstToken: number;
  finished: number;
  /** Index into `ends` and `reasons`. */
  end: number;
  reason: number;
  input: number;
  output: number;
  hit: number;
  hitInfinite: number;
  computed: number;
  preemptions: number;
  /** ns that blocks from below took to load. */
  load: number;
  /** ns of the longest gap between two of its tokens. */
  longestGap: number;
  /** Prompt tokens found below HBM at the first lookup, by tier; null: none. */
  below: Int32Array | null;
}

/** The requests that ended, as columns that grow by doubling. */
export class GrowingColumns {
  rows = 0;
  #columns: Columns;

  /** `tiers` is how many memories there are below HBM. */
  constructor(tiers: number) {
    this.#columns = allocate(1024, tiers);
  }

  add(row: RequestRow): void {
    if (this.rows === this.#columns.id.length) this.#columns = copied(this.#columns, 2 * this.rows, this.rows);
    const c = this.#columns;
    const i = this.rows++;
    c.id[i] = row.id;
    c.session[i] = row.session;
    c.turn[i] = row.turn;
    c.class[i] = row.class;
    c.replica[i] = row.replica;
    c.arrival[i] = row.arrival;
    c.scheduled[i] = row.scheduled;
    c.firstToken[i] = row.firstToken;
    c.finished[i] = row.finished;
    c.end[i] = row.end;
    c.reason[i] = row.reason;
    c.input[i] = row.input;
    c.output[i] = row.output;
    c.hit[i] = row.hit;
    c.hitInfinite[i] = row.hitInfinite;
    c.computed[i] = row.computed;
    c.preemptions[i] = row.preemptions;
    c.load[i] = row.load;
    c.longestGap[i] = row.longestGap;
    for (let t = 0; t < c.hitBelow.length; t++) c.hitBelow[t][i] = row.below === null ? 0 : row.below[t];
  }

  /** The columns, exactly `rows` long. */
  take(gaps: readonly ReplicaGaps[], classes: readonly string[]): RequestColumns {
    return {rows: this.rows, gaps, classes, ...copied(this.#columns, this.rows, this.rows)};
  }
}

type Columns = ReturnType<typeof allocate>;

function allocate(rows: number, tiers: number) {
  return {
    id: new Int32Array(rows),
    session: new Int32Array(rows),
    turn: new Int32Array(rows),
    class: new Int32Array(rows),
    replica: new Uint16Array(rows),
    arrival: new Float64Array(rows),
    scheduled: new Float64Array(rows),
    firstToken: new Float64Array(rows),
    finished: new Float64Array(rows),
    end: new Uint8Array(rows),
    reason: new Uint8Array(rows),
    input: new Int32Array(rows),
    output: new Int32Array(rows),
    hit: new Int32Array(rows),
    hitInfinite: new Int32Array(rows),
    computed: new Int32Array(rows),
    preemptions: new Int32Array(rows),
    load: new Float64Array(rows),
    longestGap: new Float64Array(rows),
    hitBelow: Array.from({length: tiers}, () => new Int32Array(rows)),
  };
}

function copied(from: Columns, rows: number, kept: number): Columns {
  const to = allocate(rows, from.hitBelow.length);
  for (const key of Object.keys(to) as (keyof Columns)[]) {
    const source = from[key];
    const target = to[key];
    if (Array.isArray(source)) for (const [t, column] of source.entries()) (target as Int32Array[])[t].set(column.subarray(0, kept));
    else (target as Float64Array).set(source.subarray(0, kept));
  }
  return to;
}
