import type {HitStudy} from './hit-study.js';
import type {StreamedHits} from './stream-hits.js';
import type {TierHits} from './tier-hits.js';

/** What `tiercast cache --json` prints: schema `tiercast.cache/1`, SI, null = unknown. */
export interface HitDocument {
  schema: 'tiercast.cache/1';
  tiercast: {version: string};
  /** `partial_blocks`: whether a partial last block of a prompt counts as an access. */
  trace: {
    file: string;
    format: string;
    requests: number;
    accesses: number;
    distinct_blocks: number;
    block_tokens: number;
    partial_blocks: boolean;
  };
  /** Where the requests are a scenario's: which, and the memories whose blocks are the sizes, nearest first. Absent: a trace's. */
  scenario?: {sha256: string; seed: number; memories: {memory: string; blocks: number}[]};
  /** Hits by size, of `trace.accesses`. */
  policies: {
    policy: string;
    bound: boolean;
    sizes: {blocks: number; hits: number; share: number; gap_closed_share: number | null}[];
  }[];
  /** Null when the trace was streamed: these need it whole. */
  ceiling: {hits: number; share: number; lru_blocks: number | null; predictor_blocks: number | null};
  reuse_distance_blocks: {p50: number; p90: number; p95: number; p99: number; max: number} | null;
  reuse_distance_bins: {up_to_blocks: number; accesses: number}[] | null;
  working_set: {window_s: number; points: {time_s: number; recent_blocks: number; live_blocks: number}[]} | null;
  /** With `--tiers`, and of a scenario with several memories, which have names; nearest first. */
  tiers: {policy: string; memories: {memory?: string; blocks: number; hits: number; share: number}[]} | null;
  /** Files that policies came from; absent: none did. */
  policy_files?: {path: string; sha256: string}[];
}

/** Which trace a document is about. */
export type HitSubject = HitDocument['trace'];

/** What memories one below the other answer, with the policy of all of them, and their names where they have some. */
export interface NamedTierHits {
  readonly policy: string;
  readonly hits: readonly TierHits[];
  readonly names: readonly string[] | null;
}

/** Makes the document of a study. */
export function hitDocument(version: string, subject: HitSubject, study: HitStudy, tiers: NamedTierHits | null): HitDocument {
  const {accesses} = study;
  const share = (hits: number) => hits / accesses;
  const {ceiling, workingSet} = study;
  return {
    schema: 'tiercast.cache/1',
    tiercast: {version},
    trace: subject,
    policies: study.policies.map(({policy, bound, hits, gapClosed}) => ({
      policy,
      bound,
      sizes: study.sizes.map((blocks, i) => ({blocks, hits: hits[i], share: share(hits[i]), gap_closed_share: gapClosed[i]})),
    })),
    ceiling: {
      hits: ceiling.hits,
      share: share(ceiling.hits),
      lru_blocks: ceiling.lruBlocks,
      predictor_blocks: ceiling.predictorBlocks,
    },
    reuse_distance_blocks: study.distances,
    reuse_distance_bins: study.distanceBins.map(({blocks, accesses: count}) => ({up_to_blocks: blocks, accesses: count})),
    working_set: {
      window_s: workingSet.windowSeconds,
      points: workingSet.points.map(({seconds, recent, live}) => ({time_s: seconds, recent_blocks: recent, live_blocks: live})),
    },
    tiers:
      tiers === null
        ? null
        : {
            policy: tiers.policy,
            memories: tiers.hits.map(({capacity, hits}, i) => ({
              ...(tiers.names === null ? {} : {memory: tiers.names[i]}),
              blocks: capacity,
              hits,
              share: share(hits),
            })),
          },
  };
}

/** Makes the document of a streamed trace: without what needs it whole. */
export function hitDocumentOfStream(
  version: string,
  file: string,
  {format, blockSize}: {readonly format: string; readonly blockSize: number},
  {requests, accesses, distinct, policies}: StreamedHits,
  sizes: readonly number[],
): HitDocument {
  return {
    schema: 'tiercast.cache/1',
    tiercast: {version},
    trace: {file, format, requests, accesses, distinct_blocks: distinct, block_tokens: blockSize, partial_blocks: true},
    policies: policies.map(({policy, hits}) => ({
      policy,
      bound: false,
      sizes: sizes.map((blocks, i) => ({blocks, hits: hits[i], share: hits[i] / accesses, gap_closed_share: null})),
    })),
    ceiling: {hits: accesses - distinct, share: (accesses - distinct) / accesses, lru_blocks: null, predictor_blocks: null},
    reuse_distance_blocks: null,
    reuse_distance_bins: null,
    working_set: null,
    tiers: null,
  };
}

/** The document as CSV, one row a policy and size. */
export function hitCsv({policies}: HitDocument): string {
  const rows = policies.flatMap(({policy, bound, sizes}) =>
    sizes.map(({blocks, hits, share, gap_closed_share: gap}) =>
      [policy, bound, blocks, hits, Number(share.toPrecision(9)), gap === null ? '' : Number(gap.toPrecision(9))].join(','),
    ),
  );
  return `${['policy,bound,blocks,hits,share,gap_closed_share', ...rows].join('\n')}\n`;
}
