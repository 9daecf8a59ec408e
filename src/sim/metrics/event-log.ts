/** A running hash of whole numbers, 64 bits wide: equal logs give equal hashes. Not cryptographic; it tells runs apart. */
export class EventLog {
  #a = 0x9e3779b9 | 0;
  #b = 0x85ebca6b | 0;

  add(value: number): void {
    const low = value | 0;
    const high = Math.floor(value / 4294967296) | 0;
    this.#a = Math.imul(rotate(this.#a ^ low, 13), 0x9e3779b1) ^ high;
    this.#b = Math.imul(rotate(this.#b ^ high, 15), 0x85ebca77) ^ Math.imul(low, 0xc2b2ae3d);
  }

  hex(): string {
    return hex(mix(this.#a)) + hex(mix(this.#b ^ this.#a));
  }
}

/** One log's hash as it is, or a hash over the hashes of several logs, in their order. */
export function combinedLog(hashes: readonly string[]): string {
  if (hashes.length === 1) return hashes[0];
  const log = new EventLog();
  for (const hash of hashes) for (let at = 0; at < hash.length; at += 8) log.add(Number.parseInt(hash.slice(at, at + 8), 16));
  return log.hex();
}

function rotate(x: number, bits: number): number {
  return (x << bits) | (x >>> (32 - bits));
}

function mix(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

function hex(x: number): string {
  return (x >>> 0).toString(16).padStart(8, '0');
}
