import {bounds} from '../../models/cost/cost.js';
import type {Distribution} from '../metrics/summary.js';
import type {MovedBytes, ResultDocument} from './result.js';
import {sharedText} from './shared.js';
import {bytesText, countText, digits, durationText, gibText, percentText, printable, rateText} from './text.js';
import {boundName} from './verdict.js';

/** How parts of the table look; plain text where colours are not wanted. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
}

export const plain: Paint = {bold: (text) => text, dim: (text) => text, good: (text) => text, bad: (text) => text};

const LABEL = 12;

/** The lines before a run: what is simulated, where memory goes, what fits. */
export function feasibilityLines({name, headline, plan}: Pick<ResultDocument, 'name' | 'headline' | 'plan'>, width: number): string[] {
  const [[memory, sizes]] = Object.entries(plan.memories);
  const gib = (bytes: number) => digits(bytes / 2 ** 30, 1);
  // The plan's terms begin with what is divided and end with what is left.
  const terms = plan.terms
    .filter((term) => !['GPU limit', 'usable', 'kv'].includes(term.name))
    .map((term) => `${term.name} ${gib(term.bytes)}`);
  const replicas = plan.replicas > 1 ? `in each of ${countText(plan.replicas)} replicas, ` : '';
  const each = `${replicas}${sizes.devices > 1 ? `each of ${sizes.devices} × ` : ''}`;
  const size = sizes.size_bytes / sizes.devices;
  const usable = sizes.usable_bytes / sizes.devices;
  const limit = plan.terms.find((term) => term.name === 'GPU limit')?.bytes ?? null;
  const given = limit === null ? '' : `, GPU limit ${gib(limit)}`;
  const split = `${each}${memory.toUpperCase()} ${gibText(size)}${given} × ${digits(usable / (limit ?? size), 2)} = ${gib(usable)}: ${[...terms, `KV ${gib(sizes.kv_bytes / sizes.devices)}`].join(', ')}`;
  const other = plan.blocks_from === 'derived' ? '' : `, ${plan.blocks_from}; ${countText(plan.derived_blocks)} derived`;
  const room = `${countText(plan.kv_tokens)} tokens of KV in ${countText(plan.kv_blocks)} blocks of ${plan.block_tokens}${other}`;
  const context = `largest context ${countText(plan.max_context_tokens)}, ${countText(plan.max_batch)} of these at once`;
  const tiers = Object.entries(plan.tiers).map(
    ([tier, {kv_tokens, scope}]) =>
      `${tier.toUpperCase()} ${gibText(plan.memories[tier].kv_bytes)} = ${countText(kv_tokens)} tokens${scope === undefined ? '' : `, ${sharedText(scope, plan.replicas)}`}`,
  );
  return [
    ...labelled(name, headline, width),
    ...labelled('fits', split, width),
    ...labelled('', `${room} · ${context}`, width),
    ...(tiers.length === 0 ? [] : labelled('', joined(tiers), width)),
  ];
}

/** The lines after a run: verdict, latencies, rates, hits, where time went, trust. */
export function resultLines(document: ResultDocument, width: number, paint: Paint): string[] {
  return [
    ...verdictLines(document, width, paint),
    '',
    ...latencyLines(document, paint),
    ...labelled('throughput', throughputText(document), width),
    ...labelled('load', loadText(document), width),
    ...(document.replicas.length > 1 ? labelled('replicas', replicasText(document), width) : []),
    '',
    ...labelled('tokens hit', hitsText(document), width),
    ...labelled('time goes', timeText(document), width),
    ...movedLines(document, width),
    '',
    ...labelled(`trust ${document.trust.grade}`, document.trust.text, width),
    ...assumedLines(document, width),
  ];
}

function verdictLines({verdict}: ResultDocument, width: number, paint: Paint): string[] {
  return verdict.flatMap(({code, text}, i) => {
    const lines = wrapped(i === 0 ? shouted(text) : text, width);
    if (i > 0) return lines;
    return lines.map(code === 'slo_met' ? paint.good : code === 'slo_missed' || code === 'overloaded' ? paint.bad : paint.bold);
  });
}

