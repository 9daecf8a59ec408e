import {widened} from '../core/widened.js';
import type {Fail, Ids, TraceReader, TraceRow} from './reader.js';

const MAX_TOKENS = 2 ** 31 - 1;

/** Collects rows into columns, and checks what holds for every format. */
export class Columns {
  rows = 0;
  times = new Float64Array(4096);
  inputs = new Int32Array(4096);
  outputs = new Int32Array(4096);
  offsets = new Int32Array(4097);
  /** Ids as written, in runs of consecutive ones: row r has runs runOffsets[r] … runOffsets[r + 1]. */
  firsts = new Float64Array(4096);
  counts = new Int32Array(4096);
  runOffsets = new Int32Array(4097);
  /** By row; empty when rows have none. */
  sessions = new Int32Array(0);
  gaps = new Float64Array(0);
  kinds = new Uint8Array(0);
  readonly sessionNames = new Map<string, number>();
  readonly kindNames = new Map<string, number>();
  readonly #reader: TraceReader;
  readonly #fail: Fail;
  #origin = 0;
  #latest = 0;
  #has = {ids: false, session: false, gap: false, kind: false};

  constructor(reader: TraceReader, fail: Fail) {
    this.#reader = reader;
    this.#fail = fail;
  }

  /** What the rows carry beside times and lengths. */
  get has(): Readonly<Record<'ids' | 'session' | 'gap' | 'kind', boolean>> {
    return this.#has;
  }

  add({time, input, output, ids, session, gap, kind}: TraceRow): void {
    const {fields} = this.#reader;
    const row = this.rows;
    if (row === 0) {
      if (!this.#reader.bySession) this.#origin = this.#latest = time;
      this.#has = {ids: ids !== null, session: session !== undefined, gap: gap !== undefined, kind: kind !== undefined};
    }
    if (!this.#reader.bySession && time < this.#latest)
      this.#fail(fields.time, `${(this.#latest - time) / 1e9} s before the row above; rows are in order of time`);
    this.#latest = time;
    this.#checkTokens(fields.input, input);
    this.#checkTokens(fields.output, output);
    if (row === this.times.length) this.#growRows();
    this.times[row] = time - this.#origin;
    this.inputs[row] = input;
    this.outputs[row] = output;
    this.#addIds(row, input, ids);
    this.#addPlace(row, session, gap, kind);
    this.rows++;
  }

  #checkTokens(field: string, tokens: number): void {
    if (tokens < 1) this.#fail(field, `${tokens} tokens; a request has at least 1`);
    if (tokens > MAX_TOKENS) this.#fail(field, `${tokens} tokens are more than a request can have (${MAX_TOKENS})`);
  }

  #addIds(row: number, input: number, ids: Ids | null): void {
    if ((ids !== null) !== this.#has.ids) {
      this.#fail(
        this.#reader.fields.ids,
        `${ids === null ? 'missing, but' : 'given, but not'} in the rows above; all rows have them or none`,
      );
    }
    this.runOffsets[row + 1] = this.runOffsets[row];
    let length = 0;
    if (ids !== null) {
      if ('runs' in ids) for (const [first, count] of ids.runs) length += this.#append(row, first, count);
      else for (const id of ids) length += this.#append(row, id, 1);
      checkCover(this.#reader, this.#fail, input, length);
    }
    const end = this.offsets[row] + length;
    if (end > MAX_IDS)
      this.#fail(this.#reader.fields.ids, `more than ${MAX_IDS} ids so far, which no trace is read with; cut it into parts`);
    this.offsets[row + 1] = end;
  }

  /** Adds a run, to the one before it where it goes on there. */
  #append(row: number, first: number, count: number): number {
    const end = this.runOffsets[row + 1];
    if (end > this.runOffsets[row] && this.firsts[end - 1] + this.counts[end - 1] === first) this.counts[end - 1] += count;
    else {
      if (end === this.firsts.length) {
        this.firsts = widened(this.firsts, end * 2);
        this.counts = widened(this.counts, end * 2);
      }
      this.firsts[end] = first;
      this.counts[end] = count;
      this.runOffsets[row + 1] = end + 1;
    }
    return count;
  }

  #addPlace(row: number, session: string | undefined, gap: number | undefined, kind: string | undefined): void {
    if (session !== undefined) {
      if (row >= this.sessions.length) this.sessions = widened(this.sessions, Math.max(4096, row * 2));
      this.sessions[row] = numbered(this.sessionNames, session);
    }
    if (gap !== undefined) {
      if (row >= this.gaps.length) this.gaps = widened(this.gaps, Math.max(4096, row * 2));
      this.gaps[row] = gap;
    }
    if (kind !== undefined) {
      if (row >= this.kinds.length) this.kinds = widened(this.kinds, Math.max(4096, row * 2));
      this.kinds[row] = numbered(this.kindNames, kind);
      if (this.kindNames.size > MOST_KINDS) this.#fail('kind', `more than ${MOST_KINDS} different kinds`);
    }
  }

  #growRows(): void {
    const length = this.times.length * 2;
    this.times = widened(this.times, length);
    this.inputs = widened(this.inputs, length);
    this.outputs = widened(this.outputs, length);
    this.offsets = widened(this.offsets, length + 1);
    this.runOffsets = widened(this.runOffsets, length + 1);
  }
}

const MAX_IDS = 2 ** 29; // they stand in one typed array
const MOST_KINDS = 256;

function numbered(names: Map<string, number>, name: string): number {
  let number = names.get(name);
  if (number === undefined) names.set(name, (number = names.size));
  return number;
}

/** Fails unless a row's ids cover its prompt. */
export function checkCover({blockSize: size, partialIds, fields}: TraceReader, fail: Fail, input: number, length: number): void {
  const round = partialIds ? Math.ceil : Math.floor;
  const needed = round(input / size);
  if (length === needed) return;
  const rule = `${partialIds ? 'ceil' : 'floor'}(${input} / ${size}) = ${needed} are needed`;
  fail(fields.ids, `${length} ids cover ${grouped(length * size)} of ${grouped(input)} prompt tokens; ${rule}`);
}

/** 1234567 → "1,234,567". */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
