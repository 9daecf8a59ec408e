import {type TensorFormatName, tensorFormats} from './formats.js';
import {type LlamaShape, MAX_POSITIONS} from './shape.js';

/** One tensor of a file: its bytes follow `offset` after the header. */
export interface GgufTensor {
  readonly name: string;
  readonly dims: readonly number[];
  /** `fp32` for norms. */
  readonly format: TensorFormatName | 'fp32';
  readonly offset: number;
  readonly bytes: number;
}

/** The beginning of a GGUF file and where its tensors go. */
export interface GgufLayout {
  readonly header: Uint8Array;
  readonly tensors: readonly GgufTensor[];
  /** Of the whole file. */
  readonly bytes: number;
}

const ALIGNMENT = 32;
const FP32 = 0;
/** Types of metadata values, by their numbers in the file: ggml/docs/gguf.md. */
const [UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY] = [4, 5, 6, 7, 8, 9];
/** Kinds of tokens: llama.cpp's llama_token_type. */
const [NORMAL, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6];
/** Tokens that a vocabulary must have: unknown, begin, end, and one for each byte. */
export const LEAST_VOCAB = 3 + 256;

/** Lays out a GGUF file (version 3) of a Llama of that shape: metadata, a vocabulary of dummy tokens, tensor table. */
export function ggufLayout(shape: LlamaShape): GgufLayout {
  let offset = 0;
  const tensors = tensorsOf(shape).map(({name, dims, format}): GgufTensor => {
    const tensor = {name, dims, format, offset, bytes: bytesOf(dims, format)};
    offset = aligned(offset + tensor.bytes);
    return tensor;
  });
  const writer = new GgufWriter();
  const metadata = metadataOf(shape);
  writer.bytes(new TextEncoder().encode('GGUF'));
  writer.uint32(3);
  writer.uint64(tensors.length);
  writer.uint64(metadata.length);
  for (const [key, write] of metadata) {
    writer.text(key);
    write(writer);
  }
  for (const {name, dims, format, offset: at} of tensors) {
    writer.text(name);
    writer.uint32(dims.length);
    for (const dim of dims) writer.uint64(dim);
    writer.uint32(format === 'fp32' ? FP32 : tensorFormats[format].type);
    writer.uint64(at);
  }
  writer.pad(ALIGNMENT);
  const header = writer.done();
  return {header, tensors, bytes: header.length + offset};
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

function bytesOf(dims: readonly number[], format: TensorFormatName | 'fp32'): number {
  const weights = dims.reduce((product, dim) => product * dim, 1);
  if (format === 'fp32') return 4 * weights;
  const {weights: block, bytes} = tensorFormats[format];
  return (weights / block) * bytes;
}

/** Names and dimensions, the inputs of a matrix first, as llama.cpp expects them. */
function tensorsOf({layers, hidden, heads, kvHeads, headDim, width, vocab, format}: LlamaShape) {
  const matrix = (name: string, inputs: number, outputs: number) => ({name: `${name}.weight`, dims: [inputs, outputs], format});
  const norm = (name: string) => ({name: `${name}.weight`, dims: [hidden], format: 'fp32' as const});
  const blocks = Array.from({length: layers}, (_, i) => [
    norm(`blk.${i}.attn_norm`),
    matrix(`blk.${i}.attn_q`, hidden, heads * headDim),
    matrix(`blk.${i}.attn_k`, hidden, kvHeads * headDim),
    matrix(`blk.${i}.attn_v`, hidden, kvHeads * headDim),
    matrix(`blk.${i}.attn_output`, heads * headDim, hidden),
    norm(`blk.${i}.ffn_norm`),
    matrix(`blk.${i}.ffn_gate`, hidden, width),
    matrix(`blk.${i}.ffn_up`, hidden, width),
    matrix(`blk.${i}.ffn_down`, width, hidden),
  ]);
  return [matrix('token_embd', hidden, vocab), norm('output_norm'), matrix('output', hidden, vocab), ...blocks.flat()];
}

type WriteValue = (writer: GgufWriter) => void;

const number32 =
  (value: number): WriteValue =>
  (writer) => {
    writer.uint32(UINT32);
    writer.uint32(value);
  };

const text =
  (value: string): WriteValue =>
  (writer) => {
    writer.uint32(STRING);
    writer.text(value);
  };

const flag =
  (value: boolean): WriteValue =>
  (writer) => {
    writer.uint32(BOOL);
    writer.bytes(Uint8Array.of(value ? 1 : 0));
  };

const list =
  (type: number, length: number, write: (writer: GgufWriter, index: number) => void): WriteValue =>
  (writer) => {
    writer.uint32(ARRAY);
    writer.uint32(type);
    writer.uint64(length);
    for (let i = 0; i < length; i++) write(writer, i);
  };

function metadataOf({layers, hidden, heads, kvHeads, headDim, width, vocab, format}: LlamaShape): [string, WriteValue][] {
  return [
    ['general.architecture', text('llama')],
    ['general.name', text('tiercast synthetic')],
    ['general.alignment', number32(ALIGNMENT)],
    ['general.quantization_version', number32(2)],
    ['general.file_type', number32(tensorFormats[format].fileType)],
    ['llama.block_count', number32(layers)],
    ['llama.context_length', number32(MAX_POSITIONS)],
    ['llama.embedding_length', number32(hidden)],
    ['llama.feed_forward_length', number32(width)],
    ['llama.attention.head_count', number32(heads)],
    ['llama.attention.head_count_kv', number32(kvHeads)],
    ['llama.attention.key_length', number32(headDim)],
    ['llama.attention.value_length', number32(headDim)],
    ['llama.rope.dimension_count', number32(headDim)],
    ['llama.vocab_size', number32(vocab)],
    ['llama.attention.layer_norm_rms_epsilon', (writer) => writer.float(1e-5)],
    ['tokenizer.ggml.model', text('llama')],
    ['tokenizer.ggml.tokens', list(STRING, vocab, (writer, i) => writer.text(tokenText(i)))],
    ['tokenizer.ggml.scores', list(FLOAT32, vocab, (writer, i) => writer.rawFloat(-i))],
    ['tokenizer.ggml.token_type', list(INT32, vocab, (writer, i) => writer.uint32(tokenKind(i)))],
    ['tokenizer.ggml.unknown_token_id', number32(0)],
    ['tokenizer.ggml.bos_token_id', number32(1)],
    ['tokenizer.ggml.eos_token_id', number32(2)],
    ['tokenizer.ggml.add_bos_token', flag(false)],
  ];
}

function tokenText(i: number): string {
  if (i < 3) return ['<unk>', '<s>', '</s>'][i];
  return i < LEAST_VOCAB ? `<0x${(i - 3).toString(16).toUpperCase().padStart(2, '0')}>` : `t${i}`;
}

function tokenKind(i: number): number {
  if (i < 3) return i === 0 ? UNKNOWN : CONTROL;
  return i < LEAST_VOCAB ? BYTE : NORMAL;
}

/** Little-endian numbers and texts, one after the other. */
class GgufWriter {
  #buffer = new Uint8Array(2 ** 16);
  #view = new DataView(this.#buffer.buffer);
  #length = 0;

  bytes(bytes: Uint8Array): void {
    this.#grow(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  uint32(value: number): void {
    this.#grow(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  uint64(value: number): void {
    this.#grow(8);
    this.#view.setBigUint64(this.#length, BigInt(value), true);
    this.#length += 8;
  }

  rawFloat(value: number): void {
    this.#grow(4);
    this.#view.setFloat32(this.#length, value, true);
    this.#length += 4;
  }

  float(value: number): void {
    this.uint32(FLOAT32);
    this.rawFloat(value);
  }

  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.uint64(bytes.length);
    this.bytes(bytes);
  }

  pad(alignment: number): void {
    this.bytes(new Uint8Array((alignment - (this.#length % alignment)) % alignment));
  }

  done(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  #grow(by: number): void {
    if (this.#length + by <= this.#buffer.length) return;
    const larger = new Uint8Array(2 * (this.#buffer.length + by));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
    this.#view = new DataView(larger.buffer);
  }
}
