import {basename, join} from 'node:path';
import type {CommandModule} from 'yargs';
import type {Eviction} from '../../policies/eviction/eviction.js';
import {InputError} from '../core/errors.js';

interface CacheArguments {
  trace: string;
  format: string | undefined;
  policies: string;
  sizes: string;
  tiers: string | undefined;
  window: string | undefined;
  stream: boolean;
  allowCode: boolean;
  out: string | undefined;
  report: boolean;
  json: boolean;
}

const folderKind = {main: 'cache.json', schema: 'tiercast.cache/', files: ['cache.json', 'hits.csv', 'cache.html']} as const;
const defaultPolicies = 'lru,leaf-lru,arc,s3-fifo,ewma,predicted,belady,belady-bypass';

/** `tiercast cache TRACE`: hit-ratio curves of policies and bounds, without a clock. */
export const cacheCommand: CommandModule<object, CacheArguments> = {
  command: 'cache <trace>',
  describe: 'Hit-ratio curves and bounds of a trace, without a clock: table, CSV and page',
  builder: (yargs) =>
    yargs
      .positional('trace', {type: 'string', demandOption: true, describe: 'a trace with block ids, packed with gzip or not'})
      .option('format', {type: 'string', requiresArg: true, describe: 'name of its format [found by content]'})
      .option('policies', {
        type: 'string',
        requiresArg: true,
        default: defaultPolicies,
        describe: 'policies and bounds: lru,ewma:overdue=leave; lru, belady and infinite are always there',
      })
      .option('sizes', {
        type: 'string',
        requiresArg: true,
        default: '500..50k',
        describe: 'cache sizes in blocks: 500,1000 or 500..50k; where a perfect predictor reaches the ceiling is added',
      })
      .option('tiers', {type: 'string', requiresArg: true, describe: 'blocks of memories one below the other: 1000,8000,64000'})
      .option('window', {type: 'string', requiresArg: true, describe: 'of the working set, in seconds [a twentieth of the span]'})
      .option('allow-code', {type: 'boolean', default: false, describe: 'let policies from files run: --policies lru,./mine.mjs'})
      .option('stream', {type: 'boolean', default: false, describe: 'never hold the whole trace: no bounds that need the future'})
      .option('out', {type: 'string', requiresArg: true, describe: 'folder to write', defaultDescription: './tiercast-out/<trace>.cache'})
      .option('report', {type: 'boolean', default: true, describe: 'write files; --no-report prints only'})
      .option('json', {type: 'boolean', default: false, describe: 'one JSON document on stdout'})
      .example(
        '$0 cache scenarios/examples/synthetic-chat.jsonl --sizes 20..500',
        'table, and tiercast-out/synthetic-chat.cache/cache.html',
      )
      .example(
        '$0 cache scenarios/examples/synthetic-chat.jsonl --policies lru,arc,ewma:alpha=0.5 --sizes 20..500 --no-report',
        'only these',
      )
      .example(
        '$0 cache scenarios/examples/synthetic-chat.jsonl --tiers 50,200,1000 --sizes 50 --no-report --json',
        'for scripts',
      ) as never,
  handler: async (args) => {
    const {folderName, refuseForeign, writeResult} = await import('../scenario/commands/result-folder.js');
    const out = args.out ?? join('tiercast-out', `${folderName(basename(args.trace).replace(/\.(jsonl|json|csv)?(\.gz)?$/, ''))}.cache`);
    if (args.report) refuseForeign(out, folderKind);
    const {parseCandidates} = await import('./parse-candidates.js');
    const {parseSizes} = await import('../traces/sizes.js');
    const own = await ownPolicies(args);
    const candidates = parseCandidates(args.policies, '--policies', new Map(own.map(({path, policy}) => [path, policy])));
    const sizes = parseSizes(args.sizes);
    const counted = args.stream ? await streamed(args, candidates, sizes) : await whole(args, candidates, sizes);
    const document = own.length === 0 ? counted : {...counted, policy_files: own.map(({path, sha256}) => ({path, sha256}))};
    const {canonicalJson} = await import('../scenario/canonical.js');
    if (args.report) {
      const {renderHits} = await import('../../../reports/cache/index.js');
      const {loadPageParts} = await import('../../../reports/load.js');
      const {hitCsv} = await import('./hit-document.js');
      const files = [
        {name: 'cache.json', text: [canonicalJson(document)]},
        {name: 'hits.csv', text: [hitCsv(document)]},
        {name: 'cache.html', text: [renderHits(document, loadPageParts())]},
      ];
      await writeResult(out, files, folderKind);
    }
    if (args.json) process.stdout.write(canonicalJson(document));
    else process.stdout.write(`${(await import('./hit-lines.js')).hitStudyLines(document).join('\n')}\n`);
    if (args.report) process.stderr.write(`wrote ${join(out, 'cache.html')}\n`);
  },
};

