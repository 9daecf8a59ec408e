import type {CommandModule} from 'yargs';
import {compareFormsCommand} from './compare-forms.js';
import {importCommand} from './import.js';

/** `tiercast calibrate …`: device profiles from measurements. */
export const calibrateCommand: CommandModule = {
  command: 'calibrate',
  describe: 'Device profiles from measured kernels: import tables, compare forms of fit',
  builder: (yargs) =>
    yargs
      .command(importCommand)
      .command(compareFormsCommand)
      .demandCommand(1, 'name a subcommand: import or compare-forms')
      .example(
        '$0 calibrate import scenarios/examples/synthetic-gemm.csv --device h100-sxm --out h100.profile.json',
        'a profile from a table',
      )
      .example('$0 calibrate compare-forms scenarios/examples/synthetic-gemm.csv --points 100', 'which form of fit predicts best'),
  handler: () => {},
};
