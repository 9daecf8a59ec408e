import {InputError} from '../core/errors.js';

const CHUNK = 2 ** 16;
/** The longest line that is read, in bytes. */
export const MAX_LINE = 2 ** 24;

/** The lines of a text file that are not empty, and where the reading stands. */
export class Lines implements Iterable<string> {
  /** Number of the line given last, from 1. */
  number = 0;
  text = '';
  readonly #bytes: Uint8Array | Iterable<Uint8Array>;
  readonly #file: string;

  /** The whole text, or pieces of it that end where a line ends and can be gone through again. */
  constructor(bytes: Uint8Array | Iterable<Uint8Array>, file: string) {
    this.#bytes = bytes;
    this.#file = file;
  }

  *[Symbol.iterator](): Iterator<string> {
    this.number = 0;
    for (const chunk of this.#chunks()) {
      for (const text of chunk.split('\n')) {
        this.number++;
        if (text.length === 0) continue;
        this.text = text.charCodeAt(text.length - 1) === CARRIAGE_RETURN ? text.slice(0, -1) : text;
        if (this.text.charCodeAt(0) > SPACE || this.text.trim() !== '') yield this.text;
      }
    }
  }

  /** Stops with the place of the line given last; column 0 is left out. */
  fail(column: number, what: string): never {
    throw new InputError(`${this.#file}:${this.number}${column > 0 ? `:${column}` : ''} ${printable(what)}`);
  }

  /** Texts that end where a line ends, so that no file is too long to be one string. */
  *#chunks(): Iterable<string> {
    const bytes = this.#bytes;
    const decoder = new TextDecoder();
    if (!(bytes instanceof Uint8Array)) {
      for (const piece of bytes) yield decoder.decode(piece);
      return;
    }
    for (let start = 0; start < bytes.length; ) {
      let end = start + CHUNK < bytes.length ? bytes.lastIndexOf(NEWLINE, start + CHUNK) : bytes.length;
      if (end < start) end = this.#longLine(bytes, start);
      yield decoder.decode(bytes.subarray(start, end));
      start = end + 1;
    }
  }

  /** The end of the line at `start`, which is longer than a chunk. */
  #longLine(bytes: Uint8Array, start: number): number {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found === -1 ? bytes.length : found;
    if (end - start <= MAX_LINE) return end;
    this.number++;
    return this.fail(0, `line: it is ${end - start} bytes long; a row has at most ${MAX_LINE} (16 MiB)`);
  }
}

/** At most 300 characters, control characters shown as \u001b is: what a file says must not steer a terminal. */
export function printable(text: string): string {
  const short = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  return [...short]
    .map((char) => (char < ' ' || (char >= '\x7f' && char < '\xa0') ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char))
    .join('');
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
