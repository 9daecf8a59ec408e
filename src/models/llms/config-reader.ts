/** Fields of a config.json may not exceed these; larger ones are typing errors or attacks, not models. */
const limits: Readonly<Record<string, number>> = {
  num_hidden_layers: 1024,
  num_attention_heads: 4096,
  hidden_size: 2 ** 20,
  vocab_size: 2 ** 26,
  max_position_embeddings: 2 ** 31,
};
const DEFAULT_LIMIT = 2 ** 26;

/**
 * Reads numbers and flags of a Hugging Face config.json and collects what is wrong with them.
 *
 * A faulty field reads as 1, so that all faults of a file are found in one pass; `faults` must be empty before the result is used.
 */
export class ConfigReader {
  readonly faults: string[] = [];
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>>) {
    this.#fields = fields;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#fields, key) && this.#fields[key] !== null && this.#fields[key] !== undefined;
  }

  value(key: string): unknown {
    return this.has(key) ? this.#fields[key] : undefined;
  }

  /** A whole number ≥ 1, or `fallback` when the field is absent or null. */
  count(key: string, fallback?: number): number {
    return this.#whole(key, 1, fallback);
  }

  /** A whole number ≥ 0, or `fallback`. */
  countOrZero(key: string, fallback?: number): number {
    return this.#whole(key, 0, fallback);
  }

  /** The first of `keys` that is present, as a whole number ≥ 1; `fallback` when none is. */
  firstCount(keys: readonly string[], fallback?: number): number {
    return this.count(keys.find((key) => this.has(key)) ?? keys[0], fallback);
  }

  flag(key: string, fallback: boolean): boolean {
    if (!this.has(key)) return fallback;
    const value = this.#fields[key];
    if (typeof value === 'boolean') return value;
    this.fault(key, `${show(value)} is not true or false`);
    return fallback;
  }

  list(key: string): readonly unknown[] | null {
    if (!this.has(key)) return null;
    const value = this.#fields[key];
    if (Array.isArray(value)) return value;
    this.fault(key, `${show(value)} is not a list`);
    return null;
  }

  fault(key: string, text: string): void {
    this.faults.push(`${key}: ${text}`);
  }

  #whole(key: string, least: number, fallback?: number): number {
    if (!this.has(key)) {
      if (fallback !== undefined) return fallback;
      this.fault(key, 'is missing; a Hugging Face config.json of this model_type states it');
      return 1;
    }
    const value = this.#fields[key];
    const most = Object.hasOwn(limits, key) ? limits[key] : DEFAULT_LIMIT;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    this.fault(key, `${show(value)} is not a whole number from ${least} to ${most}`);
    return 1;
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
