/** A knob's value as a scenario writes it. */
export type KnobValue = string | number | boolean | null | readonly unknown[] | Readonly<Record<string, unknown>>;

/** A key of a scenario and its value, as a file writes both. */
export interface KeySetting {
  readonly path: string;
  readonly value: string | number | boolean;
}

/** What a knob comes to: keys, nothing that changes a run, or a refusal; `why` is a clause. */
export type Outcome =
  | {readonly kind: 'keys'; readonly keys: readonly KeySetting[]}
  | {readonly kind: 'nothing' | 'refused'; readonly why: string};

/** What a preset must know of the deployment and of its other knobs. */
export interface KnobFacts {
  /** Devices of the replica: sizes of many engines are of one of them. */
  readonly ranks: number;
  /** Replicas that share the host memory: 1 where each has its own. */
  readonly pooled: number;
  /** Tokens of a block in HBM. */
  readonly blockTokens: number;
  /** Who leaves HBM when room is needed, where the scenario says it; else null. */
  readonly hbmEviction: string | null;
  /** Every knob's value, written or by default. */
  readonly values: Readonly<Record<string, KnobValue>>;
}

/** A knob by its published name: what it takes, what it is when nobody says, and what it comes to. */
export interface Knob {
  readonly takes: 'count' | 'number' | 'flag' | 'text' | 'list' | 'map' | readonly string[];
  readonly default: KnobValue;
  becomes(value: KnobValue, facts: KnobFacts): Outcome;
}

/** How an engine keeps KV below HBM: its knobs, the keys that hold whatever they say, and what of it is not simulated. */
export interface OffloadPreset {
  /** One line for lists. */
  readonly about: string;
  readonly source: string;
  readonly knobs: Readonly<Record<string, Knob>>;
  /** Keys that hold whatever the knobs say; those of a memory that is not used are left away. */
  readonly always: readonly KeySetting[];
  /** Keys that hold, too, where there are several replicas: what they share. */
  readonly several?: readonly KeySetting[];
  /** What the engine does otherwise, one clause each. */
  readonly leftOut: readonly string[];
  /** Why a memory below HBM is not used with these knobs, null when it is. */
  unused(memory: 'dram' | 'ssd' | 'remote', facts: KnobFacts): string | null;
}

/** A key and its value. */
export function set(path: string, value: KeySetting['value']): KeySetting {
  return {path, value};
}

/** A knob that becomes keys. */
export function keys(...settings: readonly KeySetting[]): Outcome {
  return {kind: 'keys', keys: settings};
}

/** A knob that changes nothing in a run. */
export function nothing(why: string): Outcome {
  return {kind: 'nothing', why};
}

/** A value that no key stands for. */
export function refused(why: string): Outcome {
  return {kind: 'refused', why};
}

/** A knob that is simulated at its default only. */
export function only(takes: Knob['takes'], value: KnobValue, why: string): Knob {
  const wanted = JSON.stringify(value);
  return {takes, default: value, becomes: (given) => (JSON.stringify(given) === wanted ? nothing('as it is') : refused(why))};
}

/** A knob that no run depends on, whatever it is. */
export function idle(takes: Knob['takes'], value: KnobValue, why: string): Knob {
  return {takes, default: value, becomes: () => nothing(why)};
}
