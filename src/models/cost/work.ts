import {InputError} from '../../sim/core/errors.js';
import type {ComputeType, Device} from '../devices/device.js';
import {kvElements} from '../llms/kv.js';
import type {Attention, FeedForward, LayerGroup, Llm, WeightFormat} from '../llms/llm.js';
import {checkExperts, type Layout} from './expert-layout.js';

/** Number format of activations: two bytes or four. */
export type ActivationType = 'bf16' | 'fp16' | 'fp32';

/** A matrix product that runs on every token (or every emitting row), on one device; `count` equal ones in the model. */
export interface MatrixWork {
  readonly name: string;
  readonly count: number;
  /** Inputs and outputs of the matrix on this device. */
  readonly inputs: number;
  readonly outputs: number;
  readonly weightBytes: number;
  readonly format: WeightFormat;
  /** FLOP/s, before the share that kernels reach. */
  readonly peak: number;
}

/** The routed experts of equal layers, on one device. */
export interface ExpertWork {
  readonly count: number;
  readonly experts: number;
  /** Experts that this device has a part of, or all of. */
  readonly local: number;
  readonly topK: number;
  /** Of one expert on this device: inputs and width, parameters and bytes. */
  readonly hidden: number;
  readonly width: number;
  readonly params: number;
  readonly weightBytes: number;
  /** Bytes of activations one token moves for each of its experts. */
  readonly tokenBytes: number;
  readonly format: WeightFormat;
  readonly peak: number;
}

/** Operators that stream activations; `copy` has no kernel of its own. */
export type StreamOp = 'embedding' | 'add_rmsnorm' | 'rope' | 'silu_mul' | 'copy';

/** An operator that streams the activations of every token, on one device; `count` equal ones in the model. */
export interface StreamWork {
  readonly op: StreamOp;
  readonly name: string;
  readonly count: number;
  /** Elements of its output for one token. */
  readonly width: number;
  /** Bytes that one token moves. */
  readonly tokenBytes: number;
  /** Whether measured kernels of experts do it inside. */
  readonly ofExperts?: boolean;
}

/** Heads of one layer's attention on one device. */
export type Heads =
  | {readonly kind: 'gqa'; readonly heads: number; readonly kvHeads: number; readonly headDim: number; readonly window: number}
  | {readonly kind: 'mla'; readonly heads: number; readonly rank: number; readonly ropeDim: number};

/** Attention of equal layers, on one device: coefficients of the batch's sums. */
export interface AttentionWork {
  readonly count: number;
  readonly windowed: boolean;
  readonly heads: Heads;
  /** A token attending to one token of context: FLOP, and bytes of cache read. */
  readonly decodeFlops: number;
  readonly decodeBytes: number;
  /** Bytes of queries and outputs of one decoding sequence. */
  readonly sequenceBytes: number;
  /** FLOP for each unit of causal area. */
  readonly areaFlops: number;
  /** Bytes of cache for each token of a chunk's context, and FLOP to expand a latent of its prefix. */
  readonly contextBytes: number;
  readonly prefixFlops: number;
  /** Bytes of queries and outputs of one chunk token. */
  readonly tokenBytes: number;
}

/** Everything one device does in a step, apart from how many tokens there are. */
export interface Work {
  readonly tensor: number;
  readonly layers: number;
  readonly matrices: readonly MatrixWork[];
  readonly experts: readonly ExpertWork[];
  readonly attention: readonly AttentionWork[];
  readonly head: MatrixWork;
  /** Norms, activation functions, rotary embedding, cache writes and the embedding lookup. */
  readonly streams: readonly StreamWork[];
  readonly vocab: number;
  readonly activationType: ActivationType;
  readonly activationBytes: number;
  readonly kvFormat: WeightFormat;
  readonly attentionPeak: number;
  /** Bytes of one token in an all-reduce, and all-reduces in a step. */
  readonly reduceBytes: number;
  readonly reduces: number;
  /** Bytes that one device sends of one token in an all-to-all of experts, and all-to-alls in a step. */
  readonly sendBytes: number;
  readonly sends: number;
  /** Bytes of one row of logits that one device holds. */
  readonly logitBytes: number;
}

