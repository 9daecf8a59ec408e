import type {Attention, FeedForward, Llm, TensorClass} from './llm.js';

/** Parts that parameters are counted by: the tensor classes, and what no quantiser converts. */
export type ParamClass = TensorClass | 'router' | 'norms';

/** Parameter counts of a model. */
export interface ParamCounts {
  /** All weights once, tied embeddings once, multi-token-prediction layers left out. */
  readonly total: number;
  /** Weights used for one token, head included and embedding lookup excluded: `topK` routed experts a layer. */
  readonly active: number;
  readonly byClass: Readonly<Record<ParamClass, number>>;
}

/** Counts parameters from the shape; equal to the published totals of the models in test/models/golden.test.ts. */
export function paramCounts(llm: Llm): ParamCounts {
  const byClass = {attention: 0, mlp: 0, experts: 0, shared_experts: 0, embeddings: 0, head: 0, router: 0, norms: llm.otherParams};
  let idle = 0;
  for (const group of llm.layers) {
    const {count, attention, feedForward, normParams} = group;
    byClass.attention += count * (attentionMatrix(attention, llm.hidden) + attention.extraParams);
    byClass.norms += count * normParams;
    byClass.mlp += count * denseParams(feedForward, llm.hidden);
    byClass.experts += count * expertParams(feedForward, llm.hidden) * experts(feedForward);
    byClass.shared_experts += count * sharedParams(feedForward, llm.hidden);
    byClass.router += count * routerParams(feedForward, llm.hidden);
    idle += count * expertParams(feedForward, llm.hidden) * idleExperts(feedForward);
  }
  byClass.embeddings = llm.vocab * llm.hidden;
  byClass.head = llm.tiedEmbeddings ? 0 : llm.vocab * llm.hidden;
  const total = Object.values(byClass).reduce((sum, params) => sum + params, 0);
  const lookup = llm.tiedEmbeddings ? 0 : byClass.embeddings;
  return {total, active: total - idle - lookup, byClass};
}

/** Parameters of a layer's projections, biases and norms apart. */
export function attentionMatrix(attention: Attention, hidden: number): number {
  if (attention.kind === 'gqa') {
    const {heads, kvHeads, headDim, valueDim} = attention;
    return hidden * heads * headDim + hidden * kvHeads * (headDim + valueDim) + heads * valueDim * hidden;
  }
  const {heads, qLoraRank, kvLoraRank, nopeDim, ropeDim, valueDim} = attention;
  const query = qLoraRank === null ? hidden * heads * (nopeDim + ropeDim) : hidden * qLoraRank + qLoraRank * heads * (nopeDim + ropeDim);
  return query + hidden * (kvLoraRank + ropeDim) + kvLoraRank * heads * (nopeDim + valueDim) + heads * valueDim * hidden;
}

/** Parameters of a dense feed-forward; 0 for experts. */
export function denseParams(feedForward: FeedForward, hidden: number): number {
  return feedForward.kind === 'dense' ? feedForward.matrices * hidden * feedForward.width + feedForward.extraParams : 0;
}

/** Parameters of one routed expert; 0 for a dense layer. */
export function expertParams(feedForward: FeedForward, hidden: number): number {
  return feedForward.kind === 'moe' ? feedForward.matrices * hidden * feedForward.width + feedForward.expertExtraParams : 0;
}

/** Parameters of all shared experts of a layer. */
export function sharedParams(feedForward: FeedForward, hidden: number): number {
  return feedForward.kind === 'moe' ? feedForward.matrices * hidden * feedForward.sharedWidth : 0;
}

/** The router's matrix, its biases and the shared experts' gate. */
export function routerParams(feedForward: FeedForward, hidden: number): number {
  return feedForward.kind === 'moe' ? hidden * feedForward.experts + feedForward.extraParams : 0;
}

function experts(feedForward: FeedForward): number {
  return feedForward.kind === 'moe' ? feedForward.experts : 0;
}

function idleExperts(feedForward: FeedForward): number {
  return feedForward.kind === 'moe' ? feedForward.experts - feedForward.topK : 0;
}
