import {join} from 'node:path';
import pc from 'picocolors';
import {InfeasibleError} from '../../core/errors.js';
import {canonicalJson} from '../../scenario/canonical.js';
import {folderName} from '../../scenario/commands/result-folder.js';
import {printable} from '../../scenario/text.js';
import {type SweepDocument, sweepDocument} from '../document.js';
import type {Row} from '../rows.js';
import {jsonlStore} from '../store/jsonl.js';
import {simulatePoints} from '../sweep.js';
import {filesOf} from './files.js';
import {nearestPoints, nothingToRank, whatDoesNotFit} from './nearest.js';
import {SweepProgress} from './progress.js';
import {type Session, startSession} from './session.js';
import type {SweepArguments} from './sweep.js';
import {openSweepFolder, storeFile, writeSweep} from './sweep-folder.js';
import {paretoLines, summaryLine} from './table.js';

/** Runs a sweep from file to page. An interrupt (SIGINT) stops it with exit code 130; what was finished is kept. */
export async function runSweep(args: SweepArguments): Promise<void> {
  const started = performance.now();
  const abort = new AbortController();
  const interrupt = () => abort.abort();
  process.once('SIGINT', interrupt);
  const line = new SweepProgress(!args.quiet && process.stderr.isTTY === true);
  try {
    const session = await startSession(args, abort.signal, (progress) => line.planning(progress));
    line.clear();
    const rows = await rowsOf(session, args, abort.signal, line);
    const document = sweepDocument(session.name, session.source.study, rows);
    await report({session, rows, document, args, seconds: () => (performance.now() - started) / 1e3});
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    line.clear();
    process.stderr.write('stopped     what was finished is kept; the same command goes on\n');
    process.exit(130);
  } finally {
    process.off('SIGINT', interrupt);
  }
}

/** Simulates what is not stored yet. Throws when the signal is aborted, after all that was finished is on the disk. */
async function rowsOf(session: Session, args: SweepArguments, signal: AbortSignal, line: SweepProgress): Promise<readonly Row[]> {
  const {source, points, executor, jobs, name} = session;
  try {
    if (!args.json && !args.quiet) process.stdout.write(`${printable(summaryLine(name, source.study, points, jobs))}\n`);
    signal.throwIfAborted();
    const infeasible = points.filter(({outcome}) => outcome?.kind === 'infeasible');
    if (infeasible.length > 0 && !points.some(({outcome}) => outcome?.kind === 'ready')) throw whatDoesNotFit(infeasible);
    const folder = outOf(session, args);
    openSweepFolder(folder);
    const store = jsonlStore(join(folder, storeFile));
    try {
      line.start(source.study, points);
      const rows = await simulatePoints(source, points, store, {executor, signal, progress: (progress) => line.simulating(progress)});
      signal.throwIfAborted();
      return rows;
    } finally {
      line.clear();
      store.close();
    }
  } finally {
    await executor.close();
  }
}

function outOf({name}: Session, {out}: SweepArguments): string {
  return out ?? join('tiercast-out', folderName(name));
}

interface Finished {
  readonly session: Session;
  readonly rows: readonly Row[];
  readonly document: SweepDocument;
  readonly args: SweepArguments;
  readonly seconds: () => number;
}

async function report({session, rows, document, args, seconds}: Finished): Promise<void> {
  const {study, path} = session.source;
  for (const {point, reason} of rows.filter(({status}) => status === 'failed').slice(0, 10)) {
    process.stderr.write(`warning     point ${point} failed: ${printable(reason ?? '')}\n`);
  }
  const out = outOf(session, args);
  writeSweep(out, await filesOf({session, rows, document, folder: out, report: args.report, path, set: args.set}));
  if (args.json) process.stdout.write(canonicalJson(document));
  else if (!args.quiet) {
    const bold = process.stdout.isTTY === true ? pc.bold : (text: string) => text;
    process.stdout.write(`${paretoLines(document, bold).map(printable).join('\n')}\n`);
  }
  if (!args.quiet) {
    const page = args.report ? 'sweep.html, ' : '';
    process.stderr.write(
      `wrote       ${join(out, `{${page}table.csv, rows.jsonl, pareto.json, recommendations/}`)}  in ${seconds().toFixed(1)} s\n`,
    );
  }
  if (document.pareto.length === 0) {
    throw document.counts.good > 0
      ? nothingToRank(document)
      : new InfeasibleError(`no point of ${rows.length} meets ${document.constraints.join(', ')}.`, nearestPoints(study, rows));
  }
}
