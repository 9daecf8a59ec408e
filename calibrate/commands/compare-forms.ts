import type {CommandModule} from 'yargs';
import {InputError} from '../../src/sim/core/errors.js';
import type {FormRow} from '../compare-forms.js';

interface CompareFormsArguments {
  data: string[];
  points: string;
  op: string | undefined;
  device: string | undefined;
  model: string | undefined;
  backend: string | undefined;
  json: boolean;
}

/** `tiercast calibrate compare-forms DATA…`: held-out error of every form of fit on measured kernels. */
export const compareFormsCommand: CommandModule<object, CompareFormsArguments> = {
  command: 'compare-forms <data..>',
  describe: 'Held-out error of every form of fit on kernel tables',
  builder: (yargs) =>
    yargs
      .positional('data', {type: 'string', array: true, demandOption: true, describe: 'kernel tables, packed with gzip or not'})
      .option('points', {type: 'string', default: '20%,400,100', describe: 'how many samples to fit to: numbers or shares'})
      .option('op', {type: 'string', describe: 'only kernels whose name starts with this, e.g. gemm or attn.decode.bf16'})
      .option('device', {type: 'string', describe: 'device measured on: drops rows faster than it can be'})
      .option('model', {type: 'string', describe: 'model that a table of layers profiles'})
      .option('backend', {type: 'string', describe: 'only rows measured with this backend'})
      .option('json', {type: 'boolean', default: false, describe: 'one JSON document on stdout'})
      .example('$0 calibrate compare-forms scenarios/examples/synthetic-gemm.csv --points 100', 'which form predicts best from 100 points')
      .example('$0 calibrate compare-forms scenarios/examples/synthetic-gemm.csv --points 20% --json', 'for scripts'),
  handler: async (args) => {
    const {compareForms, parsePoints} = await import('../compare-forms.js');
    const points = parsePoints(args.points);
    const {samplesByKernel} = await import('../fit-tables.js');
    const {loadTable} = await import('../load.js');
    const {builtinDevice} = await import('../../src/models/devices/index.js');
    const device = args.device === undefined ? null : builtinDevice(args.device);
    const tables = args.data.map((file) => loadTable(file, args.model === undefined ? {} : {model: args.model}));
    const groups = chosen(samplesByKernel(tables, device, args.backend), args.op);
    const rows: FormRow[] = [];
    for (const group of groups) {
      process.stderr.write(`${group.kernel.name}: ${group.samples.length} samples\n`);
      rows.push(...compareForms(group, points, device));
    }
    if (args.json) {
      process.stdout.write(`${JSON.stringify({definition: DEFINITION, rows})}\n`);
      return;
    }
    const {aligned, errorCells} = await import('../text.js');
    const head = ['kernel / form', 'points', 'tested', 'mean %', 'median %', 'p90 %', 'bias %', 'measured/predicted 80 %', 'covered %'];
    const cells = rows.map((row) => [
      `${row.kernel} ${row.form}`,
      row.points,
      String(row.n),
      ...errorCells(row),
      row.coverage === null ? '–' : (100 * row.coverage).toFixed(0),
    ]);
    process.stdout.write(`${aligned([head, ...cells]).join('\n')}\n\n${DEFINITION}\n`);
  },
};

const DEFINITION =
  'Errors are |predicted/measured − 1| over samples that were not fitted to; bias is signed; covered: share within the 80 % interval of the training points.';

type Groups = ReturnType<typeof import('../fit-tables.js').samplesByKernel>;

function chosen(groups: Groups, op: string | undefined): Groups {
  const found = op === undefined ? groups : groups.filter(({kernel}) => kernel.name === op || kernel.name.startsWith(`${op}.`));
  if (found.length > 0) return found;
  throw new InputError(`--op: no kernel is named ${op}; the tables have ${groups.map(({kernel}) => kernel.name).join(', ')}`);
}
