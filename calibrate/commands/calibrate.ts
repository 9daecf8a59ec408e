import type {CommandModule} from 'yargs';
import {compareFormsCommand} from './compare-forms.js';
import {fitEngineCommand} from './fit-engine.js';
import {importCommand} from './import.js';
import {showCommand} from './show.js';

/** `tiercast calibrate …`: device profiles from measurements. */
export const calibrateCommand: CommandModule = {
  command: 'calibrate',
  describe: 'Device and engine profiles from measurements: show one, import tables, compare forms of fit, fit an engine',
  builder: (yargs) =>
    yargs
      .command(showCommand)
      .command(importCommand)
      .command(compareFormsCommand)
      .command(fitEngineCommand)
      .demandCommand(1, 'name a subcommand: show, import, compare-forms or fit-engine')
      .example('$0 calibrate show h100-sxm', 'what is known of a device, and how well')
      .example(
        '$0 calibrate import scenarios/examples/synthetic-gemm.csv --device h100-sxm --out h100.profile.json',
        'a profile from a table',
      )
      .example(
        '$0 calibrate fit-engine --measured scenarios/examples/synthetic-serving.json --out toy.engine.json',
        'host times of an engine',
      )
      .example('$0 calibrate compare-forms scenarios/examples/synthetic-gemm.csv --points 100', 'which form of fit predicts best'),
  handler: () => {},
};
