import type {TensorFormatName} from './formats.js';
import type {Point} from './session.js';
import type {LlamaShape} from './shape.js';

/** A model that is written, loaded, and timed at each point. */
export interface PlannedModel {
  readonly shape: LlamaShape;
  readonly points: readonly Point[];
}

const small = {heads: 16, kvHeads: 8, headDim: 64, vocab: 4096};

/** Few layers, two widths, two vocabularies, two groupings of heads: what a layer, a row of the head and a step cost can be told apart. */
const shapes: readonly Omit<LlamaShape, 'format'>[] = [
  {...small, layers: 1, hidden: 1024, width: 2816},
  {...small, layers: 4, hidden: 1024, width: 2816},
  {...small, layers: 1, hidden: 2048, width: 5632, heads: 32, kvHeads: 4, vocab: 16_384},
  {...small, layers: 2, hidden: 2048, width: 5632, heads: 32, kvHeads: 32},
];

const decode = (batch: number, depth: number): Point => ({batch, tokens: 1, depth, cold: true});
const prefill = (tokens: number, depth: number): Point => ({batch: 1, tokens, depth, cold: true});

/** By rising depth, so that no context is filled twice. */
const points: readonly Point[] = [
  prefill(16, 0),
  prefill(64, 0),
  prefill(512, 0),
  decode(1, 16),
  decode(2, 16),
  decode(4, 16),
  decode(8, 16),
  decode(1, 512),
  decode(4, 512),
  prefill(256, 512),
  decode(1, 1024),
];

/** Tokens that a sequence's context must hold for every point. */
export const CONTEXT = 1536;
export const MOST_TOKENS = 512;
export const MOST_SEQUENCES = 8;

/** The models to calibrate with: each shape in each format. */
export function calibrationPlan(formats: readonly TensorFormatName[]): PlannedModel[] {
  return formats.flatMap((format) => shapes.map((shape) => ({shape: {...shape, format}, points})));
}

/** Larger models of other shapes that the calibration has not seen, 0.4 to 1.2 billion parameters: a prompt of 512, and decodes at two depths, as they run. */
export function validationPlan([first, second = first]: readonly TensorFormatName[]): PlannedModel[] {
  const runs = [prefill(512, 0), decode(1, 256), decode(4, 256), decode(1, 1024)].map((point) => ({...point, cold: false}));
  const common = {headDim: 64, vocab: 32_000};
  const of = (layers: number, hidden: number, width: number, heads: number, kvHeads: number, format: TensorFormatName) => ({
    shape: {...common, layers, hidden, width, heads, kvHeads, format},
    points: runs,
  });
  return [of(20, 1280, 3456, 20, 5, second), of(20, 1792, 4864, 28, 7, first), of(22, 2048, 6144, 32, 8, first)];
}