/** What is on every device, and how it is written. */
export interface WorkOptions extends Pick<Layout, 'tensor'>, Partial<Pick<Layout, 'expert' | 'exchange'>> {
  readonly kvFormat: WeightFormat;
  readonly activationType: ActivationType;
}

/** Splits a model's step over `tensor` devices. Throws InputError when heads do not divide or the device has no peak for the activation type. */
export function workOf(llm: Llm, device: Device, options: WorkOptions): Work {
  const {tensor, kvFormat, activationType} = options;
  const layout: Layout = {expert: 1, exchange: 'all-reduce', ...options};
  checkTensor(llm, tensor);
  checkExperts(llm, layout);
  const activationBytes = activationType === 'fp32' ? 4 : 2;
  const peak = (format: WeightFormat) => peakOf(device, format.compute, activationType);
  const matrix = (name: string, count: number, inputs: number, outputs: number, format: WeightFormat): MatrixWork => ({
    name,
    count,
    inputs,
    outputs,
    weightBytes: inputs * outputs * format.bytesPerParam,
    format,
    peak: peak(format),
  });
  const plain: WeightFormat = {name: activationType, bytesPerParam: activationBytes, compute: 'activation'};
  const layers = llm.layers.reduce((sum, {count}) => sum + count, 0);
  return {
    tensor,
    layers,
    matrices: llm.layers.flatMap((group) => groupMatrices(llm, group, tensor, plain, matrix)),
    experts: llm.layers.flatMap((group) => groupExperts(llm, group, layout, activationBytes, peak(llm.formats.experts))),
    attention: llm.layers.map((group) => attentionWork(group, tensor, kvFormat.bytesPerParam, activationBytes)),
    head: matrix('lm_head', 1, llm.hidden, llm.vocab / tensor, llm.tiedEmbeddings ? llm.formats.embeddings : llm.formats.head),
    streams: streamsOf(llm, tensor, kvFormat.bytesPerParam, activationBytes),
    vocab: llm.vocab / tensor,
    activationType,
    activationBytes,
    kvFormat,
    attentionPeak: peak(plain),
    reduceBytes: llm.hidden * activationBytes,
    ...exchanges(llm, layout, activationBytes),
    logitBytes: (llm.vocab / tensor) * activationBytes,
  };
}

/** Throws InputError when attention heads cannot be split over `tensor` devices. */
export function checkTensor(llm: Llm, tensor: number): void {
  for (const {attention} of llm.layers) {
    const whole = attention.kind === 'mla' || attention.kvHeads % tensor === 0 || tensor % attention.kvHeads === 0;
    if (attention.heads % tensor === 0 && whole) continue;
    const kv = attention.kind === 'gqa' ? ` and ${attention.kvHeads} key/value heads` : '';
    throw new InputError(
      `engine.parallel.tensor: ${tensor} does not divide the ${attention.heads} heads${kv} of ${llm.name}; use a divisor of ${attention.heads}`,
    );
  }
}

const stand: Readonly<Record<ActivationType, readonly ComputeType[]>> = {bf16: ['bf16', 'fp16'], fp16: ['fp16', 'bf16'], fp32: ['fp32']};

/** The dense peak in FLOP/s; a format that the device cannot multiply in runs in the activation type. */
function peakOf(device: Device, compute: WeightFormat['compute'], activationType: ActivationType): number {
  const own = compute === 'activation' ? undefined : device.compute[compute];
  const peak = own ?? stand[activationType].map((type) => device.compute[type]).find((figure) => figure !== undefined);
  if (peak !== undefined) return peak.value;
  throw new InputError(
    `model.activation_dtype: ${device.id} states no peak for ${activationType}; it has ${Object.keys(device.compute).join(', ')}. Set hardware.compute.${activationType}`,
  );
}

