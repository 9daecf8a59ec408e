import type {EngineProfile} from '../../../models/engines/engine.js';
import {type Figure, type Grade, grades} from '../../../models/provenance.js';
import type {QuantityKind, QuantityParser} from '../../core/quantity.js';
import {unknownName} from '../../core/registry.js';
import {Faults} from '../file/fault.js';
import {type MapTree, parseTree, plain, type Tree} from '../file/tree.js';

/** What an engine profile puts in place of its preset's figures. */
export interface EngineFile {
  readonly preset: string;
  readonly version: string | null;
  apply(base: EngineProfile): EngineProfile;
}

type Put = (engine: EngineProfile, figure: Figure) => EngineProfile;

const overhead =
  (part: keyof EngineProfile['overhead']): Put =>
  (engine, figure) => ({...engine, overhead: {...engine.overhead, [part]: figure}});
const reserve =
  (part: keyof EngineProfile['reserve']): Put =>
  (engine, figure) => ({...engine, reserve: {...engine.reserve, [part]: figure}});

/** Every figure that an engine profile may state, by its path in the file. */
export const engineFigures: Readonly<
  Record<string, {readonly kind: QuantityKind; readonly put: Put; readonly of: (e: EngineProfile) => Figure}>
> = {
  'overhead.step': {kind: 'duration', put: overhead('step'), of: ({overhead: {step}}) => step},
  'overhead.sequence': {kind: 'duration', put: overhead('sequence'), of: ({overhead: {sequence}}) => sequence},
  'overhead.request': {kind: 'duration', put: overhead('request'), of: ({overhead: {request}}) => request},
  'overhead.delivery': {kind: 'duration', put: overhead('delivery'), of: ({overhead: {delivery}}) => delivery},
  launch_per_layer: {
    kind: 'duration',
    put: (engine, figure) => ({...engine, launchPerLayer: figure}),
    of: ({launchPerLayer}) => launchPerLayer,
  },
  'reserve.context': {kind: 'bytes', put: reserve('context'), of: ({reserve: {context}}) => context},
  'reserve.graphs': {kind: 'bytes', put: reserve('graphs'), of: ({reserve: {graphs}}) => graphs},
};

/** What `calibrate fit-engine` says beside the figures; read by people and not by the simulator. */
const notes = ['schema', 'fit'];

/** Reads an engine profile, YAML or JSON, as `calibrate fit-engine` writes it. Throws InputError with every fault at its place. */
export function readEngineFile(text: string, file: string, parse: QuantityParser): EngineFile {
  const faults = new Faults();
  const tree = parseTree(text, file, faults);
  if (tree !== null && tree.kind !== 'map')
    faults.add(tree.at, '', 'is not a map of keys; an engine profile has at least preset and overhead');
  faults.throwAny();
  const read = new EngineFileReader(tree as MapTree, faults, parse).read();
  faults.throwAny();
  return read;
}

class EngineFileReader {
  readonly #tree: MapTree;
  readonly #faults: Faults;
  readonly #parse: QuantityParser;
  readonly #figures: [string, Figure][] = [];
  #inFlight: number | null = null;

  constructor(tree: MapTree, faults: Faults, parse: QuantityParser) {
    this.#tree = tree;
    this.#faults = faults;
    this.#parse = parse;
  }

  read(): EngineFile {
    const text: Record<string, string | null> = {preset: null, version: null};
    for (const [name, {key, tree}] of this.#tree.entries) {
      if (name in text && tree.kind === 'scalar') text[name] = tree.source.replace(/^(["'])(.*)\1$/, '$2');
      else if (name === 'in_flight') this.#readInFlight(tree);
      else if (name === 'overhead' || name === 'reserve') this.#readMap(name, tree);
      else if (name in engineFigures) this.#readFigure(name, tree);
      else if (!notes.includes(name)) this.#faults.add(key, name, unknownName('key', name, [...known, ...notes]));
    }
    if (text.preset === null) this.#faults.add(this.#tree.at, 'preset', 'missing; name the engine, e.g. vllm');
    const [figures, inFlight] = [this.#figures, this.#inFlight];
    return {
      preset: text.preset ?? '',
      version: text.version,
      apply: (base) =>
        figures.reduce((engine, [name, figure]) => engineFigures[name].put(engine, figure), {...base, inFlight: inFlight ?? base.inFlight}),
    };
  }

  #readInFlight(tree: Tree): void {
    const value = tree.kind === 'scalar' ? tree.value : null;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 16) this.#inFlight = value;
    else this.#faults.add(tree.at, 'in_flight', 'is not a number of steps between 1 and 16');
  }

  #readMap(name: string, tree: Tree): void {
    if (tree.kind !== 'map') {
      this.#faults.add(tree.at, name, 'is not a map of figures');
      return;
    }
    for (const [part, entry] of tree.entries) {
      const path = `${name}.${part}`;
      if (path in engineFigures) this.#readFigure(path, entry.tree);
      else this.#faults.add(entry.key, path, unknownName('key', path, Object.keys(engineFigures)));
    }
  }

  /** A quantity, or {value, grade, source}. */
  #readFigure(path: string, tree: Tree): void {
    const stated: Partial<Record<string, unknown>> =
      tree.kind === 'map' ? (plain(tree) as Record<string, unknown>) : {value: tree.kind === 'scalar' ? tree.source : undefined};
    const {value, grade = 'assumed', source = 'the engine profile'} = stated;
    if (typeof value !== 'string') {
      this.#faults.add(tree.at, path, 'is neither a quantity nor {value, grade, source}');
      return;
    }
    if (!grades.includes(grade as Grade)) this.#faults.add(tree.at, path, unknownName('grade', String(grade), grades));
    const parsed = this.#faults.catch(tree.at, path, () => this.#parse(value, engineFigures[path].kind));
    if (parsed !== undefined && parsed < 0) this.#faults.add(tree.at, path, `${value} is below 0`);
    else if (parsed !== undefined) this.#figures.push([path, {value: parsed, grade: grade as Grade, source: String(source)}]);
  }
}

const known = ['preset', 'version', 'in_flight', 'overhead', 'reserve', 'launch_per_layer'];