/** Policies from files among those asked for, paths from the current folder. */
async function ownPolicies({policies, allowCode}: CacheArguments): Promise<{path: string; policy: Eviction; sha256: string}[]> {
  const {policyFiles} = await import('./parse-candidates.js');
  const files = policyFiles(policies);
  if (files.length > 0 && !allowCode) throw new InputError(`--policies: ${files[0]} is a program; --allow-code lets it run`);
  const {loadEviction} = await import('./load.js');
  return Promise.all(files.map(async (path) => ({path, ...(await loadEviction(path))})));
}

type Candidates = ReturnType<typeof import('./parse-candidates.js').parseCandidates>;
type Document = import('./hit-document.js').HitDocument;

async function whole(args: CacheArguments, candidates: Candidates, sizes: readonly number[]): Promise<Document> {
  const {loadTrace} = await import('../traces/load.js');
  const {studyHits} = await import('./hit-study.js');
  const {hitDocument} = await import('./hit-document.js');
  const {tierHits} = await import('./tier-hits.js');
  const {factoryOf} = await import('../../policies/eviction/eviction.js');
  const {parseSizeList} = await import('../traces/sizes.js');
  const {version} = await import('../core/version.js');
  const {trace} = loadTrace(args.trace, args.trace, args.format);
  if (trace.blockSize === 0)
    throw new InputError(`${args.trace} has no block ids (format ${trace.format}), so nothing in it can hit; a Mooncake trace has them`);
  const study = studyHits(trace, candidates, sizes, windowOf(args.window, trace.times[trace.rows - 1] / 1e9));
  const [name, {policy, params}] = [...candidates][0];
  const tiers =
    args.tiers === undefined
      ? null
      : {policy: name, hits: tierHits(trace, factoryOf(name, policy, params), parseSizeList(args.tiers, '--tiers'))};
  const subject = {
    file: basename(args.trace),
    format: trace.format,
    requests: trace.rows,
    accesses: trace.ids.length,
    distinct_blocks: trace.distinct,
    block_tokens: trace.blockSize,
  };
  return hitDocument(version, subject, study, tiers);
}

async function streamed(args: CacheArguments, candidates: Candidates, sizes: readonly number[]): Promise<Document> {
  for (const flag of ['tiers', 'window'] as const)
    if (args[flag] !== undefined) throw new InputError(`--${flag} needs the whole trace; leave --stream out`);
  const {streamHits} = await import('./stream-hits.js');
  const {openRows} = await import('../traces/load.js');
  const {version} = await import('../core/version.js');
  const {hitDocumentOfStream} = await import('./hit-document.js');
  const rows = await openRows(args.trace, args.trace, args.format);
  try {
    return hitDocumentOfStream(version, basename(args.trace), rows, streamHits(rows, candidates, sizes), sizes);
  } finally {
    rows.close();
  }
}

function windowOf(text: string | undefined, span: number): number {
  if (text === undefined) return span / 20;
  const seconds = Number(text);
  if (!(seconds > 0)) throw new InputError(`--window: "${text}" is no number of seconds above 0`);
  return seconds;
}
