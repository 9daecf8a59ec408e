import {basename, join} from 'node:path';
import type {CommandModule} from 'yargs';
import type {Eviction} from '../../policies/eviction/eviction.js';
import {InputError} from '../core/errors.js';

interface CacheArguments {
  trace: string;
  format: string | undefined;
  policies: string;
  sizes: string | undefined;
  tiers: string | undefined;
  set: readonly string[];
  window: string | undefined;
  stream: boolean;
  allowCode: boolean;
  out: string | undefined;
  report: boolean;
  json: boolean;
}

const folderKind = {main: 'cache.json', schema: 'tiercast.cache/', files: ['cache.json', 'hits.csv', 'cache.html']} as const;
const defaultPolicies = 'lru,leaf-lru,arc,s3-fifo,ewma,predicted,belady,belady-bypass';

/** `tiercast cache TRACE|SCENARIO`: hit-ratio curves of policies and bounds, without a clock. */
export const cacheCommand: CommandModule<object, CacheArguments> = {
  command: 'cache <trace|scenario>',
  describe: 'Hit-ratio curves and bounds of a trace or of a scenario, without a clock: table, CSV and page',
  builder: (yargs) =>
    yargs
      .positional('trace', {
        type: 'string',
        demandOption: true,
        describe: 'a trace with block ids, packed with gzip or not; or a scenario (.yaml): its requests in order of arrival',
      })
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
        describe: 'cache sizes in blocks: 500,1000 or 500..50k; where a perfect predictor reaches the ceiling is added',
        defaultDescription: "500..50k, of a scenario its memories'",
      })
      .option('tiers', {type: 'string', requiresArg: true, describe: 'blocks of memories one below the other: 1000,8000,64000'})
      .option('set', {
        type: 'string',
        requiresArg: true,
        default: [],
        defaultDescription: 'none',
        coerce: (values: string | readonly string[]) => [values].flat(),
        describe: 'change one key of the scenario: PATH=VALUE (repeat; null removes)',
      })
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
      .example('$0 cache scenarios/examples/synthetic-chat.jsonl --tiers 50,200,1000 --sizes 50 --no-report --json', 'for scripts')
      .example('$0 cache scenarios/examples/h100-chat-tiers.yaml --no-report', "what the memories' sizes are good for") as never,
  handler: async (args) => {
    const {folderName, refuseForeign, writeResult} = await import('../scenario/commands/result-folder.js');
    const out =
      args.out ?? join('tiercast-out', `${folderName(basename(args.trace).replace(/\.(jsonl|json|csv|ya?ml)?(\.gz)?$/, ''))}.cache`);
    if (args.report) refuseForeign(out, folderKind);
    const {parseCandidates} = await import('./parse-candidates.js');
    const {parseSizes} = await import('../traces/sizes.js');
    const own = await ownPolicies(args);
    const candidates = parseCandidates(args.policies, '--policies', new Map(own.map(({path, policy}) => [path, policy])));
    const sizes = args.sizes === undefined ? null : parseSizes(args.sizes);
    const counted = isScenario(args.trace) ? await asked(args, candidates, sizes) : await recorded(args, candidates, sizes);
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

function isScenario(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

async function recorded(args: CacheArguments, candidates: Candidates, sizes: readonly number[] | null): Promise<Document> {
  if (args.set.length > 0) throw new InputError(`--set changes keys of a scenario, and ${args.trace} is a trace`);
  const {parseSizes} = await import('../traces/sizes.js');
  return (args.stream ? streamed : whole)(args, candidates, sizes ?? parseSizes('500..50k'));
}

async function whole(args: CacheArguments, candidates: Candidates, sizes: readonly number[]): Promise<Document> {
  const {loadTrace} = await import('../traces/load.js');
  const {trace} = loadTrace(args.trace, args.trace, args.format);
  if (trace.blockSize === 0)
    throw new InputError(`${args.trace} has no block ids (format ${trace.format}), so nothing in it can hit; a Mooncake trace has them`);
  return studied(args, candidates, {trace, accesses: trace.ids.length, partial: true}, sizes, await tiersOf(args));
}

/** A scenario's requests in order of arrival; its memories are the sizes, and the tiers where there are several. */
async function asked(args: CacheArguments, candidates: Candidates, sizes: readonly number[] | null): Promise<Document> {
  if (args.stream) throw new InputError(`--stream goes through a file of requests, and ${args.trace} is a scenario`);
  if (args.format !== undefined) throw new InputError(`--format names that of a trace, and ${args.trace} is a scenario`);
  const {loadScenario} = await import('../scenario/load.js');
  const {planMemory} = await import('../scenario/plan.js');
  const {build} = await import('../scenario/build.js');
  const {cacheMemories} = await import('../scenario/cache-memories.js');
  const {askedAtOnce} = await import('./asked-at-once.js');
  const scenario = await loadScenario(args.trace, {set: args.set, allowCode: args.allowCode});
  const plan = planMemory(scenario);
  const {workload, config} = build(scenario, plan, {replication: 0});
  const {trace, lookups, tooLong} = askedAtOnce(workload, {blockSize: config.kv.blockSize, maxModelLen: config.maxModelLen});
  if (tooLong > 0) process.stderr.write(`warning     ${tooLong} requests are longer than the context and are left out\n`);
  const memories = cacheMemories(scenario, plan);
  const blocks = memories.map((memory) => memory.blocks);
  const own = memories.length > 1 ? {capacities: blocks, names: memories.map(({memory}) => memory)} : null;
  const by = {trace, accesses: lookups, partial: false};
  const found = await studied(args, candidates, by, sizes ?? blocks, (await tiersOf(args)) ?? own);
  return {...found, scenario: {sha256: scenario.sha256, seed: scenario.run.seed, memories}};
}

/** Memories one below the other, in blocks. */
interface Tiers {
  readonly capacities: readonly number[];
  readonly names: readonly string[] | null;
}

async function tiersOf({tiers}: CacheArguments): Promise<Tiers | null> {
  const {parseSizeList} = await import('../traces/sizes.js');
  return tiers === undefined ? null : {capacities: parseSizeList(tiers, '--tiers'), names: null};
}

type Trace = import('../traces/trace.js').Trace;

async function studied(
  {trace: path, window}: CacheArguments,
  candidates: Candidates,
  {trace, accesses, partial}: {readonly trace: Trace; readonly accesses: number; readonly partial: boolean},
  sizes: readonly number[],
  memories: Tiers | null,
): Promise<Document> {
  const {studyHits} = await import('./hit-study.js');
  const {hitDocument} = await import('./hit-document.js');
  const {tierHits} = await import('./tier-hits.js');
  const {factoryOf} = await import('../../policies/eviction/eviction.js');
  const {version} = await import('../core/version.js');
  const study = studyHits(trace, candidates, sizes, windowOf(window, trace.times[trace.rows - 1] / 1e9), accesses);
  const [policy, first] = [...candidates][0];
  const hits = memories && tierHits(trace, factoryOf(policy, first.policy, first.params), memories.capacities);
  const subject = {
    file: basename(path),
    format: trace.format,
    requests: trace.rows,
    accesses,
    distinct_blocks: trace.distinct,
    block_tokens: trace.blockSize,
    partial_blocks: partial,
  };
  return hitDocument(version, subject, study, hits && {policy, hits, names: memories!.names});
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
