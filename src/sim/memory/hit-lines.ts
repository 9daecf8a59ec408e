import {grouped} from '../traces/columns.js';
import type {HitDocument} from './hit-document.js';

/** A document of hits as lines of text. */
export function hitStudyLines(document: HitDocument): string[] {
  const {trace, ceiling} = document;
  const unit = trace.partial_blocks
    ? 'a partial last block counts as an access'
    : 'whole blocks of prompts; answers come at once and are kept';
  return [
    `${grouped(trace.requests)} requests · ${grouped(trace.accesses)} block accesses of ${trace.block_tokens} tokens · ${grouped(trace.distinct_blocks)} distinct · ${unit}`,
    ...memories(document),
    ...curves(document),
    `infinite  ${percent(ceiling.share)}${needs(ceiling)}`,
    ...gaps(document),
    ...distances(document),
    ...workingSet(document),
    ...tiers(document),
  ];
}

/** Which sizes are those of a scenario's memories. */
function memories({scenario}: HitDocument): string[] {
  if (scenario === undefined) return [];
  return [`memories  ${scenario.memories.map(({memory, blocks}) => `${memory} ${grouped(blocks)} blocks`).join(' · ')}`];
}

function curves({policies}: HitDocument): string[] {
  const name = Math.max(10, ...policies.map(({policy}) => policy.length + 2));
  const shown = policies.filter(({policy}) => policy !== 'infinite');
  const width = Math.max(9, ...shown[0].sizes.map(({blocks}) => grouped(blocks).length + 2));
  const row = (head: string, cells: readonly string[]) => head.padEnd(name) + cells.map((cell) => cell.padStart(width)).join('');
  return [
    row(
      'blocks',
      shown[0].sizes.map(({blocks}) => grouped(blocks)),
    ),
    ...shown.map(({policy, sizes}) =>
      row(
        policy,
        sizes.map(({share}) => (share * 100).toFixed(2)),
      ),
    ),
  ];
}

function needs({lru_blocks: lru, predictor_blocks: predictor}: HitDocument['ceiling']): string {
  if (lru === null || predictor === null || lru === 0) return '';
  return `: a perfect predictor needs ${grouped(predictor)} blocks for it, lru ${grouped(lru)}`;
}

/** What each policy closes of the gap between lru and Belady, at the size where a perfect predictor reaches the ceiling. */
function gaps({policies, ceiling}: HitDocument): string[] {
  const belady = policies.find(({policy}) => policy === 'belady');
  const lru = policies.find(({policy}) => policy === 'lru');
  const at = lru?.sizes.findIndex(({blocks}) => blocks === ceiling.predictor_blocks) ?? -1;
  if (belady === undefined || lru === undefined || at < 0) return [];
  const points = (belady.sizes[at].share - lru.sizes[at].share) * 100;
  if (points <= 0) return [`gap       none: with ${grouped(lru.sizes[at].blocks)} blocks lru hits as often as Belady`];
  const closed = policies
    .filter(({bound, policy}) => !bound && policy !== 'lru')
    .map(({policy, sizes}) => `${policy} ${(sizes[at].gap_closed_share! * 100).toFixed(1)} %`);
  const close = closed.length > 0 ? `; of it close: ${closed.join(' · ')}` : '';
  return [`gap       ${points.toFixed(1)} points from lru to Belady with ${grouped(lru.sizes[at].blocks)} blocks${close}`];
}

function distances({reuse_distance_blocks: reuse}: HitDocument): string[] {
  if (reuse === null) return [];
  const parts = (['p50', 'p90', 'p99', 'max'] as const).map((name) => `${name} ${grouped(Math.round(reuse[name]))}`);
  return [`reuse     distance ${parts.join(' · ')} different blocks`];
}

function workingSet({working_set: set}: HitDocument): string[] {
  if (set === null) return [];
  const most = (values: readonly number[]) => grouped(values.reduce((a, b) => Math.max(a, b), 0));
  return [
    `in use    at most ${most(set.points.map((point) => point.recent_blocks))} blocks read within ${Number(set.window_s.toPrecision(3))} s · at most ${most(set.points.map((point) => point.live_blocks))} that are read again`,
  ];
}

function tiers({tiers: found}: HitDocument): string[] {
  if (found === null) return [];
  const parts = found.memories.map(({memory, blocks, share}, i) => `${memory ?? i + 1}: ${grouped(blocks)} blocks ${percent(share)}`);
  const missed = 1 - found.memories.reduce((sum, {share}) => sum + share, 0);
  return [`tiers     ${found.policy} · ${parts.join(' · ')} · missed ${percent(missed)}`];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
