import {widened} from '../core/widened.js';
import type {Fail, TraceReader, TraceRow} from './reader.js';

const MAX_TOKENS = 2 ** 31 - 1;

/** Collects rows into columns, and checks what holds for every format. */
export class Columns {
  rows = 0;
  times = new Float64Array(4096);
  inputs = new Int32Array(4096);
  outputs = new Int32Array(4096);
  offsets = new Int32Array(4097);
  /** As written, one request after the other. */
  ids = new Float64Array(65_536);
  readonly #reader: TraceReader;
  readonly #fail: Fail;
  #origin = 0;
  #latest = 0;
  #withIds = false;

  constructor(reader: TraceReader, fail: Fail) {
    this.#reader = reader;
    this.#fail = fail;
  }

  /** Whether the rows carry ids. */
  get withIds(): boolean {
    return this.#withIds;
  }

  add({time, input, output, ids}: TraceRow): void {
    const {fields} = this.#reader;
    const row = this.rows;
    if (row === 0) {
      this.#origin = this.#latest = time;
      this.#withIds = ids !== null;
    }
    if (time < this.#latest) this.#fail(fields.time, `${(this.#latest - time) / 1e9} s before the row above; rows are in order of time`);
    this.#latest = time;
    this.#checkTokens(fields.input, input);
    this.#checkTokens(fields.output, output);
    if (row === this.times.length) this.#growRows();
    this.times[row] = time - this.#origin;
    this.inputs[row] = input;
    this.outputs[row] = output;
    this.#addIds(row, input, ids);
    this.rows++;
  }

  #checkTokens(field: string, tokens: number): void {
    if (tokens < 1) this.#fail(field, `${tokens} tokens; a request has at least 1`);
    if (tokens > MAX_TOKENS) this.#fail(field, `${tokens} tokens are more than a request can have (${MAX_TOKENS})`);
  }

  #addIds(row: number, input: number, ids: readonly number[] | null): void {
    const start = this.offsets[row];
    if (ids === null ? this.#withIds : !this.#withIds) {
      this.#fail(
        this.#reader.fields.ids,
        `${ids === null ? 'missing, but' : 'given, but not'} in the rows above; all rows have them or none`,
      );
    }
    const length = ids?.length ?? 0;
    this.offsets[row + 1] = start + length;
    if (ids === null) return;
    const size = this.#reader.blockSize;
    const needed = Math.ceil(input / size);
    if (length !== needed) {
      const covered = grouped(length * size);
      this.#fail(
        this.#reader.fields.ids,
        `${length} ids cover ${covered} of ${grouped(input)} prompt tokens; ceil(${input} / ${size}) = ${needed} are needed`,
      );
    }
    if (start + length > this.ids.length) this.ids = widened(this.ids, Math.max(start + length, this.ids.length * 2));
    for (let i = 0; i < length; i++) this.ids[start + i] = ids[i];
  }

  #growRows(): void {
    const length = this.times.length * 2;
    this.times = widened(this.times, length);
    this.inputs = widened(this.inputs, length);
    this.outputs = widened(this.outputs, length);
    this.offsets = widened(this.offsets, length + 1);
  }
}

/** 1234567 → "1,234,567". */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
