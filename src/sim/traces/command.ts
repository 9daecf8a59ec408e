import type {CommandModule} from 'yargs';
import {InputError} from '../core/errors.js';

interface TraceArguments {
  file: string;
  format: string | undefined;
  hits: string | undefined;
  sizes: string;
  head: number | undefined;
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
      .option('json', {type: 'boolean', default: false, describe: 'one JSON document on stdout'})
      .example('$0 trace scenarios/examples/synthetic-chat.jsonl', 'what is in it')
      .example('$0 trace scenarios/examples/synthetic-chat.jsonl --hits lru,fifo,belady --sizes 500..50k', 'hit ratios by cache size')
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
    if (args.json) {
      const {traceDocument} = await import('./document.js');
      const document = traceDocument(args.file, trace, statistics, {
        hits: table === null ? null : hitRows(table, trace.ids.length),
        head: args.head === undefined ? null : headRows(trace, args.head),
      });
      process.stdout.write(`${JSON.stringify(document)}\n`);
      return;
    }
    const {headLines, hitLines, traceLines} = await import('./describe.js');
    const lines = traceLines(trace, args.format === undefined ? 'by content' : 'named', statistics);
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
