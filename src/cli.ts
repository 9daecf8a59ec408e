import yargs from 'yargs';
import {InfeasibleError, InputError} from './sim/core/errors.js';
import {version} from './sim/core/version.js';
import {traceCommand} from './sim/traces/command.js';

/** Runs the command line and returns the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  let code = 0;
  try {
    await yargs([...argv])
      .scriptName('tiercast')
      .version(version)
      .locale('en')
      .command(traceCommand)
      .strict()
      .demandCommand(1, 'Name a command.')
      .recommendCommands()
      .exitProcess(false)
      .fail((message, error) => {
        throw error ?? new InputError(message);
      })
      .parseAsync();
  } catch (error) {
    if (error instanceof InputError) {
      process.stderr.write(`${error.message}\n`);
      code = 2;
    } else if (error instanceof InfeasibleError) {
      process.stderr.write(`${error.message}\n`);
      code = 3;
    } else {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      code = 1;
    }
  }
  return code;
}
