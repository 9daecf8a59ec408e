import {InputError} from '../../core/errors.js';

/** Where something was written: a position in a file, or a flag of the command line. */
export interface Place {
  /** As the user named it, from the current folder; '' for a flag. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** For example `--set`: the fault is then cited as `--set kv.tiers.dram`. */
  readonly flag?: string;
}

/** A fault, or a key that is known and not simulated, at its place. */
export interface Fault {
  readonly at: Place;
  readonly path: string;
  readonly message: string;
  /** The message says itself where. */
  readonly placed?: boolean;
}

const most = 10;

/** Collects the faults of a scenario, so that all are told at once. */
export class Faults {
  readonly #list: Fault[] = [];

  get size(): number {
    return this.#list.length;
  }

  add(at: Place, path: string, message: string): void {
    this.#list.push({at, path, message});
  }

  /** Whether a fault asks already whether this key was meant. */
  suggests(key: string): boolean {
    return this.#list.some(({message}) => message.includes(`(did you mean "${key}"?)`));
  }

  /** Adds a fault that names its own place, such as a line of a trace; `at` decides only the order. */
  addPlaced(at: Place, message: string): void {
    this.#list.push({at, path: '', message, placed: true});
  }

  /** Calls `work` and adds what it refuses; returns undefined then. */
  catch<T>(at: Place, path: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.addError(at, path, error);
      return undefined;
    }
  }

  /** Adds an InputError fault by fault, and throws anything else on. A fault that begins with a line of `file` keeps its own place. */
  addError(at: Place, path: string, error: unknown, file?: string): void {
    if (!(error instanceof InputError)) throw error;
    if (file !== undefined && error.faults.every((message) => message.startsWith(`${file}:`) && /^:\d/.test(message.slice(file.length)))) {
      for (const message of error.faults) this.addPlaced(at, message);
      return;
    }
    for (const message of error.faults) this.add(at, path, message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message);
  }

  /** Leaves out faults inside of another that was told: `weights.read` inside of `weights`. */
  outermost(): Faults {
    const kept = new Faults();
    const paths = new Set(this.#list.map(({path}) => path));
    const inside = (path: string) => [...path.matchAll(/\./g)].some(({index}) => paths.has(path.slice(0, index)));
    for (const fault of this.#list) if (!inside(fault.path)) kept.#list.push(fault);
    return kept;
  }

  /** Throws InputError with one line a fault, in the order of the file, at most ten, when there is any. */
  throwAny(): void {
    if (this.#list.length === 0) return;
    const sorted = [...this.#list].sort((a, b) => byFile(a, b, this.#list) || a.at.line - b.at.line || a.at.column - b.at.column);
    const lines = [...new Set(sorted.map(line))];
    const more = lines.length - most;
    throw new InputError(more > 0 ? [...lines.slice(0, most), `and ${more} more fault${more === 1 ? '' : 's'}`] : lines);
  }
}

/** Files keep the order in which their first fault was found. */
function byFile(a: Fault, b: Fault, all: readonly Fault[]): number {
  if (a.at.file === b.at.file) return 0;
  return all.findIndex(({at}) => at.file === a.at.file) - all.findIndex(({at}) => at.file === b.at.file);
}

/** Another place as a message at `here` cites it: a flag, or the line, with its file where that is another one. */
export function placeFrom(here: Place, {file, line, column, flag}: Place): string {
  return flag ?? `${file === here.file ? '' : `${file}:`}${line}:${column}`;
}

/** One line: `file:line:column path: message`. */
function line({at, path, message, placed}: Fault): string {
  if (placed) return visible(message);
  const where = at.flag === undefined ? `${at.file}:${at.line}:${at.column}` : at.flag;
  return visible(path === '' ? `${where} ${message}` : `${where} ${path}: ${message}`);
}

/** Makes control characters visible, so that a hostile name can neither break the line nor drive the terminal. */
export function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: making them visible is what it is for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
