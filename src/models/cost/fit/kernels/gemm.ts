import {kernelFormat} from './formats.js';
import {axis, type Kernel, type KernelWork} from './kernel.js';

/** A matrix product of m rows through weights of n × k: 2mnk FLOP; weights, inputs and outputs once. */
export function gemm(format: string): Kernel {
  const {weight, input, output, compute} = kernelFormat(format);
  return {
    name: `gemm.${format}`,
    axes: ['m', 'n', 'k'],
    coordinates: [axis('m', 0), axis('n', 1), axis('k', 2)],
    compute,
    work([m, n, k]: readonly number[], into: KernelWork): void {
      into.flops = 2 * m * n * k;
      into.bytes = n * k * weight + m * k * input + m * n * output;
    },
  };
}
