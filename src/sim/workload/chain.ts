/**
 * The block ids of a request's tokens, prompt first, then output, as runs of consecutive ids.
 *
 * Block i covers tokens [i·size, (i+1)·size). Ids are prefix-inclusive: equal ids mean equal tokens up to the end of the block. Tokens past the last run can be shared by nobody. The last block may be covered in part.
 */
export interface Chain {
  /** First id of each run. */
  readonly bases: readonly number[];
  /** Blocks of each run. */
  readonly counts: readonly number[];
  /** Σ counts. */
  readonly blocks: number;
}

/** The chain of `blocks` blocks that begins with a shared run and goes on in one of its own; the own run is never empty, because the output is not shared. */
export function chainOf(sharedBase: number, shared: number, ownBase: number, blocks: number): Chain {
  if (shared === 0) return {bases: [ownBase], counts: [blocks], blocks};
  return {bases: [sharedBase, ownBase], counts: [shared, blocks - shared], blocks};
}
