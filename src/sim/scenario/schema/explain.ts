import {InputError} from '../../core/errors.js';
import {nearest} from '../../core/registry.js';
import {find, paths, placeOf, schema, synonyms} from './index.js';
import {type Key, type Node, namesIn, type Since, shortVersion} from './node.js';

/** What there is to say about one key. */
export interface Explanation {
  readonly path: string;
  readonly type: string;
  readonly why: string;
  readonly default: string | null;
  readonly unit: string | null;
  readonly names: readonly string[];
  readonly later: readonly string[];
  /** A command that lists the names. */
  readonly listing: string | null;
  readonly simulated: boolean;
  /** Of a map: the keys below, with their reason. */
  readonly keys: readonly {readonly path: string; readonly why: string}[];
}

const units: Readonly<Record<string, string>> = {
  bytes: 'bytes, e.g. 80 GiB',
  bandwidth: 'B/s, e.g. 3.35 TB/s',
  duration: 's, e.g. 500 ms',
  flops: 'flop/s, e.g. 989 TFLOP/s',
  power: 'W, e.g. 700 W',
  rate: 'req/s or session/s',
  iops: '1/s, e.g. 1 MIOPS',
  price: 'USD/hour',
  'price-per-byte': 'USD/GiB/hour',
  'energy-price': 'USD/kWh',
  tokens: 'tokens',
};

/** Explains the key at a path; '' stands for the whole file. Throws InputError that names the nearest key. */
export function explain(path: string): Explanation {
  const found = path === '' ? {node: schema, since: '0.1' as Since} : find(path);
  if (found === null) throw new InputError(unknown(path));
  return of(path, found.node, found.since);
}

function unknown(path: string): string {
  const last = path.slice(path.lastIndexOf('.') + 1);
  const all = paths();
  const sameEnd = (name: string) => all.find((one) => one === name || one.endsWith(`.${name}`));
  const synonym = synonyms[last.toLowerCase()];
  const meant = (synonym === undefined ? null : placeOf(synonym, path.slice(0, -last.length - 1))) ?? nearest(path, all) ?? sameEnd(last);
  return `${JSON.stringify(path)} is no key of a scenario${meant === undefined || meant === null ? '; `tiercast explain` lists them' : ` (did you mean "${meant}"?)`}`;
}

function of(path: string, node: Node, since: Since): Explanation {
  const common = {path, why: node.why, default: node.says ?? null, simulated: since === '0.1', keys: keysOf(path, node)};
  const value = valueKey(node);
  const {names = [], later = [], listing} = value ?? {};
  const type = node.kind === 'key' ? node.type : mapType(node);
  const unit = value === null ? null : (units[value.type] ?? null);
  return {...common, type, unit, names, later, listing: listing === undefined ? null : `tiercast list ${listing}`};
}

/** The key itself, or the one that a map's short form stands for. */
function valueKey(node: Node): Key | null {
  if (node.kind === 'key') return node;
  if (node.kind !== 'group' || node.short === undefined) return null;
  const short = node.keys[node.short.key('1 GiB')];
  return short?.kind === 'key' ? short : null;
}

function mapType(node: Exclude<Node, Key>): string {
  if (node.kind === 'family') return `map by ${node.label}`;
  if (node.kind === 'sequence') return 'list';
  if (node.short === undefined) return 'map';
  const keys = [...new Set(['1 GiB', 'name'].map((text) => node.short!.key(text)))];
  return `map; short form: the ${keys.join(' or the ')} alone`;
}

function keysOf(path: string, node: Node): {path: string; why: string}[] {
  const below =
    node.kind === 'family'
      ? [[node.label, node.of] as const]
      : node.kind === 'group'
        ? namesIn(node).map((name) => [name, node.keys[name]] as const)
        : [];
  return below.map(([name, child]) => ({
    path: path === '' ? name : `${path}.${name}`,
    why: child.since === 'later' ? `${child.why} (not simulated by this version)` : child.why,
  }));
}

/** The explanation as lines of text. */
export function explanationText(explanation: Explanation): string {
  const {path, type, why, unit, names, later, listing, simulated, keys} = explanation;
  const facts: [string, string][] = [['type', type]];
  if (unit !== null) facts.push(['unit', unit]);
  if (keys.length === 0 || explanation.default !== null) facts.push(['default', explanation.default ?? '–']);
  if (names.length > 0) facts.push(['names', names.join(', ')]);
  if (listing !== null) facts.push(['listed by', listing]);
  if (later.length > 0) facts.push(['later', `${later.join(', ')} (known, not simulated by this version (${shortVersion}))`]);
  if (!simulated) facts.push(['status', `known, not simulated by this version (${shortVersion})`]);
  const width = Math.max(0, ...keys.map((key) => key.path.length));
  return [
    path === '' ? 'Keys of a scenario file; `tiercast explain KEY` says more of one.' : path,
    ...(path === '' ? [] : [`  ${why}`, ...facts.map(([name, text]) => `  ${name.padEnd(10)}${text}`)]),
    ...keys.map((key) => `  ${key.path.padEnd(width)}  ${key.why}`),
  ].join('\n');
}
