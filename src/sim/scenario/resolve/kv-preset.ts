import {engines} from '../../../models/engines/index.js';
import {offloads} from '../../../models/offloads/index.js';
import type {KeySetting, Knob, KnobFacts, KnobValue, OffloadPreset, Outcome} from '../../../models/offloads/offload.js';
import {unknownName} from '../../core/registry.js';
import {type Faults, placeFrom} from '../file/fault.js';
import {at, type Entry, type MapTree, plain, type ScalarTree, withAt} from '../file/tree.js';
import type {KvKnob, KvPresetUse} from '../scenario.js';
import {shown} from '../schema/values.js';

const below = ['dram', 'ssd', 'remote'] as const;
const sizes = ['capacity', 'of_hbm'] as const;

/** A scenario in which the keys of its offload preset stand in place of the preset, and what each knob became. */
export interface Applied {
  readonly tree: MapTree;
  readonly use: KvPresetUse | null;
}

/** Puts the keys that `kv.preset` and `kv.args` stand for in their place; a key that is written stays. A knob set both ways, unknown or without a key is a fault. */
export function applyKvPreset(tree: MapTree, faults: Faults): Applied {
  const preset = at(tree, ['kv', 'preset']);
  const args = at(tree, ['kv', 'args']);
  if (preset === undefined) {
    if (args !== undefined) faults.add(args.key, 'kv.args', 'there is no kv.preset whose knobs these are');
    return {tree, use: null};
  }
  const name = String(plain(preset.tree));
  if (!Object.hasOwn(offloads, name)) return {tree, use: null}; // the check says so
  const written = args?.tree.kind === 'map' ? args.tree.entries : new Map<string, Entry>();
  return new Application(name, offloads[name], {tree, preset, written, faults}).apply();
}

class Application {
  readonly #name: string;
  readonly #preset: OffloadPreset;
  readonly #given: MapTree;
  readonly #at: Entry;
  readonly #written: ReadonlyMap<string, Entry>;
  readonly #faults: Faults;
  readonly #replicas: number;
  readonly #facts: KnobFacts;
  /** By path: the knob that set it. */
  readonly #setBy = new Map<string, string>();
  #tree: MapTree;

