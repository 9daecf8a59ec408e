/** One request as a trace records it. */
export interface TraceRow {
  /** Whole ns from an origin of the reader's choice. */
  readonly time: number;
  readonly input: number;
  readonly output: number;
  /** Block ids of the prompt, prefix-inclusive, or null when the trace has none. */
  readonly ids: Ids | null;
  /** Which session it belongs to; rows of a session are in its order. All rows have one or none. */
  readonly session?: string;
  /** ns from the end of the session's answer before to this request, where the trace knows it; all rows or none. 0 for the first. */
  readonly gap?: number;
  /** What kind of work it is part of, where the trace tells kinds apart. */
  readonly kind?: string;
}

/** Ids one by one, or as runs of consecutive ones: the first and how many. */
export type Ids = readonly number[] | {readonly runs: readonly (readonly [first: number, count: number])[]};

/** Stops reading: `field` of the line being read breaks `rule`. */
export type Fail = (field: string, rule: string) => never;

/** What knows one trace format. */
export interface TraceReader {
  /** One line for `tiercast list traces`. */
  readonly description: string;
  /** Tokens per id, or 0 when the format has no ids. */
  readonly blockSize: number;
  /** Whether the last id may cover a partial block; otherwise only whole blocks have ids. */
  readonly partialIds: boolean;
  /** What the file calls the quantities of a row. */
  readonly fields: {readonly time: string; readonly input: string; readonly output: string; readonly ids: string};
  /** What the file's times count. */
  readonly unit: string;
  /** Whether a file whose first line is `head` has this format. */
  matches(head: string): boolean;
  /** Whether rows follow each other session by session, each in order of time; otherwise all rows are in order of time. */
  readonly bySession?: true;
  /** Rows in file order. Lines come without their end; empty ones are left out. */
  read(lines: Iterable<string>, fail: Fail): Iterable<TraceRow>;
  /** Where `field` stands in `line`, from 1 as editors count, or 0; `head` is the file's first line. */
  column(line: string, field: string, head: string): number;
  /** What the file holds that is not read, given its first line; empty when nothing. */
  unread(head: string): readonly string[];
}
