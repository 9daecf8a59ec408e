import yargs from 'yargs';
import {calibrateCommand} from '../calibrate/commands/calibrate.js';
import {reportCommand} from '../reports/command.js';
import {compareCommand} from './sim/compare/commands/compare.js';
import {EarlyEnd, GateError, InfeasibleError, InputError} from './sim/core/errors.js';
import {version} from './sim/core/version.js';
import {cacheCommand} from './sim/memory/command.js';
import {explainCommand} from './sim/scenario/commands/explain.js';
import {initCommand} from './sim/scenario/commands/init.js';
import {listCommand} from './sim/scenario/commands/list.js';
import {planCommand} from './sim/scenario/commands/plan.js';
import {runCommand} from './sim/scenario/commands/run.js';
import {schemaCommand} from './sim/scenario/commands/schema.js';
import {validateCommand} from './sim/scenario/commands/validate.js';
import {sweepCommand} from './sim/sweep/commands/sweep.js';
import {traceCommand} from './sim/traces/command.js';

/** Runs the command line and returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  let code = 0;
  try {
    // yargs drops a lone dash, and the command would run on nothing.
    if (argv.includes('-')) throw new InputError('- is no file: nothing is read from standard input; name a file');
    await yargs([...argv])
      .scriptName('tiercast')
      .usage('$0 <command>\n\nPredicts how an LLM inference deployment behaves before it is deployed.')
      .version(version)
      .locale('en')
      .wrap(null) // examples stay on one line, to be copied
      .command(runCommand)
      .command(planCommand)
      .command(sweepCommand)
      .command(compareCommand)
      .command(traceCommand)
      .command(cacheCommand)
      .command(listCommand)
      .command(reportCommand)
      .command(calibrateCommand)
      .example('$0 run scenarios/examples/h100-chat.yaml', 'simulate a scenario, write a report')
      .command(validateCommand)
      .command(explainCommand)
      .command(initCommand)
      .command(schemaCommand)
      .strict()
      .demandCommand(1, 'name a command')
      .recommendCommands()
      .exitProcess(false)
      .fail((message, error) => {
        // What yargs refuses while it parses comes as an error of its own, without a message.
        if (error !== undefined && error?.name !== 'YError') throw error;
        throw new InputError(usage(message ?? error.message, argv));
      })
      .parseAsync();
  } catch (error) {
    if (error instanceof InputError) {
      process.stderr.write(`${error.message}\n`);
      code = 2;
    } else if (error instanceof InfeasibleError) {
      const nearest = error.nearest.length === 0 ? '' : `  Nearest that fit: ${error.nearest.join(' · ')}`;
      process.stderr.write(`${error.message}${nearest}\n`);
      code = 3;
    } else if (error instanceof GateError) {
      process.stderr.write(`${error.message}\n`);
      code = 4;
    } else if (error instanceof EarlyEnd) {
      process.stderr.write(`${error.message}\n`);
      code = error.code;
    } else {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      code = 1;
    }
  }
  return code;
}

/** What is wrong with the arguments, in one line that ends with the way out. */
function usage(message: string, argv: readonly string[]): string {
  const command = argv.find((word) => !word.startsWith('-')) ?? '';
  const near = /^Did you mean (\S+)\?$/.exec(message);
  if (near !== null) return `unknown command "${command}" (did you mean "${near[1]}"?) → tiercast --help`;
  if (message === `Unknown argument: ${command}`) return `unknown command "${command}" → tiercast --help`;
  const choice = /Argument: (\S+), Given: (.*), Choices: (.*)/.exec(message);
  if (choice !== null) return `--${choice[1]}: ${choice[2]} is none of ${choice[3]} → tiercast ${command} --help`;
  const value = /^Not enough arguments following: (\S+)/.exec(message);
  if (value !== null) return `--${value[1]} needs a value → tiercast ${command} --help`;
  const missing = message.startsWith('Not enough non-option arguments') ? 'what to work on is missing' : message.split('\n')[0];
  return `${missing} → tiercast ${command}${command && ' '}--help`;
}