/** The words before the colon in capitals: what a reader in a hurry sees. */
function shouted(text: string): string {
  const colon = text.indexOf(':');
  return colon < 0 ? text : text.slice(0, colon).toUpperCase() + text.slice(colon);
}

const tableRows = [
  ['TTFT', 'ttft_s', 'ttft_s'],
  ['  server', 'ttft_server_s', null],
  ['TPOT', 'tpot_s', 'tpot_s'],
  ['E2E', 'e2e_s', 'e2e_s'],
  ['queue', 'queue_s', null],
  ['load', 'load_s', null],
] as const;

function latencyLines({metrics, slo}: ResultDocument, paint: Paint): string[] {
  const predicted = tableRows.some(([, name]) => metrics[name].interval80.p95 !== null);
  const last = predicted ? 'p95 (80 % prediction)' : 'p95 (95 % interval)';
  const cells = tableRows
    .filter(([, name]) => name !== 'load_s' || metrics[name].n > 0)
    .map(([label, name, goal]) => {
      const metric = metrics[name];
      const limit = goal === null ? null : slo[goal];
      return [label, ...points(metric), shown(limit), between(predicted ? metric.interval80.p95 : metric.ci95.p95)];
    });
  return [paint.dim(row(['', 'mean', 'p50', 'p95', 'p99', 'goal', last])), ...cells.map(row), ''];
}

function points({mean, p50, p95, p99}: Distribution): string[] {
  return [mean, p50, p95, p99].map(shown);
}

function shown(seconds: number | null): string {
  return seconds === null ? '–' : durationText(seconds);
}

/** A random deviation may reach below 0, a duration does not. */
function between(interval: readonly [number, number] | null): string {
  return interval === null ? '–' : `${durationText(Math.max(0, interval[0]))} … ${durationText(interval[1])}`;
}

function row([label, ...cells]: readonly string[]): string {
  return (label.padEnd(LABEL) + cells.map((cell, i) => (i < cells.length - 1 ? cell.padStart(9) : `  ${cell}`)).join('')).trimEnd();
}

function throughputText({throughput, cost}: ResultDocument): string {
  const parts = [
    [throughput.requests_per_s, (rate: number) => `${rateText(rate)} req/s`],
    [throughput.output_tokens_per_s, (rate: number) => `${rateText(rate)} output tok/s`],
    [throughput.goodput_requests_per_s, (rate: number) => `goodput ${rateText(rate)} req/s`],
    [throughput.mfu_share, (share: number) => `MFU ${percentText(share)}`],
    [throughput.mbu_share, (share: number) => `MBU ${percentText(share)}`],
    [cost.per_million_output_tokens_usd, (usd: number) => `$${usd.toFixed(2)} per M output tokens (${priceText(cost)})`],
  ] as const;
  return joined(parts.flatMap(([value, text]) => (value === null ? [] : [text(value)])));
}

/** The price that counts most, and where it comes from. */
function priceText({prices}: ResultDocument['cost']): string {
  const device = prices.find(({part}) => part === 'device');
  if (device === undefined) return 'at cost.device';
  return `at $${device.usd}/h a device: ${device.source === 'the scenario' ? 'cost.device' : device.source}`;
}

function loadText({load, requests, time}: ResultDocument): string {
  const parts = [
    // Without overload ρ is how often anybody was there, which a batching server is long before it is full.
    ...(load.overloaded && load.rho !== null ? [`ρ ${digits(load.rho, 2)}`] : []),
    `busy ${percentText(load.busy_share ?? 0)}`,
    `running ${digits(load.mean_running ?? 0, 1)}`,
    `waiting ${digits(load.mean_waiting ?? 0, 1)} (in ${percentText(time.waiting_share)} of the time)`,
    `finished ${countText(requests.finished)} of ${countText(requests.measured)}`,
  ];
  return joined(parts);
}

