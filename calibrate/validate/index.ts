import type {Distortion, ValidationCheck, ValidationData} from './check.js';
import {hicache} from './checks/hicache.js';
import {inferenceX} from './checks/inferencex.js';
import {kernels} from './checks/kernels.js';
import {kvOffload} from './checks/kv-offload.js';
import {kvOffloadLoads} from './checks/kv-offload-loads.js';
import {singleStream} from './checks/single-stream.js';
import {vllmH100} from './checks/vllm-h100.js';
import {vllmRtx4090} from './checks/vllm-rtx4090.js';
import type {ValidationRow} from './row.js';

/** Every check of the accuracy table, in the order of the table, by the name that `--only` takes. */
export const checks: Readonly<Record<string, ValidationCheck>> = {
  kernels,
  'single-stream': singleStream,
  'vllm-rtx4090': vllmRtx4090,
  'vllm-h100': vllmH100,
  'kv-offload': kvOffload,
  'kv-offload-loads': kvOffloadLoads,
  hicache,
  inferencex: inferenceX,
};

/** The accuracy table, and why parts of it are missing. */
export interface Validation {
  readonly rows: readonly ValidationRow[];
  readonly skipped: readonly string[];
}

export interface ValidateOptions {
  /** Names of checks; all when not said. */
  readonly only?: readonly string[];
  readonly distortion?: Distortion;
  readonly onCheck?: (name: string) => void;
}

/** Runs the checks whose data are there. */
export async function validate(data: ValidationData, {only, distortion, onCheck}: ValidateOptions = {}): Promise<Validation> {
  const rows: ValidationRow[] = [];
  const skipped: string[] = [];
  for (const [key, check] of Object.entries(checks)) {
    if (only !== undefined && !only.includes(key)) continue;
    const missing = check.needs.filter((path) => !data.has(path));
    if (missing.length > 0) {
      skipped.push(`${check.name}: ${missing.join(', ')} not there`);
      continue;
    }
    onCheck?.(check.name);
    rows.push(...(await check.run(data, distortion ?? null)));
  }
  return {rows, skipped};
}
