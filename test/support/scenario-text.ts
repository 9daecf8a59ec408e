import {resolveScenario} from '../../src/sim/scenario/resolve/index.js';
import type {Scenario} from '../../src/sim/scenario/scenario.js';
import {memoryFiles} from './memory-files.js';

/** The smallest useful scenario; tests change one line of it. */
export const chat = `model: llama-3.1-8b
hardware: h100-sxm
engine: vllm
workload:
  kind: chat
  arrivals: 2 session/s
`;

/** Loads a scenario from texts by file name; the first is the one that is loaded. */
export async function load(files: Readonly<Record<string, string | Uint8Array>>, set: readonly string[] = []): Promise<Scenario> {
  return resolveScenario(Object.keys(files)[0], memoryFiles(files), {set});
}

/** What the loader refuses, as the command line prints it; fails when it refuses nothing. */
export async function refusal(files: Readonly<Record<string, string | Uint8Array>>, set: readonly string[] = []): Promise<string> {
  try {
    await load(files, set);
  } catch (error) {
    if ((error as Error).name !== 'InputError') throw error;
    return (error as Error).message;
  }
  throw new Error('the loader refused nothing');
}