/** The least and the most that a replica had: how evenly the router deals. */
function replicasText({replicas}: ResultDocument): string {
  const range = (pick: (replica: ResultDocument['replicas'][number]) => number, text: (value: number) => string) => {
    const values = replicas.map(pick);
    return `${text(Math.min(...values))} … ${text(Math.max(...values))}`;
  };
  return joined([
    `requests ${range(({requests}) => requests, countText)}`,
    `busy ${range((replica) => replica.busy_share, percentText)}`,
    `waiting ${range(
      (replica) => replica.mean_waiting,
      (n) => digits(n, 1),
    )}`,
    `hit ${range((replica) => replica.hit_share, percentText)}`,
  ]);
}

const UNBROKEN = '\u00a0';

/** Parts of a line, none of which is broken when the line is. */
function joined(parts: readonly string[], between = ' · '): string {
  return parts.map((part) => part.replaceAll(' ', UNBROKEN)).join(between);
}

function hitsText({hits}: ResultDocument): string {
  const shares = Object.entries(hits.share).map(
    ([tier, share]) => `${tier === 'computed' ? tier : tier.toUpperCase()} ${percentText(share)}`,
  );
  const infinite = hits.bounds.infinite === null ? '' : ` · infinite ${percentText(hits.bounds.infinite)}`;
  // Where there is room for all that repeats, knowing the future adds nothing.
  const {belady} = hits.bounds;
  const foreseen = belady === null || (hits.bounds.infinite ?? 1) - belady < 0.0005 ? '' : ` · Belady ${percentText(belady)}`;
  return `${shares.join('   ')}   (bounds: none 0${foreseen}${infinite}; prompt tokens in whole blocks)`;
}

/** What each memory below HBM moved, and from how long a prefix on a load is sooner than computing it. */
function movedLines({tiers, break_even_tokens: even}: ResultDocument, width: number): string[] {
  const parts = Object.entries(tiers).flatMap(([tier, {moved_bytes: moved}]) => {
    if (moved === null) return [];
    const from = even[tier] ?? null;
    const worth = from === null ? 'loading is never sooner than computing' : `a load is sooner from ${countText(from)} tokens on`;
    return [`${tier.toUpperCase()} ${bytesText(moved.load)} loaded, ${prefetchText(moved)}${bytesText(moved.write)} written, ${worth}`];
  });
  return parts.length === 0 ? [] : labelled('moved', parts.join(' · '), width);
}

/** What prefetches moved, and for what. */
function prefetchText({prefetch_useful: useful, prefetch_late: late = 0, prefetch_wasted: wasted = 0}: MovedBytes): string {
  if (useful === undefined || useful + late + wasted === 0) return '';
  return `${bytesText(useful + late + wasted)} prefetched (${bytesText(useful)} used, ${bytesText(late)} late, ${bytesText(wasted)} wasted), `;
}

function timeText({time, plan}: ResultDocument): string {
  const memory = Object.keys(plan.memories)[0];
  const parts = bounds
    .map((name) => [name, time.bound_share[name]] as const)
    .filter(([, share]) => share >= 0.0005)
    .sort((a, b) => b[1] - a[1])
    .map(([name, share]) => `${boundName(name, memory)} ${percentText(share)}`);
  return parts.join('   ');
}

/** What nobody chose and nobody measured: the reader should know it is there. */
function assumedLines({assumptions}: ResultDocument, width: number): string[] {
  const paths = assumptions.filter(({grade}) => grade === 'assumed').map(({path, value}) => `${path} ${value}`);
  return paths.length === 0 ? [] : labelled('assumed', joined(paths, ', '), width);
}

function labelled(label: string, text: string, width: number): string[] {
  const lines = wrapped(text, width - LABEL);
  // A label too long for its column has a line of its own.
  if (label.length >= LABEL) return [printable(label), ...lines.map((line) => ' '.repeat(LABEL) + line)];
  return lines.map((line, i) => (i === 0 ? printable(label) : '').padEnd(LABEL) + line);
}

/** Breaks at spaces; a word longer than the width stays whole. A number is not parted from its unit. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of printable(text)
    .replace(/(\d) (?=[%×]|[KMGT]iB|ms|µs|[smh]\b)/g, `$1${UNBROKEN}`)
    .split(/ (?! )/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line.trimEnd());
      line = word.trimStart();
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((whole) => whole.replaceAll(UNBROKEN, ' '));
}
