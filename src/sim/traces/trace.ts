/**
 * A recorded workload: columns of equal length, in file order.
 *
 * Formats differ in block size and in whether they carry ids; times are ns from the first row.
 */
export interface Trace {
  readonly format: string;
  readonly rows: number;
  /** ns from the start, never falling. */
  readonly times: Float64Array;
  readonly inputs: Int32Array;
  readonly outputs: Int32Array;
  /** Tokens per id, or 0 when the trace has none. */
  readonly blockSize: number;
  /** Row r has ids[offsets[r] … offsets[r + 1]): dense, prefix-inclusive, the last one may cover a partial block. */
  readonly offsets: Int32Array;
  readonly ids: Int32Array;
  /** Ids are below it. */
  readonly distinct: number;
  /** What a reader should know: ties, unit, resolution. */
  readonly notes: readonly {readonly code: string; readonly text: string}[];
}