type MakeMatrix = (name: string, count: number, inputs: number, outputs: number, format: WeightFormat) => MatrixWork;

function groupMatrices(
  llm: Llm,
  {count, attention, feedForward}: LayerGroup,
  tensor: number,
  plain: WeightFormat,
  matrix: MakeMatrix,
): MatrixWork[] {
  return [
    ...attentionMatrices(llm, count, attention, tensor, matrix),
    ...feedForwardMatrices(llm, count, feedForward, tensor, plain, matrix),
  ];
}

function attentionMatrices(llm: Llm, count: number, attention: Attention, tensor: number, matrix: MakeMatrix): MatrixWork[] {
  const format = llm.formats.attention;
  const heads = attention.heads / tensor;
  const output = matrix('o', count, heads * attention.valueDim, llm.hidden, format);
  if (attention.kind === 'gqa') {
    const queryKeyValue = heads * attention.headDim + kvElements(attention, tensor);
    return [matrix('qkv', count, llm.hidden, queryKeyValue, format), output];
  }
  const {qLoraRank, kvLoraRank, nopeDim, ropeDim, valueDim} = attention;
  const query = heads * (nopeDim + ropeDim);
  const down =
    qLoraRank === null
      ? [matrix('q', count, llm.hidden, query, format), matrix('kv_a', count, llm.hidden, kvLoraRank + ropeDim, format)]
      : [matrix('q_a, kv_a', count, llm.hidden, qLoraRank + kvLoraRank + ropeDim, format), matrix('q_b', count, qLoraRank, query, format)];
  return [...down, matrix('kv_b', count, kvLoraRank, heads * (nopeDim + valueDim), format), output];
}

function feedForwardMatrices(
  llm: Llm,
  count: number,
  feedForward: FeedForward,
  tensor: number,
  plain: WeightFormat,
  matrix: MakeMatrix,
): MatrixWork[] {
  const pair = (name: string, width: number, format: WeightFormat) => [
    matrix(`${name} up`, count, llm.hidden, (feedForward.matrices - 1) * width, format),
    matrix(`${name} down`, count, width, llm.hidden, format),
  ];
  if (feedForward.kind === 'dense') return pair('mlp', feedForward.width / tensor, llm.formats.mlp);
  const shared = feedForward.sharedWidth > 0 ? pair('shared experts', feedForward.sharedWidth / tensor, llm.formats.shared_experts) : [];
  return [matrix('router', count, llm.hidden, feedForward.experts, plain), ...shared];
}

/**
 * Collectives of a step: one sum after the embedding, and two a layer, after attention and after the feed-forward.
 *
 * With an all-to-all the sum after attention is taken apart, each device having its part of the tokens between the halves; they are sent to their experts, and back, and no sum follows.
 */
function exchanges(llm: Llm, {tensor, expert, exchange}: Layout, activationBytes: number): Pick<Work, 'reduces' | 'sends' | 'sendBytes'> {
  if (tensor === 1) return {reduces: 0, sends: 0, sendBytes: 0};
  let layers = 0,
    sending = 0,
    topK = 0;
  for (const {count, feedForward} of llm.layers) {
    layers += count;
    if (feedForward.kind === 'dense' || exchange === 'all-reduce') continue;
    sending += count;
    topK = feedForward.topK;
  }
  return {reduces: 2 * layers + 1 - sending, sends: 2 * sending, sendBytes: (topK * llm.hidden * activationBytes) / expert};
}

function groupExperts(
  llm: Llm,
  {count, feedForward}: LayerGroup,
  {tensor, expert}: Layout,
  activationBytes: number,
  peak: number,
): ExpertWork[] {
  if (feedForward.kind === 'dense') return [];
  const {experts, topK, matrices} = feedForward;
  const width = (feedForward.width * expert) / tensor; // an expert is split over the devices of its group
  const params = matrices * llm.hidden * width;
  return [
    {
      count,
      experts,
      local: experts / expert,
      topK,
      hidden: llm.hidden,
      width,
      params,
      weightBytes: params * llm.formats.experts.bytesPerParam,
      tokenBytes: (2 * llm.hidden + matrices * width) * activationBytes,
      format: llm.formats.experts,
      peak,
    },
  ];
}

