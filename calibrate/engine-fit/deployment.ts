import {InputError} from '../../src/sim/core/errors.js';
import type {MeasuredRun} from '../../src/sim/measured/measured-run.js';
import type {Files} from '../../src/sim/scenario/file/files.js';
import {resolveText} from '../../src/sim/scenario/resolve/index.js';
import type {Scenario} from '../../src/sim/scenario/scenario.js';
import {knownDevice, knownLlm} from '../names.js';

/** The deployment that a run measured, as a scenario whose traffic is not yet the run's. What the run does not say is the engine's default. */
export async function deploymentOf(run: MeasuredRun): Promise<Scenario> {
  const {settings, engine} = run;
  const lines = [
    `name: ${JSON.stringify(run.id)}`,
    `model: {name: ${knownLlm(run.model)}}`,
    `hardware: {device: ${knownDevice(run.device)}}`,
    'engine:',
    `  preset: ${engine.preset}`,
    ...line('  version', engine.version === null ? null : JSON.stringify(engine.version)),
    `  parallel: {tensor: ${settings.tensor}}`,
    ...line('  max_model_len', settings.maxModelLen),
    ...line('  gpu_memory_utilization', settings.gpuMemoryUtilization),
    'scheduler:',
    ...line('  max_num_seqs', settings.maxNumSeqs),
    ...line('  max_num_batched_tokens', settings.maxNumBatchedTokens),
    '  policy: fcfs',
    'kv:',
    ...line('  block_size', settings.blockSize),
    ...line('  blocks', settings.kvBlocks),
    `  prefix_cache: ${settings.prefixCache ?? true}`,
    'workload: {kind: lengths, arrivals: 1 req/s, input_tokens: 1, output_tokens: 1}',
    'run: {warmup: 0, bounds: off}',
    '',
  ];
  return scenarioOfText(lines.join('\n'), run.id);
}

/** A scenario that stands in no file and names none. */
export function scenarioOfText(text: string, name: string): Promise<Scenario> {
  return resolveText(text, name, noFiles);
}

function line(key: string, value: number | string | null): string[] {
  return value === null ? [] : [`${key}: ${value}`];
}

/** A measured run names nothing that stands in another file. */
const noFiles: Files = {
  read: async (path) => {
    throw new InputError(`${path} does not exist`);
  },
  isFolder: async () => false,
  real: async (path) => path,
  gunzip: (bytes) => bytes,
  run: null,
  sha256: () => '',
};
