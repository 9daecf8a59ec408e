import {kernelFormat} from './formats.js';
import {axis, type Kernel, type KernelWork} from './kernel.js';

/** How tokens are spread over experts: evenly, so that min(E, k·t) are touched, or independently at random. */
export type Routing = 'balanced' | 'uniform';

/** Experts that `tokens` tokens touch when each takes `topK` of `experts`. */
export function touchedExperts(routing: Routing, experts: number, topK: number, tokens: number): number {
  return routing === 'balanced' ? Math.min(experts, topK * tokens) : experts * (1 - (1 - topK / experts) ** tokens);
}

/**
 * The routed experts of one layer: gate, up and down matrices of `width` on each of `local` experts of this device.
 *
 * Weights of the touched experts once; every token's input and output once for each expert that it takes here.
 */
export function moe(format: string, routing: Routing): Kernel {
  const {weight, input, output, compute} = kernelFormat(format);
  return {
    name: `moe.${format}.${routing}`,
    axes: ['tokens', 'hidden', 'width', 'top_k', 'experts', 'local'],
    coordinates: [
      axis('tokens', 0),
      {name: 'expert', of: ([, hidden, width]) => hidden * width},
      {name: 'share', of: ([, , , topK, experts]) => experts / topK},
      axis('local', 5),
    ],
    compute,
    work([tokens, hidden, width, topK, experts, local]: readonly number[], into: KernelWork): void {
      const share = local / experts;
      const touched = touchedExperts(routing, experts, topK, tokens) * share;
      const rows = tokens * topK * share;
      into.flops = 6 * rows * hidden * width;
      into.bytes = touched * 3 * hidden * width * weight + rows * (hidden * (input + output) + 3 * width * input);
    },
  };
}
