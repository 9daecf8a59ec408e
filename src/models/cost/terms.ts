import {type Grade, grades} from '../provenance.js';
import type {CostTerm} from './cost.js';
import type {Reach} from './efficiency.js';
import type {FitError} from './fit/fit.js';
import type {KernelTime} from './kernel-time.js';
import type {StepCost} from './step-cost.js';

/** Terms of a step, in the order of `Prediction.terms`. */
export const stepTerms = [
  'linear',
  'experts',
  'attention.prefill',
  'attention.decode',
  'head',
  'elementwise',
  'collective',
  'launch',
  'host',
] as const;
export type StepTerm = (typeof stepTerms)[number];

/** A kernel below a tenth of its term, in a step of 64 tokens, says nothing about the whole. */
const [TYPICAL, MINOR] = [64, 0.1];

type Basis = Omit<CostTerm, 'name'>;

const LINK_SOURCE =
  'a third of the peer link: vLLM custom all-reduce, 0.3–0.5 measured on A100, H100, B200 (aiconfigurator custom_allreduce, vllm_graph)';

/** What each term's constants rest on. */
export function termsOf({efficiency, engine, tokenKernels, headKernels, attention, exchange}: StepCost): CostTerm[] {
  const {ideal, launchPerLayer, overhead} = engine;
  const exact = (interval: readonly [number, number]): readonly [number, number] => (ideal ? [1, 1] : interval);
  const streamed: Basis = {
    grade: 'assumed',
    source: 'streams at the bandwidth share of the linear layers',
    interval: exact([0.7, 1.5]),
  };
  const rows = (term: StepTerm, otherwise: Basis): Basis => {
    const kernels = [...tokenKernels, ...headKernels].filter((kernel) => kernel.term === term);
    const seconds = kernels.reduce((sum, kernel) => sum + kernel.seconds(TYPICAL), 0);
    const heavy = kernels.filter((kernel) => kernel.seconds(TYPICAL) > MINOR * seconds);
    return together(
      heavy.map(({time}) => basisOf(time, otherwise)),
      otherwise,
    );
  };
  const sides = (side: 'prefill' | 'decode', otherwise: Reach): Basis =>
    together(
      attention.map((kernel) => basisOf(kernel.mixedTime ?? (side === 'prefill' ? kernel.prefillTime : kernel.decodeTime), otherwise)),
      otherwise,
    );
  const linked: Basis = ideal ? efficiency.linear : {grade: 'fitted', source: LINK_SOURCE, interval: [0.7, 1.5]};
  const by: Record<StepTerm, Basis> = {
    linear: rows('linear', efficiency.linear),
    experts: rows('experts', efficiency.experts),
    'attention.prefill': sides('prefill', efficiency.prefill),
    'attention.decode': sides('decode', efficiency.decode),
    head: rows('head', efficiency.linear),
    elementwise: rows('elementwise', streamed),
    collective:
      exchange === null
        ? linked
        : together(
            [exchange.graph, exchange.eager].map((time) => basisOf(time, linked)),
            linked,
          ),
    launch: {grade: launchPerLayer.grade, source: launchPerLayer.source, interval: exact([0.5, 2])},
    host: {grade: overhead.step.grade, source: overhead.step.source, interval: exact([0.5, 2])},
  };
  return stepTerms.map((name) => ({name, grade: by[name].grade, source: by[name].source, interval: by[name].interval}));
}

/** 10th and 90th percentile of a normal error lie 1.6 mean absolute errors from its middle. */
const PERCENTILE_PER_MEAN = 1.6;
/** Mean error of a fit that states none. */
const UNSTATED = 0.1;

function basisOf(time: KernelTime | null, otherwise: Basis): Basis {
  if (time === null) return otherwise;
  const {grade, source, error} = time.fit;
  // Profiles that people write may state the mean error alone.
  const stated: Partial<FitError> = error ?? {};
  const reach = 1 + PERCENTILE_PER_MEAN * (stated.mape ?? UNSTATED);
  return {grade, source, interval: stated.interval ?? [1 / reach, reach]};
}

/** Of several kernels: the worst grade, every source, the widest interval. */
function together(parts: readonly Basis[], otherwise: Basis): Basis {
  if (parts.length === 0) return otherwise;
  const grade = parts.reduce<Grade>((worst, part) => (grades.indexOf(part.grade) > grades.indexOf(worst) ? part.grade : worst), 'measured');
  return {
    grade,
    source: [...new Set(parts.map(({source}) => source))].join('; '),
    interval: [Math.min(...parts.map(({interval}) => interval[0])), Math.max(...parts.map(({interval}) => interval[1]))],
  };
}
