import {cluster} from './cluster.js';
import {engine} from './engine.js';
import {file} from './file.js';
import {cost, slo} from './goals.js';
import {hardware} from './hardware.js';
import {kv} from './kv.js';
import {model} from './model.js';
import {childOf, type Group, group, type Node, namesIn, type Since} from './node.js';
import {checks, report, run} from './run.js';
import {scheduler} from './scheduler.js';
import {experts, speculation, weights} from './weights.js';
import {workload} from './workload.js';

const replica = {model, hardware, engine, scheduler, kv, weights, experts, speculation};

/** Every key of a scenario file. */
export const schema: Group = group('a scenario', {
  ...file,
  ...replica,
  cluster: cluster(replica),
  workload,
  slo,
  cost,
  run,
  report,
  ...checks,
});

/** Words of the field that are no keys, and the key that is meant. */
export const synonyms: Readonly<Record<string, string>> = {
  vram: 'hbm',
  gddr: 'hbm',
  ram: 'dram',
  cpu_memory: 'dram',
  nvme: 'ssd',
  disk: 'ssd',
  tp: 'parallel.tensor',
  tensor_parallel: 'parallel.tensor',
  tensor_parallel_size: 'parallel.tensor',
  pp: 'parallel.pipeline',
  ep: 'parallel.expert',
  ctx: 'max_model_len',
  context: 'max_model_len',
  max_context: 'max_model_len',
  context_length: 'max_model_len',
  gpu: 'device',
  accelerator: 'device',
  gpus: 'count',
  devices: 'count',
  num_gpus: 'count',
  quant: 'quantization',
  rps: 'rate',
  qps: 'rate',
  request_rate: 'rate',
  traffic: 'workload',
  goals: 'slo',
  prices: 'cost',
  batch_size: 'max_num_seqs',
  max_batch_size: 'max_num_seqs',
  prefix_caching: 'prefix_cache',
  isl: 'input_tokens',
  osl: 'output_tokens',
  itl: 'tpot',
};

/** What stands at a path, and from when on it is simulated. */
export interface Found {
  readonly node: Node;
  readonly since: Since;
}

/** Finds a dotted path such as `kv.tiers.dram.write`; null when there is none. `<m>` stands for any name. */
export function find(path: string): Found | null {
  let node: Node = schema;
  let since: Since = '0.1';
  const parts = path.split('.');
  for (let i = 0; i < parts.length; i++) {
    const child: Node | null = node.kind === 'family' && parts[i] === node.label ? node.of : childOf(node, parts[i]);
    if (child === null) return null;
    node = child;
    if (node.since === 'later') since = 'later';
  }
  return {node, since};
}

/** Every path of the schema, in its order, names of families as `<m>`. */
export function paths(node: Node = schema, prefix = ''): string[] {
  const own = prefix === '' ? [] : [prefix];
  const join = (name: string) => (prefix === '' ? name : `${prefix}.${name}`);
  if (node.kind === 'group') return [...own, ...namesIn(node).flatMap((name) => paths(node.keys[name], join(name)))];
  if (node.kind === 'family') return [...own, ...paths(node.of, join(node.label))];
  return own;
}

/** The path of a key with this name under `prefix`, in one of its maps by memory, or anywhere; null when there is none. */
export function placeOf(name: string, prefix: string): string | null {
  const under = [name, `tiers.${name}`, `memory.${name}`].map((path) => (prefix === '' ? path : `${prefix}.${path}`));
  const here = under.find((path) => find(path) !== null);
  if (here !== undefined) return here;
  const found = paths().filter((path) => path === name || path.endsWith(`.${name}`));
  return found.sort((a, b) => a.split('.').length - b.split('.').length)[0] ?? null;
}
