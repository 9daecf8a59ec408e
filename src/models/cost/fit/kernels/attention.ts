import {kernelFormat} from './formats.js';
import type {Kernel, KernelWork} from './kernel.js';

/** Tokens a causal chunk attends to: the area under the diagonal behind `prefix`, each token's reach cut to the window (0: none). */
export function causalArea(tokens: number, prefix: number, window: number): number {
  const whole = tokens * prefix + (tokens * (tokens + 1)) / 2;
  const end = prefix + tokens;
  if (window === 0 || end <= window) return whole;
  if (prefix >= window) return tokens * window;
  const rising = window - prefix;
  return rising * prefix + (rising * (rising + 1)) / 2 + (tokens - rising) * window;
}

const clipped = (context: number, window: number) => (window === 0 ? context : Math.min(context, window));

/**
 * Attention of `batch` prompts' chunks of `tokens` new tokens behind `prefix` computed ones, causal.
 *
 * Area × heads × 4 × head dim FLOP; queries and outputs once, keys and values of prefix and chunk once.
 */
export function prefillAttention(format: string, kvFormat = format): Kernel {
  const {input, compute} = kernelFormat(format);
  const cache = kernelFormat(kvFormat).weight;
  return {
    name: named('attn.prefill', format, kvFormat),
    axes: ['batch', 'tokens', 'prefix', 'heads', 'kv_heads', 'head_dim', 'window'],
    // How much runs at once; how long each is; then how far a shape is from plain multi-head attention without prefix or window.
    coordinates: [
      {name: 'batch_heads', of: ([batch, , , heads]) => batch * heads},
      {name: 'tokens', of: ([, tokens]) => tokens},
      {name: 'group', of: ([, , , heads, kvHeads]) => heads / kvHeads},
      {name: 'head_dim', of: ([, , , , , headDim]) => headDim},
      {name: 'past', of: ([, tokens, prefix]) => (prefix + tokens) / tokens},
      {name: 'cut', of: ([, tokens, prefix, , , , window]) => (prefix + tokens) / clipped(prefix + tokens, window)},
    ],
    compute,
    work([batch, tokens, prefix, heads, kvHeads, headDim, window]: readonly number[], into: KernelWork): void {
      into.flops = 4 * batch * heads * headDim * causalArea(tokens, prefix, window);
      const read = clipped(prefix + tokens, window === 0 ? 0 : window + tokens - 1);
      into.bytes = 2 * batch * headDim * (heads * tokens * input + kvHeads * read * cache);
    },
  };
}

/** Attention of `batch` sequences that decode one token over `context` tokens, themselves included: keys and values once. */
export function decodeAttention(format: string, kvFormat = format): Kernel {
  const {input, compute} = kernelFormat(format);
  const cache = kernelFormat(kvFormat).weight;
  return {
    name: named('attn.decode', format, kvFormat),
    axes: ['batch', 'context', 'heads', 'kv_heads', 'head_dim', 'window'],
    coordinates: [
      {name: 'batch_kv_heads', of: ([batch, , , kvHeads]) => batch * kvHeads},
      {name: 'reach', of: ([, context, , , , window]) => clipped(context, window)},
      {name: 'group', of: ([, , heads, kvHeads]) => heads / kvHeads},
      {name: 'head_dim', of: ([, , , , headDim]) => headDim},
      {name: 'cut', of: ([, context, , , , window]) => context / clipped(context, window)},
    ],
    compute,
    work([batch, context, heads, kvHeads, headDim, window]: readonly number[], into: KernelWork): void {
      const reach = clipped(context, window);
      into.flops = 4 * batch * heads * headDim * reach;
      into.bytes = 2 * batch * headDim * (heads * input + kvHeads * reach * cache);
    },
  };
}

/**
 * One attention call over a chunk of `chunk` tokens behind `prefix` and `decodes` sequences that decode over `context` tokens each,
 * as engines launch them together. A chunk or decodes of 0 are none.
 */
export function mixedAttention(format: string, kvFormat = format): Kernel {
  const prefill = prefillAttention(format, kvFormat);
  const decode = decodeAttention(format, kvFormat);
  const part: KernelWork = {flops: 0, bytes: 0};
  return {
    name: named('attn.mixed', format, kvFormat),
    axes: ['chunk', 'prefix', 'decodes', 'context', 'heads', 'kv_heads', 'head_dim'],
    // Counts start at 0, so one is added to each.
    coordinates: [
      {name: 'chunk', of: ([chunk]) => 1 + chunk},
      {name: 'prefix', of: ([, prefix]) => 1 + prefix},
      {name: 'decodes', of: ([, , decodes]) => 1 + decodes},
      {name: 'context', of: ([, , , context]) => 1 + context},
    ],
    compute: prefill.compute,
    work([chunk, prefix, decodes, context, heads, kvHeads, headDim]: readonly number[], into: KernelWork): void {
      prefill.work([chunk > 0 ? 1 : 0, chunk, prefix, heads, kvHeads, headDim, 0], into);
      decode.work([decodes, context, heads, kvHeads, headDim, 0], part);
      into.flops += part.flops;
      into.bytes += part.bytes;
    },
  };
}

function named(family: string, format: string, kvFormat: string): string {
  return kvFormat === format ? `${family}.${format}` : `${family}.${format}.kv_${kvFormat}`;
}
