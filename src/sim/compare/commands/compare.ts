import type {CommandModule} from 'yargs';
import {allowCode} from '../../scenario/commands/allow-code.js';
import {jobsOption} from '../../scenario/commands/jobs.js';

/** Options of `compare` as typed. */
export interface CompareArguments {
  readonly scenario: readonly string[];
  readonly set: readonly string[];
  readonly out: string | undefined;
  readonly seed: number | undefined;
  readonly replications: number | undefined;
  readonly failOn: readonly string[];
  readonly jobs: number | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly strict: boolean;
  readonly report: boolean;
  readonly allowCode: boolean;
}

const repeated = {
  type: 'string',
  requiresArg: true,
  default: [] as string[],
  defaultDescription: 'none',
  coerce: (values: string | readonly string[]) => [values].flat(),
} as const;

/** `tiercast compare A B…`: runs scenarios on the same random streams and says what differs. */
export const compareCommand: CommandModule<object, CompareArguments> = {
  command: 'compare <scenario..>',
  describe: 'Compare scenarios with the first: what changed, and what it does',
  builder: (yargs) =>
    yargs
      .positional('scenario', {type: 'string', array: true, demandOption: true, describe: 'scenario files, the base first'})
      .option('set', {...repeated, describe: 'change one key of all: PATH=VALUE (repeat; null removes)'})
      .option('out', {type: 'string', requiresArg: true, describe: 'where results go', defaultDescription: './tiercast-out/<a>-vs-<b>'})
      .option('seed', {
        type: 'number',
        requiresArg: true,
        describe: 'random streams of all scenarios',
        defaultDescription: 'run.seed of the first, else 1',
      })
      .option('replications', {
        type: 'number',
        requiresArg: true,
        describe: 'independent runs of each scenario',
        defaultDescription: '5 … 16, until differences of p95 are known to ± 10 %',
      })
      .option('fail-on', {...repeated, describe: 'exit with 4 when it holds: PATH OP VALUE (repeat)'})
      .option('jobs', jobsOption)
      .option('allow-code', allowCode)
      .option('json', {type: 'boolean', default: false, describe: 'print comparison.json on stdout and nothing else'})
      .option('report', {type: 'boolean', default: true, describe: 'write compare.html (--no-report)'})
      .option('strict', {type: 'boolean', default: false, describe: 'warnings are errors'})
      .option('quiet', {alias: 'q', type: 'boolean', default: false, describe: 'no table, no progress'})
      .example('$0 compare scenarios/examples/llama-70b-before.yaml scenarios/examples/llama-70b-after.yaml', '')
      .example(
        '$0 compare scenarios/examples/llama-70b-before.yaml scenarios/examples/llama-70b-after.yaml --fail-on "ttft_s.p95.difference > 0.10"',
        '',
      ) as never,
  handler: async (args) => {
    const {compareScenarios} = await import('./compare-scenarios.js');
    await compareScenarios(args);
  },
};
