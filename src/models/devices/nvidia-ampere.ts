import type {DeviceSpec} from './device.js';
import {aicSystem, assumed, datasheet, marketing, measured, nvidiaSmi, pcie4, peers} from './figures.js';
import {a100Sxm80gb} from './profiles/a100-sxm-80gb.js';
import {recalledCard} from './recalled.js';

const ampere = {kind: 'gpu', vendor: 'NVIDIA', architecture: 'ampere'} as const;
const a100 = aicSystem('a100_sxm');
const a100Pcie = aicSystem('a100_pcie');
const a100Small = 'github:cli99/llm-analysis:llm_analysis/gpu_configs/a100-sxm-40gb.json@d841e40';
const a10 = 'github:cli99/llm-analysis:llm_analysis/gpu_configs/a10-pcie-28gb.json@d841e40';
const a10g = 'github:cli99/llm-analysis:llm_analysis/gpu_configs/a10g-pcie-24gb.json@d841e40';
const a30 = aicSystem('a30');
const viewer = 'github:hahnyuan/LLM-Viewer:hardwares/hardware_params.py@472f71f';
const a6000 = 'github:cli99/llm-analysis:llm_analysis/gpu_configs/a6000-48gb.json@d841e40';
const rtx3090 = 'https://huggingface.co/datasets/Fdddhhhill/Advanced_AI_GPU_Benchmark_Dataset.csv (search excerpt; low quality)';

const a100Compute = {bf16: datasheet('312 TFLOP/s', a100), fp16: datasheet('312 TFLOP/s', a100), int8: datasheet('624 TFLOP/s', a100)};

