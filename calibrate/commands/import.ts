import type {CommandModule} from 'yargs';
import {InputError} from '../../src/sim/core/errors.js';

interface ImportArguments {
  files: string[];
  device: string | undefined;
  out: string;
  model: string | undefined;
  tensor: number | undefined;
  backend: string | undefined;
  partial: boolean;
  json: boolean;
}

/** `tiercast calibrate import FILE…`: kernel tables that others measured, or lines of calib-bench from another machine, become a device profile. */
export const importCommand: CommandModule<object, ImportArguments> = {
  command: 'import <files..>',
  describe: 'Kernel tables of aiconfigurator, Vidur or LLMServingSim, or JSON Lines of calib-bench, become a device profile',
  builder: (yargs) =>
    yargs
      .positional('files', {type: 'string', array: true, demandOption: true, describe: 'kernel tables, packed with gzip or not; or .jsonl'})
      .option('device', {type: 'string', describe: 'built-in device that a table was measured on; the profile extends it'})
      .option('out', {type: 'string', demandOption: true, describe: 'profile to write, e.g. h100.profile.json'})
      .option('model', {type: 'string', describe: 'model that a table of layers profiles [from the folders above it]'})
      .option('tensor', {type: 'number', describe: 'devices that its layers were split over [from the folder tpN]'})
      .option('backend', {type: 'string', describe: 'only rows measured with this backend'})
      .option('partial', {type: 'boolean', default: false, describe: 'take .jsonl whose end is missing'})
      .option('json', {type: 'boolean', default: false, describe: 'the profile on stdout too'})
      .example(
        '$0 calibrate import scenarios/examples/synthetic-gemm.csv --device h100-sxm --out h100.profile.json',
        'fit, check and write',
      )
      .example('$0 calibrate import lines.jsonl --out box.json', 'what calib-bench measured on a machine without Node.js'),
  handler: async (args) => {
    if (args.tensor !== undefined && !(Number.isInteger(args.tensor) && args.tensor >= 1)) {
      throw new InputError(`--tensor: ${args.tensor} is no whole number ≥ 1`);
    }
    const {isJsonLines, importLines} = await import('../machine/import.js');
    if (args.files.some(isJsonLines)) return importLines(args);
    if (args.device === undefined) throw new InputError('--device is missing: a kernel table does not say what it was measured on');
    const {builtinDevice} = await import('../../src/models/devices/index.js');
    const device = builtinDevice(args.device);
    const {loadTable} = await import('../load.js');
    const {fitKernels, samplesByKernel} = await import('../fit-tables.js');
    const hints = {...(args.model === undefined ? {} : {model: args.model}), ...(args.tensor === undefined ? {} : {tensor: args.tensor})};
    const groups = samplesByKernel(
      args.files.map((file) => loadTable(file, hints)),
      device,
      args.backend,
    );
    const fits = fitKernels(groups, device);
    const {importedProfile, profileId, profileText} = await import('../profile.js');
    const profile = importedProfile(profileId(args.out), device, groups, fits);
    const text = profileText(profile);
    const {writeWhole} = await import('../write.js');
    writeWhole(args.out, text);
    if (args.json) {
      process.stdout.write(text);
      return;
    }
    const {aligned, errorCells} = await import('../text.js');
    const head = ['kernel', 'form', 'rows', 'dropped', 'mean %', 'median %', 'p90 %', 'bias %', 'measured/predicted 80 %'];
    const rows = fits.map(({kernel, fitted, samples, dropped, error}) => [
      kernel.name,
      fitted.form,
      String(samples.length),
      String(Object.values(dropped).reduce((sum, count) => sum + count, 0)),
      ...errorCells(error),
    ]);
    const {quality} = profile;
    const reasons = quality.dropped.map(({kernel, reason, rows: count}) => `dropped ${count} rows of ${kernel}: ${reason}`);
    const lines = [
      ...aligned([head, ...rows]),
      '',
      ...reasons,
      `grade ${quality.grade}: ${quality.reasons.join('; ')}`,
      `wrote ${args.out}`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  },
};
