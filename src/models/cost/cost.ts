import type {Grade} from '../provenance.js';

/**
 * What one step computes, as sums over its sequences, so that a step costs O(1) whatever the batch.
 *
 * A *chunk* is the part of one prompt that a step computes; a *decode* is a sequence that computes one token. Context counts include the new token itself.
 */
export class BatchSums {
  /** Sequences that decode one token. */
  decodes = 0;
  /** Σ context of the decodes, tokens. */
  decodeContext = 0;
  /** Σ min(context, window) of the decodes; equal to `decodeContext` without a window. */
  decodeContextClipped = 0;
  /** The longest context among the decodes, tokens. */
  decodeLongest = 0;
  /** Sequences that compute a chunk. */
  chunks = 0;
  /** Σ new tokens of the chunks. */
  chunkTokens = 0;
  /** Σ over chunks of the context at their end (prefix + chunk), tokens: the KV they read. */
  chunkContext = 0;
  /** The same, with each chunk's reach cut to the window. */
  chunkContextClipped = 0;
  /** Σ over every new chunk token of the tokens it attends to, itself included (the causal area). */
  chunkArea = 0;
  /** The same, each token's reach cut to the window. */
  chunkAreaClipped = 0;
  /** Sequences that emit a token at the end of the step: rows of the LM head. */
  emitting = 0;

  clear(): void {
    this.decodes = this.decodeContext = this.decodeContextClipped = this.decodeLongest = 0;
    this.chunks = this.chunkTokens = this.chunkContext = this.chunkContextClipped = 0;
    this.chunkArea = this.chunkAreaClipped = this.emitting = 0;
  }

  /** Adds a chunk of `tokens` that follows `prefix` computed tokens; `window` is the model's sliding window or Infinity. */
  addChunk(prefix: number, tokens: number, window: number): void {
    const end = prefix + tokens;
    this.chunks++;
    this.chunkTokens += tokens;
    this.chunkContext += end;
    this.chunkContextClipped += Math.min(end, window + tokens - 1);
    this.chunkArea += area(prefix, end);
    this.chunkAreaClipped +=
      end <= window ? area(prefix, end) : prefix >= window ? tokens * window : area(prefix, window) + (end - window) * window;
  }
}

/** Σ of t for t in (from, to]: what the causal tokens from+1…to attend to. */
function area(from: number, to: number): number {
  return ((to - from) * (from + to + 1)) / 2;
}

/** What can bound a step, in this order in `Prediction.bounds`. `hbm` is the device's own memory, whatever its make. */
export const bounds = ['compute', 'hbm', 'link', 'launch', 'host'] as const;
export type Bound = (typeof bounds)[number];

/** A prediction that is written over by the next one. */
export class Prediction {
  /** Duration of the step. Σ bounds = seconds. */
  seconds = 0;
  flops = 0;
  /** Bytes moved through the device's own memory, all ranks together. */
  bytes = 0;
  /** Seconds by bound, in the order of `bounds`. */
  readonly bounds = new Float64Array(bounds.length);
  /** Seconds by term, in the order of `CostModel.terms`. */
  readonly terms: Float64Array;
  /** Bit i is set when term i was asked beyond what was measured, so that its answer is extrapolated. */
  outside = 0;

  constructor(terms: number) {
    this.terms = new Float64Array(terms);
  }
}

/** One part of a step's time and where its constants come from. */
export interface CostTerm {
  /** For example `linear`, `attention.prefill`, `attention.decode`, `head`, `elementwise`, `collective`, `launch`, `host`. */
  readonly name: string;
  readonly grade: Grade;
  readonly source: string;
  /** 80 % of measured/predicted lie between these ratios (signed p10 and p90 of the fit), e.g. [0.8, 1.4]. */
  readonly interval: readonly [number, number];
}

/** Predicts how long a step takes. Pure: equal sums give equal seconds. */
export interface CostModel {
  readonly kind: string;
  readonly terms: readonly CostTerm[];
  /** Writes the prediction of `batch` into `into`; under 0.5 µs, allocates nothing. */
  predict(batch: Readonly<BatchSums>, into: Prediction): void;
  /** The smallest sliding window of the model, or Infinity: what `BatchSums` is clipped to. */
  readonly window: number;
}
