import type {Figure} from '../provenance.js';
import type {LinkSpec} from './part.js';

const blog = 'github:vllm-project/vllm-project.github.io:_posts/2026-01-08-kv-offloading-connector.md@c3a01c4a5807';
const start: Figure<string> = {value: '10 us', grade: 'assumed', source: 'start of a copy; aiconfigurator p2p_latency'};

/**
 * Host links of accelerators.
 *
 * The time a piece costs is fitted to measured copies on PCIe 5 × 16, 1,000 pieces each: from 8 KiB to 16 MiB within 10 %; at 4 KiB it is 12–29 % too fast.
 */
export const pcie: Readonly<Record<string, LinkSpec>> = {
  'pcie5-x16': {
    kind: 'link',
    name: 'PCI Express 5 × 16',
    bandwidth: {value: '51 GB/s', grade: 'measured', source: `${blog} (H100, DMA in 16 MB blocks)`},
    latency: start,
    duplex: {value: '83.4 GB/s', grade: 'measured', source: `${blog} (H100, both directions, 2 MB blocks)`},
    piece: {value: '3.4 us', grade: 'fitted', source: `${blog} figures 3 and 4 (H100, cudaMemcpyAsync, digitised)`},
  },
  'pcie4-x16': {
    kind: 'link',
    name: 'PCI Express 4 × 16',
    bandwidth: {
      value: '25 GB/s',
      grade: 'measured',
      source: 'middle of 24–27 GB/s: https://github.com/NVIDIA/nvbandwidth/issues/15 and /53',
    },
    latency: start,
    piece: {value: '3.4 us', grade: 'extrapolated', source: 'as on PCI Express 5; no copies in small blocks were found for PCI Express 4'},
  },
};
