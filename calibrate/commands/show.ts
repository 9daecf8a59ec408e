import {join} from 'node:path';
import type {CommandModule} from 'yargs';

interface ShowArguments {
  subject: string;
  data: string[] | undefined;
  model: string | undefined;
  tensor: number | undefined;
  backend: string | undefined;
  out: string | undefined;
  report: boolean;
  json: boolean;
}

const folderKind = {
  main: 'calibration.json',
  schema: 'tiercast.calibration/',
  files: ['calibration.json', 'calibration.html'],
} as const;

/** `tiercast calibrate show PROFILE|DEVICE`: what a profile knows and how well, as a table and a page. */
export const showCommand: CommandModule<object, ShowArguments> = {
  command: 'show <subject>',
  describe: 'What a profile or built-in device knows, and how well: table and page',
  builder: (yargs) =>
    yargs
      .positional('subject', {type: 'string', demandOption: true, describe: 'profile (JSON or YAML) or built-in device'})
      .option('data', {type: 'string', array: true, requiresArg: true, describe: 'kernel tables to compare it with'})
      .option('model', {type: 'string', describe: 'model that a table of layers profiles [from the folders above it]'})
      .option('tensor', {type: 'number', describe: 'devices that its layers were split over [from the folder tpN]'})
      .option('backend', {type: 'string', describe: 'only rows measured with this backend'})
      .option('out', {
        type: 'string',
        requiresArg: true,
        describe: 'folder to write',
        defaultDescription: './tiercast-out/<id>.calibration',
      })
      .option('report', {type: 'boolean', default: true, describe: 'write files; --no-report prints only'})
      .option('json', {type: 'boolean', default: false, describe: 'one JSON document on stdout'})
      .example('$0 calibrate show h100-sxm', 'table, and tiercast-out/h100-sxm.calibration/calibration.html')
      .example('$0 calibrate show h100-sxm --data scenarios/examples/synthetic-gemm.csv', 'with measured points beside it')
      .example('$0 calibrate show mi300x --no-report --json', 'for scripts'),
  handler: async (args) => {
    const {readSubject} = await import('../show/subject.js');
    const {calibrationDocument} = await import('../show/document.js');
    const {canonicalJson} = await import('../../src/sim/scenario/canonical.js');
    const {folderName, refuseForeign, writeResult} = await import('../../src/sim/scenario/commands/result-folder.js');
    const subject = await readSubject(args.subject);
    const out = args.out ?? join('tiercast-out', `${folderName(subject.device.id)}.calibration`);
    if (args.report) refuseForeign(out, folderKind);
    const document = calibrationDocument(subject, args.data === undefined ? null : await tablesOf(args, args.data, subject));
    if (args.report) {
      const {renderCalibration} = await import('../../reports/calibration/index.js');
      const {loadPageParts} = await import('../../reports/load.js');
      const files = [
        {name: 'calibration.json', text: [canonicalJson(document)]},
        {name: 'calibration.html', text: [renderCalibration(document, loadPageParts())]},
      ];
      await writeResult(out, files, folderKind);
    }
    if (args.json) process.stdout.write(canonicalJson(document));
    else process.stdout.write(`${(await import('../show/lines.js')).calibrationLines(document).join('\n')}\n`);
    if (args.report) process.stderr.write(`wrote ${join(out, 'calibration.html')}\n`);
  },
};

async function tablesOf(
  {model, tensor, backend}: ShowArguments,
  files: readonly string[],
  subject: Parameters<typeof import('../show/measured.js').measuredKernels>[1],
) {
  const {InputError} = await import('../../src/sim/core/errors.js');
  if (tensor !== undefined && !(Number.isInteger(tensor) && tensor >= 1))
    throw new InputError(`--tensor: ${tensor} is no whole number ≥ 1`);
  const {loadTable} = await import('../load.js');
  const {samplesByKernel} = await import('../fit-tables.js');
  const {measuredKernels} = await import('../show/measured.js');
  const hints = {...(model === undefined ? {} : {model}), ...(tensor === undefined ? {} : {tensor})};
  const groups = samplesByKernel(
    files.map((file) => loadTable(file, hints)),
    subject.device,
    backend,
  );
  const kernels = measuredKernels(groups, subject, (name) => process.stderr.write(`${name}: cross-validating\n`));
  return {files, groups, kernels};
}
