/** What a GGUF file says of itself: written from the published description of the format, apart from the writer. */
export interface GgufFile {
  readonly version: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly tensors: readonly {readonly name: string; readonly dims: readonly number[]; readonly type: number; readonly offset: number}[];
  /** Where the tensors' data begin. */
  readonly data: number;
}

/** Reads the header of a GGUF file. */
export function readGguf(bytes: Uint8Array): GgufFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const take = (size: number) => {
    at += size;
    return at - size;
  };
  const uint32 = () => view.getUint32(take(4), true);
  const uint64 = () => Number(view.getBigUint64(take(8), true));
  const text = () => {
    const length = uint64();
    const from = take(length);
    return new TextDecoder().decode(bytes.subarray(from, from + length));
  };
  const value = (type: number): unknown => {
    switch (type) {
      case 4:
        return uint32();
      case 5:
        return view.getInt32(take(4), true);
      case 6:
        return view.getFloat32(take(4), true);
      case 7:
        return bytes[take(1)] !== 0;
      case 8:
        return text();
      case 9: {
        const of = uint32();
        return Array.from({length: uint64()}, () => value(of));
      }
      default:
        throw new RangeError(`metadata type ${type} at ${at}`);
    }
  };
  if (new TextDecoder().decode(bytes.subarray(take(4), 4)) !== 'GGUF') throw new RangeError('no GGUF');
  const version = uint32();
  const count = uint64();
  const pairs = uint64();
  const metadata = Object.fromEntries(Array.from({length: pairs}, () => [text(), value(uint32())]));
  const tensors = Array.from({length: count}, () => {
    const name = text();
    const dims = Array.from({length: uint32()}, uint64);
    return {name, dims, type: uint32(), offset: uint64()};
  });
  const alignment = metadata['general.alignment'] as number;
  return {version, metadata, tensors, data: Math.ceil(at / alignment) * alignment};
}
