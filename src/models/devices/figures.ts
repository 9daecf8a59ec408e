import {pcie} from '../parts/pcie.js';
import type {Figure} from '../provenance.js';

/** A figure that the maker states. */
export function datasheet(value: string, source: string): Figure<string> {
  return {value, grade: 'datasheet', source};
}

/** A figure that somebody read from a device. */
export function measured(value: string, source: string): Figure<string> {
  return {value, grade: 'measured', source};
}

/** A figure without a better source than the marketing name or a rule. */
export function assumed(value: string, source: string): Figure<string> {
  return {value, grade: 'assumed', source};
}

/** A figure computed from datasheet figures, for example cores × clock × FLOP a cycle. */
export function computed(value: string, source: string): Figure<string> {
  return {value, grade: 'extrapolated', source};
}

/** A capacity of which only the marketing figure is known; drivers report a little less. */
export function marketing(value: string): Figure<string> {
  return assumed(value, 'marketing figure; the driver figure is not recorded');
}

const copyStart = assumed('10 us', 'start of a copy; aiconfigurator p2p_latency');

/** Host link of PCI Express 3 × 16. */
export const pcie3 = {bandwidth: assumed('12 GB/s', 'three quarters of 16, the share that PCIe 4 copies reach'), latency: copyStart};

const hop = assumed(
  '1 us',
  'one hop of a ring, from NCCL all-reduces of 256 B on 2, 4 and 8 H100: 6, 10, 16 µs (aiconfigurator nccl tables)',
);
/** Host links, with the part that says what small copies cost on them. */
export const [pcie4, pcie5] = (['pcie4-x16', 'pcie5-x16'] as const).map((part) => {
  const {bandwidth, latency} = pcie[part];
  return {bandwidth, latency, part};
});

/** Links between devices of one node, per direction. */
export const peers = {
  pcie4: {bandwidth: datasheet('32 GB/s', 'PCI Express 4.0 × 16'), latency: hop},
  pcie5: {bandwidth: datasheet('64 GB/s', 'PCI Express 5.0 × 16'), latency: hop},
  nvlink3: {bandwidth: datasheet('300 GB/s', 'github:stas00/ml-engineering:network/README.md@744d01e18b79'), latency: hop},
  nvlink4: {bandwidth: datasheet('450 GB/s', 'github:stas00/ml-engineering:network/README.md@744d01e18b79'), latency: hop},
  nvlink5: {bandwidth: datasheet('900 GB/s', 'github:stas00/ml-engineering:network/README.md@744d01e18b79'), latency: hop},
  infinityFabric: {bandwidth: datasheet('448 GB/s', 'github:stas00/ml-engineering:network/README.md@744d01e18b79'), latency: hop},
} as const;

/** A link between devices of which stas00's network table states the rate, per direction. */
export function interconnect(bandwidth: string) {
  return {bandwidth: datasheet(bandwidth, 'github:stas00/ml-engineering:network/README.md@744d01e18b79'), latency: hop};
}

/** NVLink-C2C between a Grace processor and its GPU, per direction. */
export const chipToChip = {
  bandwidth: datasheet('450 GB/s', 'github:stas00/ml-engineering:network/README.md@744d01e18b79'),
  latency: copyStart,
};

/** System description of aiconfigurator. */
export function aicSystem(name: string): string {
  return `github:ai-dynamo/aiconfigurator:aic-core/src/aiconfigurator_core/systems/${name}.yaml@095f58a51c4c`;
}

/** stas00's table of accelerators. */
export const mlEngineering = 'github:stas00/ml-engineering:compute/accelerator/README.md@744d01e18b79';

/** nvidia-smi totals of rented machines; CUDA itself shows an engine 1–3 % less. */
export const nvidiaSmi = 'https://github.com/modal-labs/modal-client/pull/2797 (nvidia-smi; CUDA shows an engine 1–3 % less)';
