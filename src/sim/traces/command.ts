import type {CommandModule} from 'yargs';
import {InputError} from '../core/errors.js';

interface TraceArguments {
  file: string;
  format: string | undefined;
  hits: string | undefined;
  sizes: string;
  head: number | undefined;
  fit: string | undefined;
  json: boolean;
}

/** `tiercast trace FILE`: statistics of a trace, and what is wrong with it. */
export const traceCommand: CommandModule<object, TraceArguments> = {
  command: 'trace <file>',
  describe: 'Statistics and a doctor for a trace',
  builder: (yargs) =>
    yargs
      .positional('file', {type: 'string', demandOption: true, describe: 'a trace, packed with gzip or not'})
      .option('format', {type: 'string', describe: 'name of its format [found by content]'})
      .option('hits', {type: 'string', describe: 'policies and bounds to try without a clock: lru,fifo,belady'})
      .option('sizes', {type: 'string', default: '500..50k', describe: 'cache sizes in blocks: 500,1000 or 500..50k'})
      .option('head', {type: 'number', describe: 'show the first N rows'})
      .option('fit', {
        type: 'string',
        requiresArg: true,
        describe: 'write a synthetic workload like it into this .yaml, its quantiles beside it',
      })
      .option('json', {type: 'boolean', default: false, describe: 'one JSON document on stdout'})
      .example('$0 trace scenarios/examples/synthetic-chat.jsonl', 'what is in it')
      .example('$0 trace scenarios/examples/synthetic-chat.jsonl --hits lru,fifo,belady --sizes 500..50k', 'hit ratios by cache size')
      .example('$0 trace scenarios/examples/synthetic-chat.jsonl --fit like-it.yaml', 'a scenario with its lengths, gaps, reuse')
      .example('$0 trace scenarios/examples/synthetic-chat.jsonl --head 5 --json', 'for scripts'),
  handler: async (args) => {
    if (args.head !== undefined && !(Number.isInteger(args.head) && args.head >= 1)) {
      throw new InputError(`--head: ${args.head} is no whole number ≥ 1`);
    }
    const {loadTrace} = await import('./load.js');
    const {describeTrace} = await import('./statistics.js');
    const {trace} = loadTrace(args.file, args.file, args.format);
    const table = args.hits === undefined ? null : await hitTableOf(args.hits, args.sizes, args.file, trace);
    const statistics = describeTrace(trace);
    const fit = args.fit === undefined ? null : await fitOf(trace, args.file, args.fit);
    if (args.json) {
      const {traceDocument} = await import('./document.js');
      const document = traceDocument(args.file, trace, statistics, {
        hits: table === null ? null : hitRows(table, trace.ids.length),
        head: args.head === undefined ? null : headRows(trace, args.head),
        fit: fit?.document ?? null,
      });
      process.stdout.write(`${JSON.stringify(document)}\n`);
      return;
    }
    const {headLines, hitLines, traceLines} = await import('./describe.js');
    const lines = traceLines(trace, args.format === undefined ? 'by content' : 'named', statistics);
    if (fit !== null) lines.push('', ...fit.lines);
    if (args.head !== undefined) lines.push('', ...headLines(trace, args.head));
    if (table !== null) lines.push('', ...hitLines(trace.ids.length, table.sizes, table.rows));
    process.stdout.write(`${lines.join('\n')}\n`);
  },
};

type Trace = import('./trace.js').Trace;

interface HitTable {
  readonly sizes: readonly number[];
  readonly rows: readonly {readonly policy: string; readonly hits: readonly number[]}[];
}

async function hitTableOf(names: string, sizes: string, file: string, trace: Trace): Promise<HitTable> {
  if (trace.blockSize === 0) {
    throw new InputError(`--hits: ${file} has no block ids (format ${trace.format}), so nothing in it can hit; a Mooncake trace has them`);
  }
  const {lookup} = await import('../core/registry.js');
  const {parseSizes} = await import('./sizes.js');
  const {hitTable, hitCandidates} = await import('../memory/candidates.js');
  const chosen = new Map(
    names.split(',').map((part) => {
      const name = part.trim();
      try {
        return [name, lookup('eviction policy or bound', hitCandidates, name)];
      } catch (error) {
        throw new InputError(`--hits: ${(error as Error).message}`);
      }
    }),
  );
  const blocks = parseSizes(sizes);
  return {sizes: blocks, rows: hitTable(trace, chosen, blocks)};
}

function hitRows({sizes, rows}: HitTable, accesses: number) {
  return rows.flatMap(({policy, hits}) => hits.map((count, i) => ({policy, blocks: sizes[i], hits: count, share: count / accesses})));
}

function headRows(trace: Trace, count: number) {
  return Array.from({length: Math.min(count, trace.rows)}, (_, row) => ({
    time_s: trace.times[row] / 1e9,
    input_tokens: trace.inputs[row],
    output_tokens: trace.outputs[row],
    ids: trace.offsets[row + 1] - trace.offsets[row],
  }));
}

const FIT_SEED = 1;

/** Fits a workload, writes it, and says how well it fits. */
async function fitOf(recorded: Trace, file: string, path: string) {
  const {basename} = await import('node:path');
  if (!path.endsWith('.yaml')) throw new InputError(`--fit: ${path} does not end in .yaml; a scenario is written there`);
  const csv = `${path.slice(0, -'.yaml'.length)}.csv`;
  await refuseOld(path, csv);
  const {chainedIds} = await import('./chained.js');
  const {printable} = await import('./lines.js');
  const {scaleTrace} = await import('./scale.js');
  const {fitted} = await import('../workload/fit/fit.js');
  const {fitQuality} = await import('../workload/fit/quality.js');
  const {fitLines, fitNotes} = await import('../workload/fit/describe.js');
  const {fitFiles} = await import('../workload/fit/write.js');
  const trace = scaleTrace(chainedIds(recorded), {rateScale: 1, dequantise: 'uniform', limit: null});
  const fit = fitted(trace);
  const quality = fitQuality(trace, fit, FIT_SEED);
  const notes = fitNotes(trace, quality);
  const text = [...fitLines(fit, quality), ...notes.map((note) => `note: ${note}`)];
  const files = fitFiles(fit, FIT_SEED, basename(csv), [`Fitted to ${printable(basename(file))} by tiercast trace --fit.`, ...text]);
  if (files.csv !== null) await writeNew(csv, files.csv);
  await writeNew(path, files.yaml);
  const written = files.csv === null ? [path] : [path, csv];
  return {
    lines: [`${'fit'.padEnd(12)}${written.join(', ')}`, ...text.map((line) => `${' '.repeat(12)}${line}`)],
    document: {files: written, sessions: fit.sessions, ...quality, notes},
  };
}

async function refuseOld(...files: string[]): Promise<void> {
  const {existsSync} = await import('node:fs');
  for (const file of files) if (existsSync(file)) throw new InputError(`--fit: ${file} exists; name another file`);
}

async function writeNew(file: string, text: string): Promise<void> {
  const {writeFile} = await import('node:fs/promises');
  await writeFile(file, text, {flag: 'wx'}).catch((error: Error) => {
    throw new InputError(`--fit: ${file} cannot be written: ${error.message}`);
  });
}