  constructor(
    name: string,
    preset: OffloadPreset,
    {tree, preset: at, written, faults}: {tree: MapTree; preset: Entry; written: ReadonlyMap<string, Entry>; faults: Faults},
  ) {
    this.#name = name;
    this.#preset = preset;
    this.#given = tree;
    this.#at = at;
    this.#written = written;
    this.#faults = faults;
    this.#replicas = countOf(tree, ['cluster', 'replicas']);
    this.#facts = {
      ranks: countOf(tree, ['engine', 'parallel', 'tensor']),
      pooled: preset.several === undefined || writtenText(tree, ['kv', 'tiers', 'dram', 'scope']) === 'replica' ? 1 : this.#replicas,
      blockTokens: blockTokensOf(tree),
      hbmEviction: writtenText(tree, ['kv', 'tiers', 'hbm', 'eviction', 'policy']),
      values: this.#values(),
    };
    this.#tree = ['preset', 'args'].reduce((left, key) => withAt(left, ['kv', key], null, left.at) as MapTree, tree);
  }

  apply(): Applied {
    const {about: _about, source, knobs, always, several = [], leftOut} = this.#preset;
    this.#refuseUnused();
    // Capacities first: without one a memory is not used, and the keys of it are left away.
    const outcomes = Object.entries(knobs).map(([knob, its]) => ({knob, outcome: this.#outcome(knob, its)}));
    const became = new Map<string, string[]>();
    for (const first of [true, false])
      for (const {knob, outcome} of outcomes)
        for (const setting of outcome.kind === 'keys' ? outcome.keys : [])
          if (isSize(setting.path) === first) became.set(knob, [...(became.get(knob) ?? []), this.#put(setting, knob)]);
    for (const setting of this.#replicas > 1 ? [...always, ...several] : always) this.#put(setting, null);
    this.#refuseUnsized();
    const said = outcomes.map(({knob, outcome}): KvKnob => {
      const text = outcome.kind === 'keys' ? [...new Set(became.get(knob) ?? [])].join(', ') : outcome.why;
      return {name: knob, value: textOf(this.#facts.values[knob]), written: this.#written.has(knob), became: text};
    });
    return {tree: this.#tree, use: {name: this.#name, source, knobs: said, leftOut}};
  }

  /** Every knob's value; what is written is checked. */
  #values(): Record<string, KnobValue> {
    const {knobs} = this.#preset;
    for (const [flag, {key}] of this.#written)
      if (!Object.hasOwn(knobs, flag))
        this.#faults.add(key, `kv.args.${flag}`, unknownName(`knob of ${this.#name}`, flag, Object.keys(knobs)));
    return Object.fromEntries(Object.entries(knobs).map(([flag, knob]) => [flag, this.#value(flag, knob)]));
  }

  #value(flag: string, knob: Knob): KnobValue {
    const entry = this.#written.get(flag);
    if (entry === undefined) return knob.default;
    const value = plain(entry.tree) as KnobValue;
    const wrong = whyNot(knob.takes, value);
    if (wrong === null) return value;
    this.#faults.add(entry.tree.at, `kv.args.${flag}`, `${shown(value)} is not ${wrong}`);
    return knob.default;
  }

  #outcome(flag: string, knob: Knob): Outcome {
    const outcome = knob.becomes(this.#facts.values[flag], this.#facts);
    const entry = this.#written.get(flag);
    if (outcome.kind === 'refused')
      this.#faults.add(
        (entry ?? this.#at).tree.at,
        `kv.args.${flag}`,
        `${textOf(this.#facts.values[flag])} has no counterpart: ${outcome.why}`,
      );
    return outcome;
  }

  /** Sets a key unless the scenario does, and says what came of it. */
  #put({path, value}: KeySetting, flag: string | null): string {
    const parts = path.split('.');
    const memory = /^kv\.tiers\.(dram|ssd|remote)\./.exec(path)?.[1] ?? null;
    const mine = this.#own(path, memory);
    const knob = flag === null ? undefined : this.#written.get(flag);
    const other = this.#setBy.get(path);
    if (mine !== undefined) {
      if (knob !== undefined)
        this.#faults.add(knob.key, `kv.args.${flag}`, `set twice: also as ${mine.path} (${placeFrom(knob.key, mine.entry.key)}); keep one`);
      return `${mine.path} as the scenario says`;
    }
    if (other !== undefined) {
      if (knob !== undefined) this.#faults.add(knob.key, `kv.args.${flag}`, `sets ${path}, and so does kv.args.${other}; keep one`);
      return `${path} by ${other}`;
    }
    if (memory !== null && !isSize(path) && sizeIn(this.#tree, memory) === undefined) return `no ${memory}`;
    const isOfLoads = /^kv\.(load|overlap|chunk_size)/.test(path);
    if (isOfLoads && below.every((one) => sizeIn(this.#tree, one) === undefined)) return 'no memory below HBM';
    const scalar: ScalarTree = {
      kind: 'scalar',
      at: (knob ?? this.#at).tree.at,
      value,
      source: String(value),
      cited: knob === undefined ? 'kv.preset' : `kv.args.${flag}`,
    };
    this.#tree = withAt(this.#tree, parts, scalar, (knob ?? this.#at).key) as MapTree;
    if (flag !== null) this.#setBy.set(path, flag);
    return `${path}: ${value}`;
  }

  /** The key of the scenario that says the same, if there is one; a prefetch policy is written as a whole. */
  #own(path: string, memory: string | null): {readonly path: string; readonly entry: Entry} | undefined {
    if (memory !== null && isSize(path)) {
      const entry = sizeIn(this.#given, memory);
      return entry && {path, entry};
    }
    const whole = path.startsWith('kv.prefetch.') ? 'kv.prefetch' : path;
    const entry = at(this.#given, whole.split('.'));
    return entry && {path: whole, entry};
  }

  #refuseUnused(): void {
    for (const memory of below) {
      const entry = at(this.#given, ['kv', 'tiers', memory]);
      if (entry === undefined) continue;
      const why = this.#preset.unused(memory, this.#facts);
      if (why !== null) this.#faults.add(entry.key, `kv.tiers.${memory}`, `${this.#name} does not use it: ${why}`);
    }
  }

  #refuseUnsized(): void {
    for (const memory of below) {
      if (this.#preset.unused(memory, this.#facts) !== null || sizeIn(this.#tree, memory) !== undefined) continue;
      this.#faults.add(this.#at.tree.at, `kv.tiers.${memory}.capacity`, `missing; no knob of ${this.#name} that is written bounds it`);
    }
  }
}

function isSize(path: string): boolean {
  return sizes.some((key) => path.endsWith(`.${key}`));
}

/** The key that says how much of a memory KV gets. */
function sizeIn(tree: MapTree, memory: string): Entry | undefined {
  return sizes.map((key) => at(tree, ['kv', 'tiers', memory, key])).find((entry) => entry !== undefined);
}

/** What a knob's value should have been, or null when it is. */
function whyNot(takes: Knob['takes'], value: unknown): string | null {
  if (typeof takes !== 'string') return takes.includes(value as string) ? null : `one of ${takes.join(', ')}`;
  switch (takes) {
    case 'count':
      return Number.isInteger(value) && Number(value) >= 0 ? null : 'a whole number from 0 on';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? null : 'a number';
    case 'flag':
      return typeof value === 'boolean' ? null : 'true or false';
    case 'text':
      return typeof value === 'string' ? null : 'text';
    case 'list':
      return Array.isArray(value) ? null : 'a list';
    case 'map':
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'a map';
  }
}

/** A knob's value on one line. */
function textOf(value: KnobValue): string {
  return value === null ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A count as written; 1 where nothing, or nothing that counts, is. */
function countOf(tree: MapTree, path: readonly string[]): number {
  const value = Number(writtenText(tree, path) ?? 1);
  return Number.isInteger(value) && value > 0 ? value : 1;
}

function writtenText(tree: MapTree, path: readonly string[]): string | null {
  const written = at(tree, path)?.tree;
  return written === undefined ? null : String(plain(written));
}

/** Tokens of a block as written, else the newest engine's. */
function blockTokensOf(tree: MapTree): number {
  const written = at(tree, ['kv', 'block_size'])?.tree;
  if (written !== undefined) return Number(plain(written));
  const preset = String(plain(at(tree, ['engine', 'preset'])?.tree ?? tree));
  const known = Object.hasOwn(engines, preset) ? engines[preset] : engines.vllm;
  return known.profile(known.versions[known.versions.length - 1]).blockSize;
}
