import {InputError} from '../core/errors.js';
import {inferencePerf} from './inference-perf.js';
import type {MeasuredRun} from './measured-run.js';
import type {MeasuredFiles, MeasuredReader} from './reader.js';
import {vllmRequests} from './vllm-requests.js';

/** Every format of measured serving runs by its name. */
export const measuredReaders = {'inference-perf': inferencePerf, 'vllm-requests': vllmRequests} as const satisfies Record<
  string,
  MeasuredReader
>;

/** Reads the runs that the files of one place hold; the format is found by their content. Throws InputError when none is known. */
export function readMeasured(files: MeasuredFiles, place: string): MeasuredRun[] {
  for (const reader of Object.values(measuredReaders)) if (reader.matches(files)) return reader.read(files);
  const known = Object.entries(measuredReaders).map(([name, {description}]) => `${name}: ${description}`);
  throw new InputError(`${place} holds no measured run in a known format; known: ${known.join('; ')}`);
}
