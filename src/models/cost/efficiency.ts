import type {Architecture, Device} from '../devices/device.js';
import type {Grade} from '../provenance.js';

/** A share of a peak that kernels reach, and the 80 % interval of measured over predicted time. */
export interface Reach {
  /** Share of the compute peak. */
  readonly compute: number;
  /** Share of the memory bandwidth. */
  readonly stream: number;
  readonly interval: readonly [number, number];
  readonly grade: Grade;
  readonly source: string;
}

/** How near the kernels of an architecture come to its peaks. */
export interface Efficiency {
  readonly linear: Reach;
  readonly experts: Reach;
  readonly prefill: Reach;
  readonly decode: Reach;
  /** Share of the peer link's bandwidth that collectives reach. */
  readonly link: number;
}

/** Medians over the bf16 rows of aiconfigurator's kernel tables; intervals from the 10th and 90th percentile of the same rows. */
function tables(device: string, engine: string): (compute: number, stream: number, interval: readonly [number, number]) => Reach {
  const source = `medians of ai-dynamo/aiconfigurator@095f58a51c4c ${device}, ${engine} kernels, bf16`;
  return (compute, stream, interval) => ({compute, stream, interval, grade: 'fitted', source});
}

function guess(compute: number, stream: number, source: string): Reach {
  return {compute, stream, interval: [0.7, 2], grade: 'assumed', source};
}

const LINK = 0.33;

const hopper = tables('h100_sxm', 'vLLM 0.24.0');
const ampere = tables('a100_sxm', 'vLLM 0.14.0');
const blackwell = tables('b200_sxm', 'vLLM 0.24.0');
const ada = tables('l40s', 'vLLM 0.24.0');
const pro = tables('rtx_pro_6000_server', 'vLLM 0.24.0');
const notMeasured = 'no kernel table: cautious shares, below those of the measured architectures';

/** Every architecture's shares. */
const efficiencies: Readonly<Record<Architecture, Efficiency>> = {
  hopper: {
    linear: hopper(0.79, 0.78, [0.91, 1.28]),
    experts: hopper(0.52, 0.75, [0.82, 1.87]),
    prefill: hopper(0.53, 0.81, [0.85, 1.85]),
    decode: hopper(0.53, 0.81, [0.88, 1.24]),
    link: LINK,
  },
  ampere: {
    linear: ampere(0.81, 0.67, [0.91, 1.61]),
    experts: guess(0.5, 0.65, 'the A100 table has only skewed routing: the shares of Hopper, lowered'),
    prefill: ampere(0.49, 0.64, [0.88, 1.64]),
    decode: ampere(0.49, 0.64, [0.83, 1.74]),
    link: LINK,
  },
  blackwell: {
    linear: blackwell(0.68, 0.69, [0.87, 1.26]),
    experts: blackwell(0.35, 0.78, [0.81, 1.51]),
    prefill: blackwell(0.46, 0.84, [0.84, 1.55]),
    decode: blackwell(0.46, 0.84, [0.91, 1.09]),
    link: LINK,
  },
  ada: {
    linear: ada(0.63, 0.76, [0.87, 1.2]),
    experts: ada(0.6, 0.76, [0.67, 1.27]),
    prefill: ada(0.46, 0.79, [0.87, 1.64]),
    decode: ada(0.46, 0.79, [0.8, 1.22]),
    link: LINK,
  },
  'blackwell-rtx': {
    linear: pro(0.81, 0.79, [0.93, 1.29]),
    experts: pro(0.39, 0.77, [0.76, 1.46]),
    prefill: pro(0.55, 0.8, [0.87, 1.63]),
    decode: pro(0.55, 0.8, [0.8, 1.24]),
    link: LINK,
  },
  cdna3: {
    linear: {
      ...guess(
        0.51,
        0.7,
        'matmul 668 of 1,307 TFLOP/s: github:stas00/ml-engineering:compute/accelerator/README.md@744d01e18b79; streaming assumed',
      ),
      interval: [0.8, 1.6],
    },
    experts: guess(0.35, 0.65, notMeasured),
    prefill: guess(0.35, 0.65, notMeasured),
    decode: guess(0.35, 0.65, notMeasured),
    link: LINK,
  },
  apple: {
    linear: guess(0.7, 0.8, notMeasured),
    experts: guess(0.5, 0.7, notMeasured),
    prefill: guess(0.4, 0.7, notMeasured),
    decode: guess(0.4, 0.7, notMeasured),
    link: LINK,
  },
  cpu: {
    linear: guess(0.6, 0.75, notMeasured),
    experts: guess(0.5, 0.7, notMeasured),
    prefill: guess(0.4, 0.7, notMeasured),
    decode: guess(0.4, 0.7, notMeasured),
    link: LINK,
  },
};

const cautious: Efficiency = {
  linear: guess(0.6, 0.7, notMeasured),
  experts: guess(0.4, 0.65, notMeasured),
  prefill: guess(0.4, 0.65, notMeasured),
  decode: guess(0.4, 0.65, notMeasured),
  link: LINK,
};

const full: Reach = {compute: 1, stream: 1, interval: [1, 1], grade: 'assumed', source: 'by definition of the ideal engine'};

/** Shares of `device`'s peaks; all of them for the ideal engine. */
export function efficiencyOf(device: Device, ideal: boolean): Efficiency {
  if (ideal) return {linear: full, experts: full, prefill: full, decode: full, link: 1};
  return device.architecture === undefined ? cautious : efficiencies[device.architecture];
}
