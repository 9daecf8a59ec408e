import type {CommandModule} from 'yargs';
import type {Report} from '../src/sim/scenario/result.js';

interface ReportArguments {
  readonly result: readonly string[];
  readonly out: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** `tiercast report RESULT…`: draws the page of a result again. */
export const reportCommand: CommandModule<object, ReportArguments> = {
  command: 'report <result..>',
  describe: 'Draw the report page of a result again',
  builder: (yargs) =>
    yargs
      .positional('result', {type: 'string', array: true, demandOption: true, describe: 'result folders, or their result.json'})
      .option('out', {
        type: 'string',
        requiresArg: true,
        describe: 'the page to write',
        defaultDescription: 'report.html beside the result',
      })
      .option('json', {type: 'boolean', default: false, describe: 'print what was written as JSON on stdout'})
      .option('quiet', {alias: 'q', type: 'boolean', default: false, describe: 'print nothing but errors'})
      .example('$0 report tiercast-out/h100-chat', 'writes tiercast-out/h100-chat/report.html')
      .example('$0 report tiercast-out/h100-chat --out page.html', 'writes it elsewhere') as never,
  handler: async ({result, out, json, quiet}) => {
    const [{join}, {InputError}, {renderReport}, {loadPageParts}, {loadReport, writePage}] = await Promise.all([
      import('node:path'),
      import('../src/sim/core/errors.js'),
      import('./index.js'),
      import('./load.js'),
      import('./read/load.js'),
    ]);
    if (out !== undefined && result.length > 1) throw new InputError('--out names one page; draw results one at a time');
    // All are read before one is written, so that a mistake in the last leaves everything as it was.
    const loaded = result.map((path) => loadReport(path));
    const parts = loadPageParts();
    const lacking = (folder: string, {document}: Report, missing: readonly string[]) => [
      ...missing.map((name) => `${join(folder, name)} is missing: the page shows less`),
      ...(document.files.requests === null ? [`${folder}: run with --no-requests: latency is drawn from its percentiles`] : []),
    ];
    const pages = loaded.map(({report, folder, missing}) => {
      const page = out ?? join(folder, 'report.html');
      writePage(page, renderReport(report, parts));
      if (!quiet) for (const text of lacking(folder, report, missing)) process.stderr.write(`warning     ${text}\n`);
      return {name: report.document.name, page};
    });
    if (json) process.stdout.write(`${JSON.stringify({pages})}\n`);
    else if (!quiet) for (const {page} of pages) process.stderr.write(`wrote       ${page}\n`);
  },
};
