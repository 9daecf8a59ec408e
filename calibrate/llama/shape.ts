import {llmFromConfig} from '../../src/models/llms/from-config.js';
import type {Llm} from '../../src/models/llms/llm.js';
import {withQuantization} from '../../src/models/llms/weights.js';
import type {TensorFormatName} from './formats.js';

/** A model of Llama's architecture that exists only to be timed. */
export interface LlamaShape {
  readonly layers: number;
  readonly hidden: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  /** Width of the feed-forward. */
  readonly width: number;
  readonly vocab: number;
  /** Format of all matrices; norms are fp32. */
  readonly format: TensorFormatName;
}

/** A name that says what it is, e.g. `4×1024 q8_0`. */
export function shapeName({layers, hidden, width, vocab, format}: LlamaShape): string {
  return `${layers}×${hidden}/${width}, ${vocab} tokens, ${format}`;
}

/** The same shape as the simulator has it. */
export function llmOf(shape: LlamaShape): Llm {
  const llm = llmFromConfig(
    {
      model_type: 'llama',
      torch_dtype: 'float16',
      vocab_size: shape.vocab,
      hidden_size: shape.hidden,
      num_hidden_layers: shape.layers,
      num_attention_heads: shape.heads,
      num_key_value_heads: shape.kvHeads,
      head_dim: shape.headDim,
      intermediate_size: shape.width,
      max_position_embeddings: MAX_POSITIONS,
      tie_word_embeddings: false,
    },
    shapeName(shape),
    'made by tiercast calibrate',
  );
  return withQuantization(llm, shape.format);
}

/** Context that a synthetic file states. */
export const MAX_POSITIONS = 8192;
