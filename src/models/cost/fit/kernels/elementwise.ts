import {kernelFormat} from './formats.js';
import {axis, type Kernel, type KernelWork} from './kernel.js';

/** Elements read and written for each element of width, and FLOP on it. */
interface Elementwise {
  readonly moved: number;
  readonly flops: number;
}

/** Operators that stream activations; `width` is that of their output. */
export const elementwiseOps = {
  rmsnorm: {moved: 2, flops: 4},
  // Residual read and written beside input and output.
  add_rmsnorm: {moved: 4, flops: 5},
  add: {moved: 3, flops: 1},
  rope: {moved: 2, flops: 3},
  // Gate and up in, one out.
  silu_mul: {moved: 3, flops: 5},
  embedding: {moved: 2, flops: 0},
  // Logits in 16 bits, then in 32 bits twice: 10 bytes of each.
  sampler: {moved: 5, flops: 10},
} as const satisfies Record<string, Elementwise>;
export type ElementwiseOp = keyof typeof elementwiseOps;

/** An operator that streams `tokens` rows of `width`; small ones run from the cache. */
export function elementwise(op: ElementwiseOp, format: string): Kernel {
  const {moved, flops} = elementwiseOps[op];
  const {input, compute} = kernelFormat(format);
  return {
    name: `${op}.${format}`,
    axes: ['tokens', 'width'],
    coordinates: [axis('tokens', 0), axis('width', 1)],
    compute,
    cached: true,
    work([tokens, width]: readonly number[], into: KernelWork): void {
      into.flops = flops * tokens * width;
      into.bytes = moved * tokens * width * input;
    },
  };
}
