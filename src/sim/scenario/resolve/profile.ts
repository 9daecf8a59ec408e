import type {FitJson} from '../../../models/cost/fit/fit.js';
import type {DeviceSpec} from '../../../models/devices/device.js';
import {devices} from '../../../models/devices/index.js';
import {type Figure, type Grade, grades} from '../../../models/provenance.js';
import {InputError} from '../../core/errors.js';
import {lookup, unknownName} from '../../core/registry.js';
import {Faults, type Place} from '../file/fault.js';
import {stemOf} from '../file/paths.js';
import {type Entry, type MapTree, parseTree, plain, type Tree} from '../file/tree.js';

/** A device from a file: the built-in device that it extends, with its own figures in place. */
export interface Profile {
  readonly id: string;
  readonly spec: Omit<DeviceSpec, 'fits'>;
  /** The built-in device that it extends, or null. */
  readonly base: string | null;
  /** Fits of its own by kernel, unread, and where each stands. */
  readonly fits: readonly {readonly kernel: string; readonly json: FitJson; readonly at: Place}[];
  /** Keys that are known and say nothing to this version. */
  readonly unused: readonly string[];
}

const usedKeys = ['profile', 'id', 'kind', 'name', 'vendor', 'extends', 'memory', 'compute', 'links', 'power', 'fits'];
/** For people, and for `tiercast calibrate`. */
const saidKeys = ['quality', 'kernels', 'coverage', 'environment'];
const laterKeys = ['engine'];
const known = [...usedKeys, ...saidKeys, ...laterKeys];

/** Reads a device profile, YAML or JSON. Throws InputError with every fault, each at its place in the file. */
export function readProfile(text: string, file: string): Profile {
  const faults = new Faults();
  const tree = parseTree(text, file, faults);
  faults.throwAny();
  if (tree?.kind !== 'map') throw new InputError(`${file}:1:1 is not a map of keys; a profile has at least memory and compute, or extends`);
  const profile = new ProfileReader(tree, file, faults).read();
  faults.throwAny();
  return profile;
}

class ProfileReader {
  readonly #tree: MapTree;
  readonly #file: string;
  readonly #faults: Faults;

  constructor(tree: MapTree, file: string, faults: Faults) {
    this.#tree = tree;
    this.#file = file;
    this.#faults = faults;
  }

  read(): Profile {
    for (const [name, {key}] of this.#tree.entries) {
      if (!known.includes(name)) this.#faults.add(key, name, unknownName('key', name, known));
    }
    const base = this.#base();
    const kind = this.#text('kind') ?? base?.kind ?? 'gpu';
    if (kind !== 'gpu' && kind !== 'cpu' && kind !== 'soc')
      this.#faults.add(this.#entry('kind')!.tree.at, 'kind', `"${kind}" is not gpu, cpu or soc`);
    const unused = [...laterKeys.filter((name) => this.#tree.entries.has(name)), ...(this.#hasDuplex() ? ['links.*.duplex'] : [])];
    const power = this.#entry('power');
    const {fits: _measured, ...inherited} = base ?? {};
    const spec = {
      ...inherited,
      name: this.#text('name') ?? base?.name ?? stemOf(this.#file),
      kind,
      vendor: this.#text('vendor') ?? base?.vendor ?? 'unknown',
      memory: this.#named('memory', base?.memory, ['capacity', 'bandwidth']),
      compute: this.#figures('compute', base?.compute),
      links: this.#named('links', base?.links, ['bandwidth', 'latency']),
      ...(power === undefined ? {} : {power: this.#figure(power, 'power')}),
    } as DeviceSpec;
    if (Object.keys(spec.memory).length === 0 && this.#faults.size === 0)
      this.#faults.add(this.#tree.at, 'memory', 'missing; a device has at least one memory');
    return {id: this.#text('id') ?? stemOf(this.#file), spec, base: this.#text('extends') ?? null, fits: this.#fits(), unused};
  }

  #fits(): Profile['fits'] {
    return [...this.#map('fits')].flatMap(([kernel, {key, tree}]) => {
      if (tree.kind === 'map') return [{kernel, json: plain(tree) as FitJson, at: key}];
      this.#faults.add(tree.at, `fits.${kernel}`, 'is not a map with a form');
      return [];
    });
  }

  #base(): DeviceSpec | undefined {
    const name = this.#text('extends');
    return name === undefined
      ? undefined
      : this.#faults.catch(this.#entry('extends')!.tree.at, 'extends', () => lookup('device', devices, name));
  }

  #entry(name: string): Entry | undefined {
    return this.#tree.entries.get(name);
  }

  #text(name: string): string | undefined {
    const entry = this.#entry(name);
    return entry?.tree.kind === 'scalar' && entry.tree.value !== null ? entry.tree.source : undefined;
  }

  #map(name: string): ReadonlyMap<string, Entry> {
    const entry = this.#entry(name);
    if (entry === undefined) return new Map();
    if (entry.tree.kind === 'map') return entry.tree.entries;
    this.#faults.add(entry.tree.at, name, 'is not a map of keys');
    return new Map();
  }

  #figures(name: string, base: object = {}): object {
    const own = [...this.#map(name)].map(([key, entry]) => [key, this.#figure(entry, `${name}.${key}`)]);
    return {...base, ...Object.fromEntries(own)};
  }

  /** Maps of figures by name; of each name only the figures stated here are replaced. */
  #named(name: string, base: Readonly<Record<string, object>> = {}, fields: readonly string[]): object {
    const own = [...this.#map(name)].map(([key, {tree}]) => {
      if (tree.kind !== 'map') {
        this.#faults.add(tree.at, `${name}.${key}`, `is not a map with ${fields.join(' and ')}`);
        return [key, {}];
      }
      const stated = [...tree.entries].filter(([field]) => fields.includes(field));
      const figures = stated.map(([field, entry]) => [field, this.#figure(entry, `${name}.${key}.${field}`)]);
      return [key, {...base[key], ...Object.fromEntries(figures)}];
    });
    return {...base, ...Object.fromEntries(own)};
  }

  #hasDuplex(): boolean {
    return [...this.#map('links').values()].some(({tree}) => tree.kind === 'map' && tree.entries.has('duplex'));
  }

  /** A bare value, graded datasheet, or {value, grade, source}. */
  #figure({tree}: Entry, path: string): Figure<string> {
    const where = stemOf(this.#file);
    if (tree.kind === 'scalar') return {value: tree.source, grade: 'datasheet', source: where};
    const {value, grade = 'datasheet', source = where} = plain(tree as Tree) as Partial<Record<string, unknown>>;
    if (typeof value !== 'string') this.#faults.add(tree.at, path, 'is neither a quantity nor {value, grade, source}');
    if (!grades.includes(grade as Grade)) this.#faults.add(tree.at, path, unknownName('grade', String(grade), grades));
    return {value: String(value), grade: grade as Grade, source: String(source)};
  }
}
