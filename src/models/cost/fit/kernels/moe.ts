import {kernelFormat} from './formats.js';
import {axis, type Kernel, type KernelWork} from './kernel.js';

/**
 * How tokens are spread over experts: `balanced` touches as many as it can, `uniform` draws independently, `stated` has the
 * number as an axis. Any other name is a skewed draw, whose work is counted as if uniform.
 */
export type Routing = 'balanced' | 'uniform' | 'stated' | (string & {});

/** Experts that `tokens` tokens touch when each takes `topK` of `experts`: min(E, k·t) when balanced, else E(1 − (1 − k/E)^t). */
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
  const stated = routing === 'stated';
  return {
    name: `moe.${format}.${routing}`,
    axes: ['tokens', 'hidden', 'width', 'top_k', 'experts', 'local', ...(stated ? ['touched'] : [])],
    coordinates: [
      axis('tokens', 0),
      {name: 'expert', of: ([, hidden, width]) => hidden * width},
      {name: 'share', of: ([, , , topK, experts]) => experts / topK},
      axis('local', 5),
      ...(stated ? [axis('touched', 6)] : []),
    ],
    compute,
    work([tokens, hidden, width, topK, experts, local, named]: readonly number[], into: KernelWork): void {
      const share = local / experts;
      const touched = stated ? named : touchedExperts(routing, experts, topK, tokens) * share;
      const rows = tokens * topK * share;
      into.flops = 6 * rows * hidden * width;
      into.bytes = touched * 3 * hidden * width * weight + rows * (hidden * (input + output) + 3 * width * input);
    },
  };
}
