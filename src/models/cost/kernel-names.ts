import type {WeightFormat} from '../llms/llm.js';
import type {ActivationType} from './work.js';

/** Formats of kernel tables that a weight format's products run in, by preference; 16-bit formats take the same time. */
function formatsOf({name, bytesPerParam}: WeightFormat): readonly string[] {
  switch (name) {
    case 'bf16':
      return ['bf16', 'fp16'];
    case 'fp16':
      return ['fp16', 'bf16'];
    case 'fp8':
      return bytesPerParam === 1 ? ['fp8'] : ['fp8_block'];
    case 'int4':
      return ['int4_wo', 'int4_g32'];
    case 'q8_0':
      return ['q8_0'];
    // A kernel of int4 has the same bits and groups of 32.
    case 'q4_0':
    case 'q4_k':
      return [name, 'int4_g32'];
    case 'iq4_nl':
      return ['int4_g32'];
    case 'mxfp4':
      return ['w4a16_mxfp4'];
    case 'fp32':
    case 'int8':
    case 'nvfp4':
      return [name];
    default:
      return [];
  }
}

/** Kernels that multiply by weights of `format`, by preference. */
export function gemmNames(format: WeightFormat): string[] {
  return formatsOf(format).map((name) => `gemm.${name}`);
}

/** Kernels of routed experts, by preference. */
export function moeNames(format: WeightFormat): string[] {
  return formatsOf(format).flatMap((name) => ['balanced', 'uniform', 'power_law_1_01'].map((routing) => `moe.${name}.${routing}`));
}

/** Kernels of an operator that streams activations. */
export function streamNames(op: string, type: ActivationType): string[] {
  return sixteenBits(type).map((name) => `${op}.${name}`);
}

/** Attention in the activation type over a cache of `kv`. */
export function attentionNames(family: 'attn.prefill' | 'attn.decode' | 'attn.mixed', type: ActivationType, kv: WeightFormat): string[] {
  const cache = kv.name.startsWith('fp8') ? 'fp8' : kv.name;
  return sixteenBits(type).map((name) =>
    kv.bytesPerParam === 2 || cache === name ? `${family}.${name}` : `${family}.${name}.kv_${cache}`,
  );
}

/** Latent attention over a cache of `kv`. */
export function latentNames(phase: 'prefill' | 'decode', kv: WeightFormat): string[] {
  return (kv.bytesPerParam === 2 ? ['bf16', 'fp16'] : [kv.name.startsWith('fp8') ? 'fp8' : kv.name]).map((name) => `mla.${phase}.${name}`);
}

function sixteenBits(type: ActivationType): readonly string[] {
  return type === 'fp32' ? ['fp32'] : type === 'bf16' ? ['bf16', 'fp16'] : ['fp16', 'bf16'];
}