export const nvidiaAmpere: Readonly<Record<string, DeviceSpec>> = {
  'a100-sxm-80gb': {
    ...ampere,
    name: 'NVIDIA A100 SXM 80 GB',
    memory: {hbm: {capacity: measured('81920 MiB', nvidiaSmi), bandwidth: datasheet('2.039 TB/s', a100)}},
    compute: a100Compute,
    links: {host: pcie4, peer: peers.nvlink3},
    power: datasheet('400 W', a100),
    fits: a100Sxm80gb,
  },
  'a100-pcie-80gb': {
    ...ampere,
    name: 'NVIDIA A100 PCIe 80 GB',
    memory: {hbm: {capacity: measured('81920 MiB', nvidiaSmi), bandwidth: datasheet('1.935 TB/s', a100Pcie)}},
    compute: a100Compute,
    links: {host: pcie4, peer: peers.pcie4},
    power: datasheet('300 W', a100Pcie),
  },
  'a100-sxm-40gb': {
    ...ampere,
    name: 'NVIDIA A100 SXM 40 GB',
    memory: {hbm: {capacity: measured('40960 MiB', nvidiaSmi), bandwidth: datasheet('1.555 TB/s', a100Small)}},
    compute: a100Compute,
    links: {host: pcie4, peer: peers.nvlink3},
    power: datasheet('400 W', a100),
  },
  a10: {
    ...ampere,
    name: 'NVIDIA A10',
    memory: {hbm: {capacity: measured('23028 MiB', nvidiaSmi), bandwidth: datasheet('600 GB/s', a10)}},
    compute: {bf16: datasheet('125 TFLOP/s', a10), fp16: datasheet('125 TFLOP/s', a10), int8: datasheet('250 TFLOP/s', a10)},
    links: {host: pcie4, peer: peers.pcie4},
    power: datasheet('150 W', 'https://gist.github.com/kimbochen'),
  },
  a6000: {
    ...ampere,
    name: 'NVIDIA RTX A6000',
    memory: {
      hbm: {capacity: assumed('48 GB', 'marketing figure; the driver figure is not recorded'), bandwidth: datasheet('768 GB/s', a6000)},
    },
    compute: {bf16: datasheet('154.8 TFLOP/s', a6000), fp16: datasheet('154.8 TFLOP/s', a6000), int8: datasheet('309.6 TFLOP/s', a6000)},
    links: {host: pcie4, peer: peers.pcie4},
    power: datasheet('300 W', a6000),
  },
  'rtx-3090': {
    ...ampere,
    name: 'NVIDIA GeForce RTX 3090',
    memory: {
      hbm: {
        capacity: measured('23.69 GiB', 'https://github.com/vllm-project/vllm/issues/2140 (total capacity that CUDA shows)'),
        bandwidth: datasheet('936 GB/s', 'github:AlexsJones/llmfit:llmfit-core/src/hardware.rs@3f44fd30a43d'),
      },
    },
    compute: {bf16: datasheet('71 TFLOP/s', rtx3090), fp16: datasheet('71 TFLOP/s', rtx3090)},
    links: {host: pcie4, peer: peers.pcie4},
    power: datasheet('350 W', 'https://huggingface.co/datasets/ohdoking/gpu_spec'),
  },
  a10g: {
    ...ampere,
    name: 'NVIDIA A10G',
    memory: {hbm: {capacity: marketing('24 GB'), bandwidth: datasheet('600 GB/s', a10g)}},
    compute: {bf16: datasheet('70 TFLOP/s', a10g), fp16: datasheet('70 TFLOP/s', a10g), int8: datasheet('140 TFLOP/s', a10g)},
    links: {host: pcie4, peer: peers.pcie4},
    power: datasheet('150 W', 'https://huggingface.co/RajBhope/gpu-runtime-predictor/blob/main/gpu_catalog.json'),
  },
  a30: {
    ...ampere,
    name: 'NVIDIA A30',
    memory: {hbm: {capacity: marketing('24 GB'), bandwidth: datasheet('933 GB/s', a30)}},
    compute: {bf16: datasheet('165 TFLOP/s', a30), fp16: datasheet('165 TFLOP/s', a30), int8: datasheet('330 TFLOP/s', a30)},
    links: {host: pcie4, peer: peers.pcie4},
    power: datasheet('165 W', a30),
  },
  a40: {
    ...ampere,
    name: 'NVIDIA A40',
    memory: {hbm: {capacity: marketing('48 GB'), bandwidth: datasheet('696 GB/s', viewer)}},
    compute: {bf16: datasheet('149.7 TFLOP/s', viewer), fp16: datasheet('149.7 TFLOP/s', viewer), int8: datasheet('299.3 TFLOP/s', viewer)},
    links: {host: pcie4, peer: peers.pcie4},
    power: assumed('300 W', 'recalled and not checked'),
  },
  'rtx-3060': {
    ...ampere,
    name: 'NVIDIA GeForce RTX 3060 12 GB',
    memory: {
      hbm: {
        capacity: marketing('12 GB'),
        bandwidth: datasheet('360 GB/s', 'github:AlexsJones/llmfit:llmfit-core/src/hardware.rs@3f44fd30a43d'),
      },
    },
    compute: {bf16: datasheet('25 TFLOP/s', rtx3090), fp16: datasheet('25 TFLOP/s', rtx3090)},
    links: {host: pcie4, peer: peers.pcie4},
    power: assumed('170 W', 'recalled and not checked'),
  },
  'rtx-3070': recalledCard(ampere, 'NVIDIA GeForce RTX 3070', {
    capacity: '8 GB',
    bandwidth: '448 GB/s',
    peak: '40.6 TFLOP/s',
    power: '220 W',
  }),
  'rtx-3080': recalledCard(ampere, 'NVIDIA GeForce RTX 3080 10 GB', {
    capacity: '10 GB',
    bandwidth: '760 GB/s',
    peak: '59.5 TFLOP/s',
    power: '320 W',
  }),
  'rtx-3080-ti': recalledCard(ampere, 'NVIDIA GeForce RTX 3080 Ti', {
    capacity: '12 GB',
    bandwidth: '912 GB/s',
    peak: '68 TFLOP/s',
    power: '350 W',
  }),
};
