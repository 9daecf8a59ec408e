import {elementwiseOps} from '../../src/models/cost/fit/kernels/elementwise.js';
import {kernelFormats} from '../../src/models/cost/fit/kernels/formats.js';
import {kernelNamed} from '../../src/models/cost/fit/kernels/index.js';
import type {Kernel} from '../../src/models/cost/fit/kernels/kernel.js';
import {memoryOps} from '../../src/models/cost/fit/kernels/memory.js';
import type {SampleLine} from './lines.js';

/** Ops that are kernels of the same name, without a number format. */
const plain: readonly string[] = [...memoryOps, 'storage.read', 'storage.write'];
/** Ops that are kernels of that name and a number format. */
const formatted: readonly string[] = ['gemm', 'attn.decode', 'attn.prefill', ...Object.keys(elementwiseOps)];

/** The kernel that a sample is a measurement of; null for those that are figures only (latency, copies). */
export function kernelOf({op, dtype}: SampleLine): Kernel | null {
  if (plain.includes(op)) return kernelNamed(op);
  return formatted.includes(op) && Object.hasOwn(kernelFormats, dtype) ? kernelNamed(`${op}.${dtype}`) : null;
}

/** The shape in the order of the kernel's axes; null when the sample does not state one of them. */
export function shapeOf({axes}: Kernel, {shape}: SampleLine): number[] | null {
  const numbers = axes.map((axis) => shape[axis]);
  return numbers.every((value) => typeof value === 'number') ? numbers : null;
}
