import type {HitDocument} from '../../src/sim/memory/hit-document.js';

/** Hits of one policy by size. */
export type PolicySizes = HitDocument['policies'][number];

/** The policy of that name, if it is there. */
export function policyOf({policies}: HitDocument, name: string): PolicySizes | null {
  return policies.find(({policy}) => policy === name) ?? null;
}

/** The gap between lru and Belady with the room with which a perfect predictor reaches the ceiling; null where there is none. */
export function ceilingGap(document: HitDocument): {readonly at: number; readonly blocks: number; readonly points: number} | null {
  const [belady, lru] = [policyOf(document, 'belady'), policyOf(document, 'lru')];
  const at = lru?.sizes.findIndex(({blocks}) => blocks === document.ceiling.predictor_blocks) ?? -1;
  if (belady === null || lru === null || at < 0) return null;
  const points = (belady.sizes[at]!.share - lru.sizes[at]!.share) * 100;
  return points > 0 ? {at, blocks: lru.sizes[at]!.blocks, points} : null;
}
