import type {Argv, CommandModule} from 'yargs';
import {allowCode} from '../../scenario/commands/allow-code.js';

/** Options of `sweep` as typed. */
export interface SweepArguments {
  readonly study: string;
  readonly set: readonly string[];
  readonly out: string | undefined;
  readonly jobs: number | undefined;
  readonly executor: 'local' | 'in-process';
  readonly json: boolean;
  readonly quiet: boolean;
  readonly report: boolean;
  readonly allowCode: boolean;
}

/** `tiercast sweep STUDY`: runs the points of a study; Pareto set, table, page, and a scenario for every recommendation. */
export const sweepCommand: CommandModule<object, object> = {
  command: 'sweep',
  describe: 'Search a study for the best configurations',
  builder: (yargs) =>
    yargs
      .command({
        command: '$0 <study>',
        describe: 'Run every point of a study; an interrupted sweep goes on with the same command',
        builder: (inner: Argv) =>
          common(inner)
            .option('out', {type: 'string', requiresArg: true, describe: 'where results go', defaultDescription: './tiercast-out/<name>'})
            .option('report', {type: 'boolean', default: true, describe: 'write sweep.html (--no-report)'})
            .option('quiet', {alias: 'q', type: 'boolean', default: false, describe: 'no table, no progress'}) as never,
        handler: async (args) => {
          const {runSweep} = await import('./run-sweep.js');
          await runSweep(args as unknown as SweepArguments);
        },
      })
      .command({
        command: 'plan <study>',
        describe: 'List the points: what is run, skipped, or does not fit; nothing is simulated',
        builder: (inner: Argv) => common(inner) as never,
        handler: async (args) => {
          const {printPoints} = await import('./print-points.js');
          await printPoints(args as unknown as SweepArguments);
        },
      })
      .example('$0 sweep scenarios/studies/chat-gpu.yaml', '')
      .example('$0 sweep plan scenarios/studies/chat-gpu.yaml', '')
      .example('$0 sweep scenarios/studies/chat-gpu.yaml --jobs 2 --set run.requests=200 --json', '') as never,
  handler: () => {},
};

function common(yargs: Argv): Argv {
  return yargs
    .positional('study', {type: 'string', demandOption: true, describe: 'a scenario file with study:'})
    .option('set', {
      type: 'string',
      requiresArg: true,
      default: [],
      defaultDescription: 'none',
      coerce: (values: string | readonly string[]) => [values].flat(),
      describe: 'change one key of every point: PATH=VALUE (repeat; null removes)',
    })
    .option('jobs', {type: 'number', requiresArg: true, describe: 'points at a time', defaultDescription: 'one a core'})
    .option('executor', {
      choices: ['local', 'in-process'] as const,
      default: 'local' as const,
      describe: 'local: a pool of worker threads; in-process: one point after the other, no workers',
    })
    .option('allow-code', allowCode)
    .option('json', {type: 'boolean', default: false, describe: 'print one JSON document and nothing else'});
}
