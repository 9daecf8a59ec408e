import type {CommandModule} from 'yargs';
import {compareFormsCommand} from './compare-forms.js';
import {diffCommand} from './diff.js';
import {doctorCommand} from './doctor.js';
import {fitEngineCommand} from './fit-engine.js';
import {importCommand} from './import.js';
import {measureCommand} from './measure.js';
import {showCommand} from './show.js';

/** `tiercast calibrate …`: measures this machine, and does what there is to do with profiles. */
export const calibrateCommand: CommandModule = {
  command: 'calibrate',
  describe: 'Measure this machine and write its profile; show, compare and import profiles, fit an engine',
  builder: (yargs) =>
    yargs
      .command(measureCommand)
      .command(doctorCommand)
      .command(showCommand)
      .command(diffCommand)
      .command(importCommand)
      .command(compareFormsCommand)
      .command(fitEngineCommand)
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
