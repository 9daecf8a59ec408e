import type {BatchSums} from './cost.js';
import {DecodeCells} from './decode-cells.js';
import type {Reach} from './efficiency.js';
import {attentionNames, latentNames} from './kernel-names.js';
import type {KernelTime, KernelTimes} from './kernel-time.js';
import type {AttentionWork, Work} from './work.js';

/** What the attention of equal layers is made with. */
export interface AttentionSources {
  readonly times: KernelTimes;
  readonly prefill: Reach;
  readonly decode: Reach;
  /** B/s of the memory and FLOP/s, before the shares. */
  readonly bandwidth: number;
  readonly peak: number;
  /** Share of the way from the mean to the longest context that decodes of unequal length cost. */
  readonly unequal: number;
}

/** One side of attention in one step, of all its layers: written over by each evaluation. */
export class AttentionPart {
  seconds = 0;
  flops = 0;
  bytes = 0;
  computeBound = false;
  outside = false;

  clear(): void {
    this.seconds = this.flops = this.bytes = 0;
    this.computeBound = this.outside = false;
  }
}

/**
 * Attention of equal layers over the sums of a batch, from fits of the kernels or from the roofline.
 *
 * Chunks are taken as b equal chunks of s tokens behind p computed ones each, with the same tokens, context and causal area.
 */
export class AttentionKernel {
  readonly work: AttentionWork;
  readonly prefill = new AttentionPart();
  readonly decode = new AttentionPart();
  /** One call for chunks and decodes together, where that was measured. */
  readonly mixedTime: KernelTime | null;
  readonly prefillTime: KernelTime | null;
  readonly decodeTime: KernelTime | null;
  readonly #cells: DecodeCells | null;
  readonly #sources: AttentionSources;
  readonly #prefillShape: number[];
  readonly #mixedShape: number[];
  /** Whether windows were measured; else a clipped context stands for one. */
  readonly #windows: boolean;

  constructor(layer: AttentionWork, {activationType, kvFormat}: Work, sources: AttentionSources) {
    this.work = layer;
    this.#sources = sources;
    const {times} = sources;
    const {heads} = layer;
    if (heads.kind === 'mla') {
      this.#prefillShape = [1, 1, heads.heads];
      this.#mixedShape = [];
      const plain = heads.rank === 512 && heads.ropeDim === 64;
      this.mixedTime = null;
      this.prefillTime = plain ? times.find(latentNames('prefill', kvFormat), [1, 1024, heads.heads]) : null;
      this.decodeTime = plain ? times.find(latentNames('decode', kvFormat), [1, 1024, heads.heads]) : null;
      this.#windows = false;
    } else {
      const {kvHeads, headDim, window} = heads;
      const rest = [heads.heads, kvHeads, headDim];
      const find = (family: 'attn.prefill' | 'attn.decode' | 'attn.mixed', shape: number[]) =>
        times.find(attentionNames(family, activationType, kvFormat), shape);
      const mixed = window > 0 ? null : find('attn.mixed', [0, 0, 8, 1024, ...rest]);
      this.prefillTime = find('attn.prefill', [1, 1024, 0, ...rest, window]);
      this.decodeTime = find('attn.decode', [8, 1024, ...rest, window]);
      const apart = this.prefillTime !== null && this.decodeTime !== null;
      this.mixedTime = mixed !== null && (!apart || !mixed.outside([0, 0, 8, 1024, ...rest])) ? mixed : null;
      this.#windows = window > 0 && this.decodeTime !== null && !this.decodeTime.outside([8, 4 * window, ...rest, window]);
      this.#prefillShape = [1, 1, 0, ...rest, this.#windows ? window : 0];
      this.#mixedShape = [0, 0, 0, 1, ...rest];
    }
    const time = this.mixedTime ?? this.decodeTime;
    this.#cells = time === null ? null : new DecodeCells(time, this.#decodeShape());
  }

  evaluate(batch: Readonly<BatchSums>): void {
    this.prefill.clear();
    this.decode.clear();
    if (batch.decodes > 0) this.#decode(batch);
    if (batch.chunks > 0) this.#prefill(batch);
  }

  #decodeShape(): (batch: number, context: number) => readonly number[] {
    const {heads} = this.work;
    if (this.mixedTime !== null) {
      const shape = [...this.#mixedShape];
      return (batch, context) => {
        shape[2] = batch;
        shape[3] = context;
        return shape;
      };
    }
    const rest = heads.kind === 'mla' ? [heads.heads] : [heads.heads, heads.kvHeads, heads.headDim, this.#windows ? heads.window : 0];
    const shape = [1, 1, ...rest];
    return (batch, context) => {
      shape[0] = batch;
      shape[1] = context;
      return shape;
    };
  }

  #decode(batch: Readonly<BatchSums>): void {
    const {work, decode: part} = this;
    const {bandwidth, peak, decode: reach} = this.#sources;
    const context = work.windowed ? batch.decodeContextClipped : batch.decodeContext;
    part.flops = work.count * work.decodeFlops * context;
    part.bytes = work.count * (work.decodeBytes * context + work.sequenceBytes * batch.decodes);
    const mean = this.#meanContext(batch, context);
    const compute = (work.count * work.decodeFlops * mean * batch.decodes) / (peak * reach.compute);
    const memory = (work.count * (work.decodeBytes * mean + work.sequenceBytes) * batch.decodes) / (bandwidth * reach.stream);
    part.computeBound = compute > memory;
    if (this.#cells === null) {
      part.seconds = Math.max(compute, memory);
      return;
    }
    const asked = this.#windows ? this.#meanContext(batch, batch.decodeContext) : mean;
    this.#cells.find(batch.decodes, asked);
    part.seconds = work.count * this.#cells.seconds;
    part.outside = this.#cells.outside;
  }

