import {InputError} from '../../sim/core/errors.js';
import {type FormatScope, weightFormat} from './formats.js';
import {type Attention, type Llm, type TensorClass, tensorClasses, type WeightFormat} from './llm.js';
import {attentionMatrix, type ParamClass, paramCounts} from './params.js';

/** Bytes of all weights on one copy of the model, tied embeddings once. */
export function weightBytes(llm: Llm): number {
  return weightBytesPerDevice(llm, 1);
}

/**
 * Bytes of weights on one device when every matrix is split over `tensor` devices.
 *
 * Attention heads, feed-forwards, experts and the two vocabulary matrices are split; norms, routers, the down-projections to MLA latents, and key/value projections of heads that there are too few of, are on every device.
 */
export function weightBytesPerDevice(llm: Llm, tensor: number): number {
  let bytes = 0;
  for (const [part, perDevice] of Object.entries(paramsPerDevice(llm, tensor))) bytes += perDevice * bytesPerParam(llm, part as ParamClass);
  return bytes;
}

/** Parameters of each class on one device. */
export function paramsPerDevice(llm: Llm, tensor: number): Record<ParamClass, number> {
  const {byClass} = paramCounts(llm);
  const split = Object.fromEntries(Object.entries(byClass).map(([part, params]) => [part, params / tensor])) as Record<ParamClass, number>;
  split.router = byClass.router;
  split.norms = byClass.norms;
  split.attention = llm.layers.reduce((sum, {count, attention}) => sum + count * attentionPerDevice(attention, llm.hidden, tensor), 0);
  return split;
}

/** Parameters of one layer's attention on one device: key and value heads are copied when there are fewer of them than devices. */
function attentionPerDevice(attention: Attention, hidden: number, tensor: number): number {
  if (attention.kind === 'gqa') {
    const {heads, kvHeads, headDim, valueDim, extraParams} = attention;
    const keyValueHeads = Math.max(1, kvHeads / tensor);
    return (hidden * heads * (headDim + valueDim) + extraParams) / tensor + hidden * keyValueHeads * (headDim + valueDim);
  }
  const whole = hidden * ((attention.qLoraRank ?? 0) + attention.kvLoraRank + attention.ropeDim) + attention.extraParams;
  return whole + (attentionMatrix(attention, hidden) + attention.extraParams - whole) / tensor;
}

/** Bytes of one parameter of a class, block scales included. */
export function bytesPerParam(llm: Llm, part: ParamClass): number {
  if (part === 'router' || part === 'norms') return plainBytes(llm);
  return llm.formats[part].bytesPerParam;
}

/** Bytes of a parameter that no quantiser converts: those of the model's own dtype. */
function plainBytes(llm: Llm): number {
  return llm.formats.embeddings.name === 'fp32' ? 4 : 2;
}

/**
 * The same model in another weight format.
 *
 * One name goes where its quantisers go: bf16, fp16, fp32 and GGUF types to every class, the others to the linear layers of the blocks. A map names classes, and `default` stands for those it leaves out, by the same rule. Throws InputError on an unknown name or class.
 */
export function withQuantization(llm: Llm, quantization: string | Readonly<Partial<Record<TensorClass | 'default', string>>>): Llm {
  const named = typeof quantization === 'string' ? {default: quantization} : quantization;
  for (const key of Object.keys(named)) {
    if (key !== 'default' && !(tensorClasses as readonly string[]).includes(key)) {
      throw new InputError(`model.quantization.${key}: unknown tensor class; known: default, ${tensorClasses.join(', ')}`);
    }
  }
  const fallback = named.default === undefined ? null : weightFormat(named.default);
  const formats = {...llm.formats} as Record<TensorClass, WeightFormat>;
  for (const tensorClass of tensorClasses) {
    const own = named[tensorClass];
    if (own !== undefined) formats[tensorClass] = plain(weightFormat(own));
    else if (fallback !== null && takes(fallback.scope, tensorClass)) formats[tensorClass] = plain(fallback);
  }
  return {...llm, formats};
}

function takes(scope: FormatScope, tensorClass: TensorClass): boolean {
  return scope === 'all' || (tensorClass !== 'embeddings' && tensorClass !== 'head');
}

function plain({name, bytesPerParam, compute}: WeightFormat): WeightFormat {
  return {name, bytesPerParam, compute};
}
