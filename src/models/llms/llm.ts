/** Attention of one layer. Head counts are of the whole model, before tensor parallelism. */
export type Attention =
  | {
      readonly kind: 'gqa';
      readonly heads: number;
      readonly kvHeads: number;
      /** Query and key width of a head. */
      readonly headDim: number;
      readonly valueDim: number;
      /** Tokens a query may look back on, or null for all. */
      readonly window: number | null;
      /** Parameters beside the four projections: biases, query/key norms, sinks. */
      readonly extraParams: number;
    }
  | {
      readonly kind: 'mla';
      readonly heads: number;
      readonly qLoraRank: number | null;
      readonly kvLoraRank: number;
      readonly nopeDim: number;
      readonly ropeDim: number;
      readonly valueDim: number;
      readonly extraParams: number;
    };

/** Feed-forward of one layer. `matrices` is 3 for gated (SwiGLU, GeGLU), 2 for plain. */
export type FeedForward =
  | {readonly kind: 'dense'; readonly width: number; readonly matrices: 2 | 3; readonly extraParams: number}
  | {
      readonly kind: 'moe';
      readonly experts: number;
      readonly topK: number;
      /** Width of one routed expert. */
      readonly width: number;
      /** Summed width of the shared experts; 0 when there are none. */
      readonly sharedWidth: number;
      readonly matrices: 2 | 3;
      /** Biases of one expert. */
      readonly expertExtraParams: number;
      /** Router biases, shared-expert gates. The router's h × E is counted by itself. */
      readonly extraParams: number;
    };

/** A run of equal layers. */
export interface LayerGroup {
  readonly count: number;
  readonly attention: Attention;
  readonly feedForward: FeedForward;
  /** Norm parameters of one layer. */
  readonly normParams: number;
}

/** The parts of a model whose bytes per parameter may differ. */
export const tensorClasses = ['attention', 'mlp', 'experts', 'shared_experts', 'embeddings', 'head'] as const;
export type TensorClass = (typeof tensorClasses)[number];

/** A weight format: bytes per parameter, block scales included, and the format its matrix products run in. */
export interface WeightFormat {
  readonly name: string;
  readonly bytesPerParam: number;
  /** What the tensor cores multiply in; weight-only formats (int4, GGUF) multiply in the activation type. */
  readonly compute: 'activation' | 'fp8' | 'fp4' | 'int8';
}

/** The shape of a language model, as its config.json states it. */
export interface Llm {
  readonly name: string;
  /** `model_type` of the config. */
  readonly family: string;
  readonly hidden: number;
  readonly vocab: number;
  /** Longest context it was trained for, in tokens. */
  readonly maxPositions: number;
  readonly tiedEmbeddings: boolean;
  readonly layers: readonly LayerGroup[];
  /** Parameters outside the layers and the two vocabulary matrices: final norm, learned positions. */
  readonly otherParams: number;
  /** Format of each class, from `quantization_config` or dtype. */
  readonly formats: Readonly<Record<TensorClass, WeightFormat>>;
  readonly source: string;
}
