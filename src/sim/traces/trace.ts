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
  /** Row r has ids[offsets[r] … offsets[r + 1]): dense, prefix-inclusive, the last one may cover a partial block. Numbered by first use, session by session where there are sessions. */
  readonly offsets: Int32Array;
  readonly ids: Int32Array;
  /** Ids are below it. */
  readonly distinct: number;
  /** By row: its session, numbered by first use; null when rows are on their own. */
  readonly sessions: Int32Array | null;
  /** By row: ns from the end of the session's answer before to this request; null when only its time is known. */
  readonly gaps: Float64Array | null;
  /** Kinds of work that the trace tells apart, and that of each row; null when it tells none. */
  readonly kinds: {readonly names: readonly string[]; readonly of: Uint8Array} | null;
  /** What a reader should know: ties, unit, resolution. */
  readonly notes: readonly {readonly code: string; readonly text: string}[];
}
