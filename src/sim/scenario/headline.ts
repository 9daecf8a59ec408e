import {streamsOf} from '../workload/classes.js';
import type {Arrivals, ArrivalsInRounds, Traffic, WorkloadConfig} from '../workload/workload.js';
import type {Scenario} from './scenario.js';
import {countText, rateText} from './text.js';

const engineNames: Readonly<Record<string, string>> = {
  vllm: 'vLLM',
  sglang: 'SGLang',
  'llama.cpp': 'llama.cpp',
  'tensorrt-llm': 'TensorRT-LLM',
  ideal: 'ideal engine',
};

/** One line that says what was simulated: model, devices, engine and version, workload, seed. */
export function headline(scenario: Scenario): string {
  const {llm, engine} = scenario;
  const feedForward = llm.layers.some((group) => group.feedForward.kind === 'moe') ? 'experts' : 'mlp';
  return [
    `${llm.name} ${llm.formats[feedForward].name}`,
    deployment(scenario),
    `${engineName(engine.preset)}${engine.ideal ? '' : ` ${engine.version}`}`,
    workloadText(scenario.workload),
    `seed ${scenario.run.seed}`,
  ].join(' · ');
}

/** Devices of the replica, or of each of several. */
function deployment({device, count, parallel, cluster}: Scenario): string {
  const {tensor, expert, exchange} = parallel;
  const experts = expert > 1 ? `, expert ${expert}${exchange === 'all-to-all' ? ' by all-to-all' : ''}` : '';
  const one = `${count} × ${device.name}${tensor > 1 ? ` (tensor ${tensor}${experts})` : ''}`;
  return cluster.replicas === 1 ? one : `${cluster.replicas} replicas of ${one}, ${cluster.router}`;
}

/** The name its makers give an engine. */
export function engineName(preset: string): string {
  return Object.hasOwn(engineNames, preset) ? engineNames[preset] : preset;
}

/** The kinds of a workload and how fast each arrives. */
export function workloadText(workload: WorkloadConfig): string {
  return streamsOf(workload)
    .map(({traffic}) => trafficText(traffic))
    .join(' + ');
}

function trafficText(traffic: Traffic): string {
  if (traffic.kind === 'batch') return 'batch, all at once';
  return traffic.kind === 'replay'
    ? `replay of ${countText(traffic.trace.rows)} requests (${traffic.trace.format})${traffic.arrivals === null ? '' : ` ${arrivalsText(traffic.arrivals)}`}`
    : `${traffic.kind} ${arrivalsText(traffic.arrivals)}`;
}

function arrivalsText(arrivals: Arrivals | ArrivalsInRounds): string {
  if (arrivals.process === 'rounds')
    return `${countText(arrivals.sessions)} sessions in rounds, ${countText(arrivals.inFlight)} requests at once, ${rateText(arrivals.rate)} req/s`;
  if (arrivals.process === 'closed-loop') return `${countText(arrivals.sessions)} sessions in a closed loop`;
  return `${rateText(arrivals.rate)} ${arrivals.of === 'session' ? 'session/s' : 'req/s'}`;
}
