import {builtinDevice, devices} from '../../../models/devices/index.js';
import {literal} from '../../../models/devices/literal.js';
import {engineProfile, engines} from '../../../models/engines/index.js';
import {builtinLlm, kvBytesPerToken, kvFormat, llmNames, paramCounts, weightBytes} from '../../../models/llms/index.js';
import {linkPart, linkParts, storagePart, storageParts} from '../../../models/parts/index.js';
import type {BlockAdmissionEntry} from '../../../policies/admission/block.js';
import {admissionPolicies, blockAdmissionPolicies} from '../../../policies/admission/index.js';
import type {AdmissionEntry} from '../../../policies/admission/policy.js';
import {evictionBounds} from '../../../policies/eviction/bounds.js';
import type {Eviction} from '../../../policies/eviction/eviction.js';
import {evictionPolicies} from '../../../policies/eviction/index.js';
import {prefetchPolicies} from '../../../policies/prefetch/index.js';
import type {Prefetch} from '../../../policies/prefetch/policy.js';
import {routingPolicies} from '../../../policies/routing/index.js';
import type {RoutingPolicy} from '../../../policies/routing/policy.js';
import {schedulingPolicies} from '../../../policies/scheduling/index.js';
import type {Scheduling} from '../../../policies/scheduling/policy.js';
import {lookup} from '../../core/registry.js';
import {traceReaders} from '../../traces/index.js';
import {metricDefinitions} from '../metric-definitions.js';
import {formatText} from '../plan-derivation.js';
import {digits, gibText} from '../text.js';
import {columns} from './columns.js';
import type {ListArguments, listed} from './list.js';

type Row = Readonly<Record<string, string | number | null>>;

interface List {
  readonly rows: () => readonly Row[];
  /** One row as shown, in the order of `head`. */
  readonly head: readonly string[];
  readonly cells: (row: Row) => readonly string[];
}

const text = (value: Row[string]) => (value === null ? '–' : String(value));
const gib = (value: Row[string]) => (value === null ? '–' : gibText(Number(value)));
const scaled = (value: Row[string], by: number, decimals: number) => (value === null ? '–' : digits(Number(value) / by, decimals));

/** Everything that can be listed. */
const lists: Readonly<Record<(typeof listed)[number], List>> = {
  models: {
    rows: () => llmNames.map(modelRow),
    head: ['model', 'parameters', 'active', 'weights', 'format', 'KV a token', 'context', 'type'],
    cells: (row) => [
      text(row.name),
      `${scaled(row.params_total, 1e9, 1)} B`,
      `${scaled(row.params_active, 1e9, 1)} B`,
      gib(row.weights_bytes),
      text(row.format),
      `${scaled(row.kv_bytes_per_token, 1024, 1)} KiB`,
      digits(Number(row.context_tokens), 0),
      text(row.model_type),
    ],
  },
  devices: {
    rows: () => Object.keys(devices).map(deviceRow),
    head: ['device', 'name', 'memory', 'grade', 'GB/s', 'TFLOP/s', 'GB/s to a peer'],
    cells: (row) => [
      text(row.name),
      text(row.title),
      gib(row.memory_bytes),
      text(row.memory_grade),
      scaled(row.bandwidth_bytes_per_s, 1e9, 0),
      scaled(row.bf16_flop_per_s, 1e12, 1),
      scaled(row.peer_bytes_per_s, 1e9, 0),
    ],
  },
  parts: {
    rows: () => [...Object.keys(storageParts).map(storageRow), ...Object.keys(linkParts).map(linkRow)],
    head: ['part', 'name', 'kind', 'size', 'read GB/s', 'write GB/s', 'latency µs', 'kIOPS', 'endurance TB', 'µs a piece'],
    cells: (row) => [
      text(row.name),
      text(row.title),
      text(row.kind),
      gib(row.capacity_bytes),
      scaled(row.read_bytes_per_s, 1e9, 2),
      scaled(row.write_bytes_per_s, 1e9, 2),
      scaled(row.latency_s, 1e-6, 1),
      scaled(row.read_iops, 1e3, 0),
      scaled(row.endurance_bytes, 1e12, 0),
      scaled(row.piece_s, 1e-6, 1),
    ],
  },
  engines: {
    rows: () => Object.keys(engines).map(engineRow),
    head: ['engine', 'versions', 'memory used', 'block', 'steps in flight', 'source'],
    cells: (row) => ['name', 'versions', 'gpu_memory_utilization', 'block_tokens', 'in_flight', 'source'].map((key) => text(row[key])),
  },
  policies: {
    rows: policyRows,
    head: ['policy', 'kind', 'does'],
    cells: (row) => [text(row.name), text(row.kind), text(row.description)],
  },
  traces: {
    rows: () =>
      Object.entries(traceReaders).map(([name, {description, blockSize}]) => ({
        name,
        description,
        block_tokens: blockSize === 0 ? null : blockSize,
      })),
    head: ['format', 'tokens a block', 'what it is'],
    cells: (row) => [text(row.name), text(row.block_tokens), text(row.description)],
  },
  metrics: {
    rows: () => Object.entries(metricDefinitions).map(([name, definition]) => ({name, ...definition})),
    head: ['metric', 'unit', 'definition'],
    cells: (row) => [text(row.name), text(row.unit), text(row.definition)],
  },
};

