import {InputError} from '../core/errors.js';
import type {QuantityParser} from '../core/quantity.js';
import {check} from '../scenario/file/check.js';
import {Faults, type Place} from '../scenario/file/fault.js';
import {at, type MapTree, plain, type Tree} from '../scenario/file/tree.js';
import {group} from '../scenario/schema/node.js';
import {study as studyKeys} from '../scenario/schema/study.js';
import {type Axis, axisNamed, labelOf, readAxis} from './axes.js';
import {type Condition, readCondition} from './conditions.js';
import {type SearchName, searches} from './search/index.js';
import {readSkip, type Skip} from './skip.js';
import {pointAt, sizeOf} from './space.js';

/** A figure that is to be small or large. */
export interface Objective {
  readonly goal: 'minimise' | 'maximise';
  readonly path: string;
  readonly at: Place;
}

/** A study file as read: what varies, what is asked of a point, and which points are tried. */
export interface Study {
  readonly axes: readonly Axis[];
  readonly skip: readonly Skip[];
  /** Null: none is written, so the goals of the scenario (`slo`) are. */
  readonly constraints: readonly (Condition & {readonly at: Place})[] | null;
  readonly objectives: readonly Objective[];
  readonly search: SearchName;
  /** Chosen points of the grid in ascending order, skipped ones included. */
  readonly points: readonly number[];
  /** The point that others are compared with. */
  readonly baseline: number | null;
  /** Axes whose values are compared with each other, at each setting of the others. */
  readonly compare: readonly Axis[];
  /** The axis whose largest value within the constraints is looked for, at each setting of the others. */
  readonly most: Axis | null;
}

const gridByDefault = 2000;

/** Reads the `study` of a scenario tree. Throws InputError with every fault, one line each, at its place. */
export function readStudy(tree: Tree, file: string, parse: QuantityParser): Study {
  const faults = new Faults();
  const entry = at(tree, ['study']);
  if (entry === undefined)
    throw new InputError(`${file}:1:1 study: missing; a study says what varies: study: {axes: {…}, objectives: […]}`);
  const unsimulated = new Faults();
  const alone: MapTree = {kind: 'map', at: tree.at, entries: new Map([['study', entry]])};
  const checked = check(group('a study', {study: studyKeys}), alone, parse, faults, unsimulated) as {study?: {search?: SearchValues}};
  faults.throwAny();
  unsimulated.outermost().throwAny();
  return new StudyReader(entry.tree as MapTree, entry.key, parse, faults).read(checked.study?.search ?? {});
}

interface SearchValues {
  readonly method?: SearchName;
  readonly points?: number | null;
  readonly seed?: number;
}

class StudyReader {
  readonly #tree: MapTree;
  readonly #at: Place;
  readonly #parse: QuantityParser;
  readonly #faults: Faults;

  constructor(tree: MapTree, place: Place, parse: QuantityParser, faults: Faults) {
    this.#tree = tree;
    this.#at = place;
    this.#parse = parse;
    this.#faults = faults;
  }