  /** The mean context moved a little towards the longest: time is near linear in the context, so t(mean) + α·(t(longest) − t(mean)) is t there. */
  #meanContext({decodes, decodeLongest}: Readonly<BatchSums>, context: number): number {
    const mean = context / decodes;
    const {heads, windowed} = this.work;
    const longest = windowed && heads.kind === 'gqa' && !this.#windows ? Math.min(decodeLongest, heads.window) : decodeLongest;
    return longest > mean ? mean + this.#sources.unequal * (longest - mean) : mean;
  }

  #prefill(batch: Readonly<BatchSums>): void {
    const {work, prefill: part} = this;
    const {bandwidth, peak, prefill: reach} = this.#sources;
    const area = work.windowed ? batch.chunkAreaClipped : batch.chunkArea;
    const context = work.windowed ? batch.chunkContextClipped : batch.chunkContext;
    const prefixes = batch.chunkContext - batch.chunkTokens;
    part.flops = work.count * (work.areaFlops * area + work.prefixFlops * prefixes);
    part.bytes = work.count * (work.contextBytes * context + work.tokenBytes * batch.chunkTokens);
    const compute = part.flops / (peak * reach.compute);
    const memory = part.bytes / (bandwidth * reach.stream);
    part.computeBound = compute > memory;
    if (this.mixedTime !== null) this.#mixed(batch, this.mixedTime);
    else if (this.prefillTime === null) part.seconds = Math.max(compute, memory);
    else if (work.heads.kind === 'mla') this.#latent(batch, this.prefillTime);
    else this.#apart(batch, this.prefillTime);
  }

  /** s from the three sums; b = tokens / s, p = (context − tokens) / b. */
  static tokensOf({chunkTokens, chunkContext, chunkArea}: Readonly<BatchSums>): number {
    return (2 * chunkArea - chunkTokens) / (2 * (chunkContext - chunkTokens) + chunkTokens);
  }

  #apart(batch: Readonly<BatchSums>, time: KernelTime): void {
    const shape = this.#prefillShape;
    const tokens = AttentionKernel.tokensOf(batch);
    shape[0] = batch.chunkTokens / tokens;
    shape[1] = tokens;
    shape[2] = ((batch.chunkContext - batch.chunkTokens) * tokens) / batch.chunkTokens;
    this.prefill.seconds = this.work.count * time.seconds(shape);
    this.prefill.outside = time.outside(shape);
    // A clipped area stands for a window that was not measured.
    if (this.work.windowed && !this.#windows) this.prefill.seconds *= batch.chunkAreaClipped / batch.chunkArea;
  }

  /** Tables of latent attention have no prefix: the roofline says what it adds. */
  #latent(batch: Readonly<BatchSums>, time: KernelTime): void {
    const {work} = this;
    const shape = this.#prefillShape;
    const tokens = AttentionKernel.tokensOf(batch);
    const chunks = batch.chunkTokens / tokens;
    shape[0] = chunks;
    shape[1] = tokens;
    const alone = (work.areaFlops * chunks * tokens * (tokens + 1)) / 2;
    const all = work.areaFlops * batch.chunkArea + work.prefixFlops * (batch.chunkContext - batch.chunkTokens);
    this.prefill.seconds = (work.count * time.seconds(shape) * all) / alone;
    this.prefill.outside = batch.chunkContext > batch.chunkTokens || time.outside(shape);
  }

  /** The whole call, less what its decodes take alone. */
  #mixed(batch: Readonly<BatchSums>, time: KernelTime): void {
    const {chunkTokens, chunkContext, chunkArea} = batch;
    const shape = this.#mixedShape;
    shape[2] = batch.decodes;
    shape[3] = batch.decodes === 0 ? 0 : this.#meanContext(batch, batch.decodeContext);
    shape[0] = chunkTokens;
    shape[1] = Math.max(0, chunkArea / chunkTokens - (chunkTokens + 1) / 2);
    let seconds = time.seconds(shape);
    this.prefill.outside = time.outside(shape);
    // One chunk was measured. Several take no longer than one of all their tokens, nor than one after the other.
    const tokens = AttentionKernel.tokensOf(batch);
    const chunks = chunkTokens / tokens;
    if (chunks > 1.001) {
      shape[0] = tokens;
      shape[1] = (chunkContext - chunkTokens) / chunks;
      const first = time.seconds(shape);
      shape[2] = shape[3] = 0;
      seconds = Math.min(seconds, first + (chunks - 1) * time.seconds(shape));
    }
    this.prefill.seconds = Math.max(0, this.work.count * seconds - this.decode.seconds);
  }
}
