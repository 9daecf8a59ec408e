/** An array of whole or real numbers that grows by being copied. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** The same numbers at the head of an array of `length`, the rest 0; the array itself when it is that long already. */
export function widened<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array;
  const wider = new (array.constructor as new (length: number) => T)(length);
  wider.set(array);
  return wider;
}
