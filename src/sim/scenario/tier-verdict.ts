import type {ResultDocument} from './result.js';
import {bytesText, durationText, percentText} from './text.js';
import type {Findings} from './verdict.js';

type Sentence = ResultDocument['verdict'][number];

/** A share of prompt tokens too small to matter. */
const RARE = 0.005;
/** A drive that wears out within this many years is named first. */
const SOON_YEARS = 5;

/** One sentence a memory below HBM on what it is worth, why it is not worth more, and how long the SSD lasts. */
export function tierSentences(found: Findings): Sentence[] {
  return Object.keys(found.plan.tiers).flatMap((tier) => {
    const worth = found.worth?.find((one) => one.tier === tier)?.text;
    const why = whyNoMore(found, tier);
    const said = [worth, why].filter((text) => text !== null && text !== undefined).join(' ');
    const worn = wear(found, tier);
    return [...(said === '' ? [] : [{code: 'tier_worth', text: said}]), ...(worn === null ? [] : [worn])];
  });
}

/** Reuse against size: what came again after it had left, what nobody asked for again, or that nothing is left to find. */
function whyNoMore(found: Findings, tier: string): string | null {
  const {hits, tiers} = found;
  const name = tier.toUpperCase();
  const {infinite} = hits.bounds;
  const own = hits.share[tier] ?? 0;
  const {
    evictions,
    stay_s: stay,
    reuse_bytes: reuse,
    size_bytes: size,
    reads_bytes: reads,
    writes_bytes: writes,
    refused_blocks: refused,
    moved_bytes: moved,
  } = tiers[tier];
  if (infinite === null || !hits.prefix_cache) return null;
  if (infinite < RARE) return 'No prompt comes again.';
  const lost = infinite - shareOfAll(hits);
  const read = `${bytesText(reads ?? 0)} of the ${bytesText(writes ?? 0)} written there were read again`;
  if (lost >= RARE && evictions > 0 && isLast(found, tier)) {
    const time = stay === null ? '' : ` A block stays ${durationText(stay)} on average; ${read}.`;
    const distance =
      reuse === null
        ? ''
        : ` Between two uses of what had left, ${bytesText(reuse.median)} came in the median and ${bytesText(reuse.p90)} in nine of ten cases: it holds ${bytesText(size)}.`;
    return `It is smaller than what comes again: ${percentText(lost)} of prompt tokens were asked for after they had left.${distance}${time}`;
  }
  if ((refused ?? 0) > 0 && lost >= RARE) return `${name} had no place for ${refused} blocks, because all of it was in use.`;
  if (own < RARE) {
    const above = shareOfAll(hits) - own;
    const why =
      (moved?.prefetch_useful ?? 0) > 0
        ? 'its blocks are prefetched before they are asked for'
        : above >= infinite - RARE
          ? 'what comes again is found above it'
          : evictions > 0
            ? 'blocks leave it before they are asked for again'
            : 'what comes again was not written there';
    return `It finds ${percentText(own)} of prompt tokens: ${why}.`;
  }
  return null;
}

function isLast({plan}: Findings, tier: string): boolean {
  return Object.keys(plan.tiers).at(-1) === tier;
}

function shareOfAll({share, by_tier_tokens}: ResultDocument['hits']): number {
  return Object.keys(by_tier_tokens).reduce((sum, tier) => sum + (share[tier] ?? 0), 0);
}

function wear({tiers}: Findings, tier: string): Sentence | null {
  const years = tiers[tier].wear_years;
  if (years === null || years >= SOON_YEARS) return null;
  const days = years * 365.25;
  const left = years >= 1 ? `${years.toFixed(1)} years` : `${days >= 10 ? days.toFixed(0) : days.toFixed(1)} days`;
  return {code: 'wear', text: `The SSD wears out in ${left} at this rate of writes, by its stated endurance.`};
}
