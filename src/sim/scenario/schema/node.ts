import type {ZodType} from 'zod';
import type {QuantityKind, QuantityParser} from '../../core/quantity.js';
import {version} from '../../core/version.js';

/** The version as messages name it: `0.1`. */
export const shortVersion = version.split('.').slice(0, 2).join('.');

/** When a key or a name is simulated: from a version on, or in one to come. */
export type Since = '0.1' | 'later';

interface Common {
  /** One line: what it decides. */
  readonly why: string;
  readonly since: Since;
  /** The default as documentation prints it. */
  readonly says?: string;
}

/** A key with a value: the one source of its check, its JSON Schema, its explanation and its default. */
export interface Key extends Common {
  readonly kind: 'key';
  /** For people: `count`, `bytes`, `share`, `name`. */
  readonly type: string;
  /** Completes "… is not": `a whole number of at least 1`. */
  readonly wanted: string;
  /** The default as a file would write it, when it depends on nothing. */
  readonly value?: string | number | boolean;
  /** Names that are simulated, and names that are known for later. */
  readonly names?: readonly string[];
  readonly later?: readonly string[];
  /** What `tiercast list` shows the names under. */
  readonly listing?: string;
  readonly quantity?: QuantityKind;
  /** Whether `${…}` may stand here. */
  readonly computed: boolean;
  readonly zod: ZodType;
  /** Turns the written value into SI; throws InputError. `source` is the scalar as it stands in the file, so that a version `0.10` is not read as 0.1. */
  read(value: unknown, source: string, parse: QuantityParser): unknown;
}

/** A short form: a scalar written where a map belongs. */
export interface ShortForm {
  /** The key that the scalar becomes, by its text. */
  key(text: string): string;
  /** Other keys that come with it. */
  readonly with?: Readonly<Record<string, string>>;
  /** Whether faults are cited at the place as written (`kv.tiers.dram`), not at the long form (`kv.tiers.dram.capacity`). */
  readonly cited?: 'as-written';
}

/** A map with known keys. */
export interface Group extends Common {
  readonly kind: 'group';
  readonly keys: Readonly<Record<string, Node>>;
  readonly short?: ShortForm;
  /** The key that says what the others mean: when it changes, a merge replaces the whole map. */
  readonly kindKey?: string;
  /** Keys that say what kind it is without the kind being written: `from` makes a distribution empirical. */
  readonly implies?: Readonly<Record<string, string>>;
  /** What may stand under any other name: parameters of a policy. */
  readonly others?: Node;
}

/** A map whose names the user or the hardware chooses: `<m>` for memories, `<p>` for pools. */
export interface Family extends Common {
  readonly kind: 'family';
  readonly label: string;
  readonly of: Node;
  /** All names, when they are fixed. */
  readonly names?: readonly string[];
}

/** A list of equal things. */
export interface Sequence extends Common {
  readonly kind: 'sequence';
  readonly of: Node;
}

export type Node = Key | Group | Family | Sequence;

/** Returns what stands under `name` in a map, or null when nothing may. */
export function childOf(node: Node, name: string): Node | null {
  if (node.kind === 'group') return Object.hasOwn(node.keys, name) ? node.keys[name] : (node.others ?? null);
  if (node.kind === 'family') return node.names === undefined || node.names.includes(name) ? node.of : null;
  return null;
}

/** The names that a map knows by itself. */
export function namesIn(node: Node): readonly string[] {
  if (node.kind === 'group') return Object.keys(node.keys);
  return node.kind === 'family' ? (node.names ?? []) : [];
}

/** Makes a group of this version; `since: 'later'` hides all below it. */
export function group(why: string, keys: Readonly<Record<string, Node>>, more: Partial<Omit<Group, 'kind' | 'keys' | 'why'>> = {}): Group {
  return {kind: 'group', why, keys, since: '0.1', ...more};
}

/** Makes a map of `of` by names of the label's kind. */
export function family(why: string, label: string, of: Node, more: Partial<Omit<Family, 'kind' | 'label' | 'of' | 'why'>> = {}): Family {
  return {kind: 'family', why, label, of, since: '0.1', ...more};
}

/** Makes a list of `of`. */
export function sequence(why: string, of: Node, since: Since = '0.1'): Sequence {
  return {kind: 'sequence', why, of, since};
}

/** Marks a node and all below it as known, not simulated yet. */
export function later<T extends Node>(node: T): T {
  return {...node, since: 'later'};
}
