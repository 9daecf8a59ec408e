import {InputError} from '../core/errors.js';

/** A JSON value of a file, with the way to it, so that a fault names where it is. */
export class Json {
  readonly #value: unknown;
  readonly #where: string;

  constructor(value: unknown, where: string) {
    this.#value = value;
    this.#where = where;
  }

  /** Parses a file's text. Throws InputError when it is no JSON. */
  static parse(text: string, file: string): Json {
    try {
      return new Json(JSON.parse(text), file);
    } catch (error) {
      throw new InputError(`${file} is not JSON: ${(error as Error).message}`);
    }
  }

  /** Whether the key is there and not null. */
  has(key: string): boolean {
    return this.#field(key) !== undefined && this.#field(key) !== null;
  }

  at(key: string): Json {
    const value = this.#field(key);
    if (value === undefined) throw new InputError(`${this.#where} ${key}: missing`);
    return new Json(value, `${this.#where} ${key}`);
  }

  items(): Json[] {
    if (!Array.isArray(this.#value)) throw new InputError(`${this.#where}: a list is wanted`);
    return this.#value.map((item, i) => new Json(item, `${this.#where}[${i}]`));
  }

  /** A finite number, not negative. */
  number(): number {
    if (typeof this.#value !== 'number' || !Number.isFinite(this.#value) || this.#value < 0)
      throw new InputError(`${this.#where}: ${JSON.stringify(this.#value)} is not a number of 0 or more`);
    return this.#value;
  }

  text(): string {
    if (typeof this.#value !== 'string') throw new InputError(`${this.#where}: ${JSON.stringify(this.#value)} is not a text`);
    return this.#value;
  }

  /** The number at a key, or null when the file does not say. */
  numberOrNull(key: string): number | null {
    return this.has(key) ? this.at(key).number() : null;
  }

  /** The flag at a key, or null when the file does not say. */
  flagOrNull(key: string): boolean | null {
    const value = this.#field(key);
    return typeof value === 'boolean' ? value : null;
  }

  #field(key: string): unknown {
    return typeof this.#value === 'object' && this.#value !== null && Object.hasOwn(this.#value, key)
      ? (this.#value as Record<string, unknown>)[key]
      : undefined;
  }
}
