import {type CheckRow, heldOutChecks} from '../../held-out-checks.js';
import type {ValidationCheck} from '../check.js';
import type {Target, ValidationRow} from '../row.js';

/** The bars of the kernels, by operator and device: means over points that the fit never saw. */
const targets: Readonly<Record<string, number>> = {
  'gemm.bf16 h100-sxm': 0.065,
  'gemm.bf16 a100-sxm-80gb': 0.095,
  'attn.prefill.bf16 h100-sxm': 0.08,
  'attn.prefill.bf16 a100-sxm-80gb': 0.08,
  'attn.decode.bf16 h100-sxm': 0.09,
  'nccl h100-sxm': 0.07,
  'nccl a100-sxm-80gb': 0.07,
  'attn.mixed.bf16 rtx-4090': 0.05,
  'dense layers rtx-4090': 0.05,
};
/** Vidur's operators that multiply matrices. */
const VIDUR_MATRICES = /^vidur .*proj/;

/** Fits of measured kernels, judged on points that they never saw. */
export const kernels: ValidationCheck = {
  name: 'kernels',
  needs: ['kernels/aiconfigurator', 'kernels/vidur', 'kernels/llmservingsim'],
  // A distortion changes the simulator, not these fits.
  run: (data, distortion) => (distortion === null ? heldOutChecks.map((check) => rowOfCheck(check.run(data.kernels))) : []),
};

function rowOfCheck({op, device, how, trained, n, mean, median, bias, p90, coverage}: CheckRow): ValidationRow {
  return {
    section: 'kernels',
    subject: `${op}, ${device}`,
    metric: 'time',
    n,
    mean,
    median,
    bias,
    p90,
    worst: null,
    coverage,
    fitted: `${trained} points: ${how}`,
    target: targetOf(op, device),
    note: null,
  };
}

function targetOf(op: string, device: string): Target | null {
  const most = VIDUR_MATRICES.test(op) ? 0.06 : targets[`${op} ${device}`];
  return most === undefined ? null : {statistic: 'mean', most};
}
