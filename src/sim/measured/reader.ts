import type {MeasuredRun} from './measured-run.js';

/** The files of a measured run: their unpacked text by name. */
export type MeasuredFiles = ReadonlyMap<string, string>;

/** Reads one format of measured runs. */
export interface MeasuredReader {
  readonly description: string;
  /** Whether the files are of this format, by their names and first characters. */
  matches(files: MeasuredFiles): boolean;
  /** Throws InputError that names file, place and rule. */
  read(files: MeasuredFiles): MeasuredRun[];
}

/** Name and text of the first file whose name `test` accepts. */
export function fileNamed(files: MeasuredFiles, test: RegExp): readonly [string, string] | null {
  for (const [name, text] of files) if (test.test(name)) return [name, text];
  return null;
}