/** A list as aligned columns, or as one JSON document. Throws InputError on an unknown list. */
export function listText({what, match, json}: ListArguments): string {
  const {rows, head, cells} = lookup<List>('list', lists, what);
  const wanted = (match ?? '').toLowerCase();
  const found = rows().filter((row) =>
    Object.values(row).some((value) =>
      String(value ?? '')
        .toLowerCase()
        .includes(wanted),
    ),
  );
  if (json) return `${JSON.stringify({[what]: found}, null, 2)}\n`;
  if (found.length === 0) return `no ${what} match ${JSON.stringify(match)}\n`;
  return `${columns([head, ...found.map(cells)]).join('\n')}\n`;
}

function modelRow(name: string): Row {
  const llm = builtinLlm(name);
  const {total, active} = paramCounts(llm);
  const token = kvBytesPerToken(llm, kvFormat('auto', llm));
  return {
    name,
    model_type: llm.family,
    params_total: total,
    params_active: active,
    weights_bytes: weightBytes(llm),
    format: formatText(llm),
    kv_bytes_per_token: token.growing + token.windowed,
    window_tokens: token.window,
    context_tokens: llm.maxPositions,
    source: llm.source,
  };
}

function deviceRow(name: string): Row {
  const device = builtinDevice(name);
  const {capacity, bandwidth} = device.memory[device.home]!;
  return {
    name,
    title: device.name,
    kind: device.kind,
    memory: device.home,
    memory_bytes: capacity?.value ?? null,
    memory_grade: capacity?.grade ?? null,
    memory_source: capacity?.source ?? null,
    bandwidth_bytes_per_s: bandwidth.value,
    bf16_flop_per_s: device.compute.bf16?.value ?? null,
    fp8_flop_per_s: device.compute.fp8?.value ?? null,
    peer_bytes_per_s: device.links.peer?.bandwidth.value ?? null,
    power_w: device.power?.value ?? null,
  };
}

function storageRow(name: string): Row {
  const part = storagePart(name, literal);
  return {
    name,
    title: part.name,
    kind: part.kind,
    capacity_bytes: part.capacity.value,
    read_bytes_per_s: part.read.value,
    write_bytes_per_s: part.write.value,
    both_bytes_per_s: null,
    latency_s: part.latency.value,
    read_iops: part.iops.value,
    endurance_bytes: part.endurance.value,
    piece_s: null,
    source: part.read.source,
  };
}

function linkRow(name: string): Row {
  const part = linkPart(name, literal);
  return {
    name,
    title: part.name,
    kind: part.kind,
    capacity_bytes: null,
    read_bytes_per_s: part.bandwidth.value,
    write_bytes_per_s: part.bandwidth.value,
    both_bytes_per_s: part.duplex?.value ?? null,
    latency_s: part.latency.value,
    read_iops: null,
    endurance_bytes: null,
    piece_s: part.piece.value,
    source: part.bandwidth.source,
  };
}

function engineRow(name: string): Row {
  const {versions} = engines[name];
  const [oldest, newest] = [versions[0], versions[versions.length - 1]].map((version) => engineProfile(name, version));
  const shares = [...new Set([oldest, newest].map(({gpuMemoryUtilization}) => gpuMemoryUtilization.value))];
  return {
    name,
    versions: oldest === newest || versions.length === 1 ? newest.version : `${oldest.version} – ${newest.version}`,
    gpu_memory_utilization: newest.placed === undefined ? shares.join(' – ') : 'by memory',
    block_tokens: newest.blockSize,
    in_flight: newest.inFlight,
    source: newest.source,
  };
}

function policyRows(): Row[] {
  const params = (of: Pick<Eviction, 'params'>) => Object.entries(of.params).map(([name, parameter]) => `${name} ${parameter.default}`);
  const policies = Object.entries<Eviction>(evictionPolicies).map(([name, policy]) => ({
    name,
    kind: 'eviction',
    description: policy.about,
    params: params(policy).join(', '),
  }));
  const bounds = Object.entries(evictionBounds).map(([name, {about}]) => ({name, kind: 'bound', description: about, params: ''}));
  const routers = Object.entries<RoutingPolicy>(routingPolicies).map(([name, policy]) => ({
    name,
    kind: 'router',
    description: policy.about,
    params: params({params: policy.params ?? {}}).join(', '),
  }));
  const scheduling = Object.entries<Scheduling>(schedulingPolicies).map(([name, {about, params: own}]) => ({
    name,
    kind: 'scheduling',
    description: about,
    params: Object.entries(own)
      .map(([key, parameter]) => `${key} ${parameter.kind === 'texts' ? parameter.says : parameter.default}`)
      .join(', '),
  }));
  const admission = Object.entries<AdmissionEntry>(admissionPolicies).map(([name, {about, parameter}]) => ({
    name,
    kind: 'admission',
    description: about,
    params: parameter === null ? '' : `${parameter.name} ${parameter.default}`,
  }));
  const prefetch = Object.entries<Prefetch>(prefetchPolicies).map(([name, policy]) => ({
    name,
    kind: 'prefetch',
    description: policy.about,
    params: params(policy).join(', '),
  }));
  const blocks = Object.entries<BlockAdmissionEntry>(blockAdmissionPolicies).map(([name, policy]) => ({
    name,
    kind: 'block admission',
    description: policy.about,
    params: params(policy).join(', '),
  }));
  return [...policies, ...blocks, ...prefetch, ...routers, ...scheduling, ...admission, ...bounds];
}
