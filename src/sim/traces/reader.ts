/** One request as a trace records it. */
export interface TraceRow {
  /** Whole ns from an origin of the reader's choice. */
  readonly time: number;
  readonly input: number;
  readonly output: number;
  /** Block ids of the prompt, prefix-inclusive, or null when the trace has none. */
  readonly ids: readonly number[] | null;
}

/** Stops reading: `field` of the line being read breaks `rule`. */
export type Fail = (field: string, rule: string) => never;

/** What knows one trace format. */
export interface TraceReader {
  /** One line for `tiercast list traces`. */
  readonly description: string;
  /** Tokens per id, or 0 when the format has no ids. */
  readonly blockSize: number;
  /** What the file calls the quantities of a row. */
  readonly fields: {readonly time: string; readonly input: string; readonly output: string; readonly ids: string};
  /** What the file's times count. */
  readonly unit: string;
  /** Whether a file whose first line is `head` has this format. */
  matches(head: string): boolean;
  /** Rows in file order. Lines come without their end; empty ones are left out. */
  read(lines: Iterable<string>, fail: Fail): Iterable<TraceRow>;
  /** Where `field` stands in `line`, from 1 as editors count, or 0; `head` is the file's first line. */
  column(line: string, field: string, head: string): number;
  /** What the file holds that is not read, given its first line; empty when nothing. */
  unread(head: string): readonly string[];
}