function attentionWork({count, attention}: LayerGroup, tensor: number, kvBytes: number, activationBytes: number): AttentionWork {
  const heads = attention.heads / tensor;
  const cached = kvElements(attention, tensor) * kvBytes;
  if (attention.kind === 'gqa') {
    const width = attention.headDim + attention.valueDim;
    return {
      count,
      windowed: attention.window !== null,
      heads: {
        kind: 'gqa',
        heads,
        kvHeads: Math.max(1, attention.kvHeads / tensor),
        headDim: attention.headDim,
        window: attention.window ?? 0,
      },
      decodeFlops: 2 * heads * width,
      decodeBytes: cached,
      sequenceBytes: heads * width * activationBytes,
      areaFlops: 2 * heads * width,
      contextBytes: cached,
      prefixFlops: 0,
      tokenBytes: heads * width * activationBytes,
    };
  }
  // Decode multiplies with the latent itself (absorbed); prefill expands it to full keys and values.
  const {kvLoraRank, nopeDim, ropeDim, valueDim} = attention;
  const expanded = nopeDim + ropeDim + valueDim;
  return {
    count,
    windowed: false,
    heads: {kind: 'mla', heads, rank: kvLoraRank, ropeDim},
    decodeFlops: 2 * heads * (2 * kvLoraRank + ropeDim),
    decodeBytes: cached,
    sequenceBytes: heads * (2 * kvLoraRank + ropeDim) * activationBytes,
    areaFlops: 2 * heads * expanded,
    contextBytes: cached + 2 * heads * expanded * activationBytes,
    prefixFlops: 2 * kvLoraRank * heads * (nopeDim + valueDim),
    tokenBytes: heads * expanded * activationBytes,
  };
}

function streamsOf(llm: Llm, tensor: number, kvBytes: number, activationBytes: number): StreamWork[] {
  const {hidden} = llm;
  const stream = (op: StreamOp, name: string, count: number, width: number, moved: number): StreamWork => ({
    op,
    name,
    count,
    width,
    tokenBytes: moved * width * activationBytes,
  });
  const streams = [stream('embedding', 'embedding lookup', 1, hidden, 2)];
  for (const {count, attention, feedForward} of llm.layers) {
    const rotated =
      attention.kind === 'gqa'
        ? (attention.heads * attention.headDim) / tensor + kvElements(attention, tensor) / 2
        : (attention.heads * attention.ropeDim) / tensor;
    // A norm also adds the residual: it reads and writes both.
    streams.push(stream('add_rmsnorm', 'norms', 2 * count, hidden, 4), stream('rope', 'rotary embedding', count, rotated, 2));
    streams.push({op: 'copy', name: 'cache writes', count, width: 0, tokenBytes: kvElements(attention, tensor) * kvBytes});
    const {matrices} = feedForward;
    // A gated activation reads two halves and writes one.
    const activation = matrices === 3 ? 'silu_mul' : 'copy';
    const activated = (name: string, width: number) => stream(activation, name, count, width / tensor, matrices);
    if (feedForward.kind === 'dense') streams.push(activated('activation', feedForward.width));
    else {
      streams.push({...stream('copy', 'sum over experts', count, hidden, feedForward.topK + 1), ofExperts: true});
      streams.push({...activated('activation of experts', feedForward.topK * feedForward.width), ofExperts: true});
      if (feedForward.sharedWidth > 0) streams.push(activated('activation of shared experts', feedForward.sharedWidth));
    }
  }
  return streams;
}

/** Experts that `tokens` tokens touch when each picks `topK` of `experts` uniformly; real routing is skewed and touches fewer. */
export function distinctExperts(experts: number, topK: number, tokens: number): number {
  return experts * (1 - (1 - topK / experts) ** tokens);
}
