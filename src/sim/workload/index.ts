import {Chat} from './chat.js';
import {Lengths} from './lengths.js';
import {Replay} from './replay.js';
import type {Workload, WorkloadConfig, WorkloadOptions} from './workload.js';

type Of<K> = Extract<WorkloadConfig, {kind: K}>;

/** Every workload by the name that scenario files use. */
export const workloads: {[K in WorkloadConfig['kind']]: new (config: Of<K>, options: WorkloadOptions) => Workload} = {
  chat: Chat,
  lengths: Lengths,
  replay: Replay,
};

/** Makes the workload; an InputError says which key cannot be. */
export function createWorkload(config: WorkloadConfig, options: WorkloadOptions): Workload {
  const Kind = workloads[config.kind] as new (config: WorkloadConfig, options: WorkloadOptions) => Workload;
  return new Kind(config, options);
}
