/** All flags of `engine.args` as written, by name. */
export type Flags = Readonly<Record<string, unknown>>;

type Value = string | number | boolean;

/** Why a flag, or a value of one, maps to nothing. */
export interface Refused {
  readonly refused: string;
}

/** A flag of an engine: the keys that say the same, or why there are none. */
export type Flag =
  | {
      readonly paths: readonly string[];
      /** The value of each path; null leaves its key alone. Undefined when the written value has no counterpart. */
      readonly values: (written: unknown, flags: Flags) => readonly (Value | null)[] | Refused | undefined;
    }
  | Refused;

/** A flag that means what a key means, in the same words. */
export function same(path: string): Flag {
  return {paths: [path], values: (written) => [written as Value]};
}

/** A flag whose values have other names than the key's. */
export function named(path: string, names: Readonly<Record<string, Value>>): Flag {
  return {
    paths: [path],
    values: (written) => (Object.hasOwn(names, String(written)) ? [names[String(written)]] : undefined),
  };
}

/** A flag whose value is the name of a format. */
export function text(path: string): Flag {
  return {paths: [path], values: (written) => [String(written)]};
}

/** A flag that this version does not simulate, and why or what to do instead. */
export function refused(why: string): Flag {
  return {refused: why};
}

/** PyTorch's names of the types that activations can have. */
export const dtypes: Readonly<Record<string, string>> = {
  bfloat16: 'bf16',
  float16: 'fp16',
  half: 'fp16',
  float32: 'fp32',
  float: 'fp32',
};
