import type {CommandModule} from 'yargs';
import {allowCode} from './allow-code.js';
import {jobsOption} from './jobs.js';

/** Options of `run` as typed. */
export interface RunArguments {
  readonly scenario: readonly string[];
  readonly set: readonly string[];
  readonly out: string | undefined;
  readonly seed: number | undefined;
  readonly replications: number | undefined;
  readonly bounds: 'off' | 'hits' | 'full' | undefined;
  readonly perfetto: string | undefined;
  readonly jobs: number | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly strict: boolean;
  readonly report: boolean;
  readonly requests: boolean;
  readonly allowCode: boolean;
}

/** `tiercast run`: simulates scenarios and writes a result for each. */
export const runCommand: CommandModule<object, RunArguments> = {
  command: 'run <scenario..>',
  describe: 'Simulate scenarios and write a report each',
  builder: (yargs) =>
    yargs
      .positional('scenario', {type: 'string', array: true, demandOption: true, describe: 'scenario files'})
      .option('set', {
        type: 'string',
        requiresArg: true,
        default: [],
        defaultDescription: 'none',
        coerce: (values: string | readonly string[]) => [values].flat(),
        describe: 'change one key: PATH=VALUE (repeat; null removes)',
      })
      .option('out', {type: 'string', requiresArg: true, describe: 'where results go', defaultDescription: './tiercast-out/<name>'})
      .option('seed', {
        type: 'number',
        requiresArg: true,
        describe: 'random streams; same seed, same traffic',
        defaultDescription: 'run.seed, else 1',
      })
      .option('replications', {
        type: 'number',
        requiresArg: true,
        describe: 'independent runs for intervals',
        defaultDescription: 'run.replications, else 1',
      })
      .option('bounds', {
        choices: ['off', 'hits', 'full'] as const,
        describe: 'an infinite prefix cache beside the run',
        defaultDescription: 'hits',
      })
      .option('perfetto', {type: 'string', requiresArg: true, describe: 'also write a trace for ui.perfetto.dev (first replication)'})
      .option('jobs', jobsOption)
      .option('allow-code', allowCode)
      .option('json', {type: 'boolean', default: false, describe: 'print result.json on stdout and nothing else'})
      .option('report', {type: 'boolean', default: true, describe: 'write report.html (--no-report)'})
      .option('requests', {type: 'boolean', default: true, describe: 'write requests.csv (--no-requests)'})
      .option('strict', {type: 'boolean', default: false, describe: 'warnings are errors'})
      .option('quiet', {alias: 'q', type: 'boolean', default: false, describe: 'no table, no progress'})
      .example('$0 run scenarios/examples/h100-chat.yaml', '')
      .example('$0 run scenarios/examples/h100-chat.yaml --set workload.arrivals="4 session/s"', '')
      .example('$0 run scenarios/examples/h100-chat.yaml --json | jq .metrics.ttft_s.p95', '') as never,
  handler: async (args) => {
    const {runScenarios} = await import('./run-scenarios.js');
    await runScenarios(args);
  },
};