  read(search: SearchValues): Study {
    const axes = this.#axes();
    const objectives = this.#objectives();
    const constraints = this.#constraints();
    this.#faults.throwAny();
    const skip = this.#list('skip').flatMap((item, i) => {
      const one = this.#faults.catch(item.at, `study.skip[${i}]`, () => readSkip(item, axes, this.#parse));
      return one === undefined ? [] : [one];
    });
    const baseline = this.#baseline(axes);
    const points = this.#points(axes, search);
    const [compare, most] = [this.#named('compare', axes), this.#named('most', axes)];
    if (most.length > 1) this.#faults.add(this.#place('most'), 'study.most', 'names several axes; write one');
    this.#faults.throwAny();
    return {
      axes,
      skip,
      constraints,
      objectives,
      search: search.method ?? 'grid',
      points: withBaseline(points ?? [], baseline),
      baseline,
      compare,
      most: most[0] ?? null,
    };
  }

  #axes(): Axis[] {
    const tree = at(this.#tree, ['axes'])?.tree;
    if (tree?.kind !== 'map' || tree.entries.size === 0) {
      this.#faults.add(tree?.at ?? this.#at, 'study.axes', 'missing; e.g. axes: {workload.arrivals.rate: [1 session/s, 2 session/s]}');
      return [];
    }
    return [...tree.entries].flatMap(([name, entry]) => readAxis(name, entry, this.#faults) ?? []);
  }

  #objectives(): Objective[] {
    const items = this.#list('objectives');
    if (items.length === 0)
      this.#faults.add(this.#place('objectives'), 'study.objectives', 'missing; e.g. objectives: [{minimise: ttft_s.p95}]');
    return items.flatMap((item, i) => {
      const found = this.#faults.catch(item.at, `study.objectives[${i}]`, () => readObjective(plain(item), item.at));
      return found === undefined ? [] : [found];
    });
  }

  #constraints(): Study['constraints'] {
    if (at(this.#tree, ['constraints']) === undefined) return null;
    return this.#list('constraints').flatMap((item, i) => {
      const found = this.#faults.catch(item.at, `study.constraints[${i}]`, () => readCondition(plain(item), this.#parse));
      return found === undefined ? [] : [{...found, at: item.at}];
    });
  }

  #baseline(axes: readonly Axis[]): number | null {
    const tree = at(this.#tree, ['baseline'])?.tree;
    if (tree === undefined) return null;
    const point = this.#faults.catch(tree.at, 'study.baseline', () => baselineOf(tree, axes));
    return point === undefined ? null : point;
  }

  /** The axes that a key names. */
  #named(key: 'compare' | 'most', axes: readonly Axis[]): Axis[] {
    return this.#list(key).flatMap((item) => {
      const found = this.#faults.catch(item.at, `study.${key}`, () => axisNamed(axes, labelOf(item)));
      return found === undefined ? [] : [found];
    });
  }

  #points(axes: readonly Axis[], {method, points = null, seed = 1}: SearchValues): readonly number[] | undefined {
    const size = sizeOf(axes);
    return this.#faults.catch(this.#place('search'), 'study.search', () => {
      if (method === undefined && points === null && size > gridByDefault) {
        throw new InputError(`the grid has ${size} points; write "search: grid" for all of them or {method: random, points: N} for some`);
      }
      return searches[method ?? (points === null ? 'grid' : 'random')].choose({size, points, seed});
    });
  }

  /** A list under a key; one thing alone counts as a list of it. */
  #list(key: string): readonly Tree[] {
    const tree = at(this.#tree, [key])?.tree;
    if (tree === undefined || (tree.kind === 'scalar' && tree.value === null)) return [];
    return tree.kind === 'list' ? tree.items : [tree];
  }

  #place(key: string): Place {
    return at(this.#tree, [key])?.tree.at ?? this.#at;
  }
}

/** What others are compared with is run too, whatever was drawn. */
function withBaseline(points: readonly number[], baseline: number | null): readonly number[] {
  return baseline === null || points.includes(baseline) ? points : [...points, baseline].sort((a, b) => a - b);
}

function readObjective(value: unknown, place: Place): Objective {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [goal, path] = entries[0] ?? [];
  if (entries.length !== 1 || (goal !== 'minimise' && goal !== 'maximise') || typeof path !== 'string') {
    throw new InputError(
      `${JSON.stringify(value)} is no objective; write {minimise: path} or {maximise: path}, e.g. {minimise: ttft_s.p95}`,
    );
  }
  return {goal, path, at: place};
}

function baselineOf(tree: Tree, axes: readonly Axis[]): number {
  if (tree.kind !== 'map') throw new InputError('is not a point {axis: value}');
  for (const name of tree.entries.keys()) axisNamed(axes, name);
  const coordinates = axes.map(({name, values}) => {
    const entry = tree.entries.get(name);
    if (entry === undefined) throw new InputError(`lacks the axis "${name}"; a baseline is one point`);
    const text = labelOf(entry.tree);
    const index = values.findIndex(({label}) => label === text);
    if (index < 0) throw new InputError(`${name}: "${text}" is none of its values: ${values.map(({label}) => label).join(', ')}`);
    return index;
  });
  return pointAt(axes, coordinates);
}
