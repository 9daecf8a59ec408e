import {causalArea} from './attention.js';
import {kernelFormat} from './formats.js';
import type {Kernel, KernelWork} from './kernel.js';

/** Latent attention as DeepSeek-V3's config.json has it: width, ranks of the two latents, rotary part, head dims of keys and values. */
const HIDDEN = 7168;
const QUERY_RANK = 1536;
const RANK = 512;
const ROPE = 64;
const NOPE = 128;
const VALUE = 128;

/** Prefill of latent attention, expanded: each head multiplies full keys (192) and values (128) over the causal area. */
export function mlaPrefill(format: string): Kernel {
  const {input, compute} = kernelFormat(format);
  return {
    name: `mla.prefill.${format}`,
    axes: ['batch', 'tokens', 'heads'],
    coordinates: [
      {name: 'batch_heads', of: ([batch, , heads]) => batch * heads},
      {name: 'tokens', of: ([, tokens]) => tokens},
    ],
    compute,
    work([batch, tokens, heads]: readonly number[], into: KernelWork): void {
      into.flops = 2 * batch * heads * (NOPE + ROPE + VALUE) * causalArea(tokens, 0, 0);
      into.bytes = batch * tokens * input * (2 * heads * (NOPE + ROPE + VALUE) + RANK + ROPE);
    },
  };
}

/** Decode of latent attention, absorbed: each head multiplies the latent itself; the latent of every cached token once. */
export function mlaDecode(format: string): Kernel {
  const {weight, input, compute} = kernelFormat(format);
  return {
    name: `mla.decode.${format}`,
    axes: ['batch', 'context', 'heads'],
    coordinates: [
      {name: 'batch', of: ([batch]) => batch},
      {name: 'context', of: ([, context]) => context},
      {name: 'heads', of: ([, , heads]) => heads},
    ],
    compute,
    work([batch, context, heads]: readonly number[], into: KernelWork): void {
      into.flops = 2 * batch * heads * context * (2 * RANK + ROPE);
      into.bytes = batch * (context * (RANK + ROPE) * weight + heads * (2 * RANK + ROPE) * input);
    },
  };
}

/** Parameters of the projections around latent attention with `heads` heads on this device. */
function projectionParams(heads: number): number {
  const down = HIDDEN * (QUERY_RANK + RANK + ROPE);
  return down + heads * (QUERY_RANK * (NOPE + ROPE) + RANK * (NOPE + VALUE) + VALUE * HIDDEN);
}

/** Latent attention of one layer with its projections, as engines time the module; `projections` is the format of their weights. */
export function mlaModule(phase: 'prefill' | 'decode', format: string, projections: string): Kernel {
  const inner = phase === 'prefill' ? mlaPrefill(format) : mlaDecode(format);
  const {weight, input} = kernelFormat(projections);
  return {
    ...inner,
    name: `mla_module.${phase}.${format}.${projections}`,
    compute: kernelFormat(projections).compute,
    work(shape: readonly number[], into: KernelWork): void {
      inner.work(shape, into);
      const rows = phase === 'prefill' ? shape[0] * shape[1] : shape[0];
      const params = projectionParams(shape[2]);
      into.flops += 2 * rows * params;
      into.bytes += params * weight + 2 * rows * HIDDEN * input;
    },
  };
}
