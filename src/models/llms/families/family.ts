import type {ConfigReader} from '../config-reader.js';
import type {Attention, FeedForward, LayerGroup} from '../llm.js';

/** One layer, before equal ones are gathered. */
export type Layer = Omit<LayerGroup, 'count'>;

/** How a `model_type` states its shape. Fields are those of its Hugging Face config.json. */
export interface Family {
  /** Every layer, first to last. */
  layers(config: ConfigReader): readonly Layer[];
  /** Parameters outside the layers and the two vocabulary matrices. */
  otherParams(config: ConfigReader): number;
  /** `tie_word_embeddings` when the config leaves it out. */
  readonly tied: boolean;
  /** Values for fields that the config may leave out. */
  readonly defaults?: Readonly<Record<string, number>>;
}

/** Grouped-query attention from the usual fields; `extraParams` and `window` are the family's own. */
export function gqa(
  config: ConfigReader,
  {window = null, extraParams = () => 0}: {window?: number | null; extraParams?: (shape: GqaShape) => number} = {},
): Attention {
  const shape = gqaShape(config);
  return {kind: 'gqa', ...shape, valueDim: shape.headDim, window, extraParams: extraParams(shape)};
}

/** Head counts and width of grouped-query attention. */
export interface GqaShape {
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
}

/** Heads, key/value heads and head width; an explicit `head_dim` wins over hidden_size / heads. */
export function gqaShape(config: ConfigReader): GqaShape {
  const heads = config.count('num_attention_heads');
  const kvHeads = config.firstCount(['num_key_value_heads', 'n_head_kv', 'num_kv_heads', 'multi_query_group_num'], heads);
  const hidden = config.count('hidden_size');
  const headDim = config.has('head_dim') ? config.count('head_dim') : hidden / heads;
  if (heads % kvHeads !== 0) config.fault('num_key_value_heads', `${kvHeads} does not divide num_attention_heads ${heads}`);
  if (config.has('hidden_size') && !Number.isInteger(headDim))
    config.fault('head_dim', `is missing, and hidden_size ${hidden} is no multiple of num_attention_heads ${heads}`);
  return {heads, kvHeads, headDim};
}

/** Bias parameters of the query, key and value projections. */
export function qkvBiases({heads, kvHeads, headDim}: GqaShape): number {
  return (heads + 2 * kvHeads) * headDim;
}

/** A gated feed-forward of `intermediate_size`, without biases unless said. */
export function gated(config: ConfigReader, extraParams = 0): FeedForward {
  return {kind: 'dense', width: config.count('intermediate_size'), matrices: 3, extraParams};
}

/** `num_hidden_layers` layers made by `layer`. */
export function eachLayer(config: ConfigReader, layer: (index: number) => Layer): readonly Layer[] {
  return Array.from({length: config.count('num_hidden_layers')}, (_, index) => layer(index));
}

/** Whether each layer slides, from `layer_types`, which is authoritative when present; null when it is absent. */
export function slidingLayers(config: ConfigReader): readonly boolean[] | null {
  const types = config.list('layer_types');
  if (types === null) return null;
  const layers = config.count('num_hidden_layers');
  if (types.length !== layers) config.fault('layer_types', `names ${types.length} layers, num_hidden_layers is ${layers}`);
  for (const type of new Set(types)) {
    if (type !== 'full_attention' && type !== 'sliding_attention') {
      config.fault('layer_types', `${JSON.stringify(type)} is not simulated; known: full_attention, sliding_attention`);
    }
  }
  return types.map((type) => type === 'sliding_attention');
}

/** `sliding_window`, or null when it is absent or reaches the whole context. */
export function slidingWindow(config: ConfigReader): number | null {
  if (!config.has('sliding_window')) return null;
  const window = config.count('sliding_window');
  return window >= config.count('max_position_embeddings', 2 ** 31) ? null : window;
}

/** Routed experts; a `topK` above the number of experts is a fault. */
export function checkTopK(config: ConfigReader, key: string, topK: number, experts: number): void {
  if (topK > experts) config.fault(key, `${topK} experts a token are more than the ${experts} that exist`);
}
