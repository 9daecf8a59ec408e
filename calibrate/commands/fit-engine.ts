import type {CommandModule} from 'yargs';
import type {MeasuredRun} from '../../src/sim/measured/measured-run.js';

interface FitEngineArguments {
  measured: string[];
  only: string[] | undefined;
  out: string | undefined;
  requests: number;
  json: boolean;
}

/** `tiercast calibrate fit-engine --measured F…`: host times of an engine from serving runs. */
export const fitEngineCommand: CommandModule<object, FitEngineArguments> = {
  command: 'fit-engine',
  describe: 'Host times of an engine from measured serving runs, as an engine profile',
  builder: (yargs) =>
    yargs
      .option('measured', {type: 'string', array: true, demandOption: true, describe: 'files or folders of measured runs'})
      .option('only', {
        type: 'string',
        array: true,
        describe: 'run, or run@stage, by a part of its name; the others are not used, e.g. --only llama-2-7b 70b-tp4-general@8',
      })
      .option('requests', {type: 'number', default: 2000, describe: 'requests of each stage that are simulated'})
      .option('out', {type: 'string', describe: 'profile to write, for engine.profile'})
      .option('json', {type: 'boolean', default: false, describe: 'the profile on stdout and nothing else'})
      .example('$0 calibrate fit-engine --measured scenarios/examples/synthetic-serving.json --out toy.engine.json', 'fit and write')
      .example(
        '$0 calibrate fit-engine --measured scenarios/examples/synthetic-serving.json --only "synthetic@5 req/s" --json',
        'one stage, for scripts',
      ),
  handler: async (args) => {
    const {InputError} = await import('../../src/sim/core/errors.js');
    const {loadMeasured} = await import('../../src/sim/measured/load.js');
    const {fitEngine} = await import('../engine-fit/fit.js');
    const {deploymentOf} = await import('../engine-fit/deployment.js');
    const {engineDocument} = await import('../engine-fit/document.js');
    const {chosenRuns} = await import('../engine-fit/choose.js');
    if (!(args.requests >= 50)) throw new InputError(`--requests: ${args.requests} is too few to see a load; use 50 or more`);
    const runs: MeasuredRun[] = chosenRuns(
      args.measured.flatMap((path) => loadMeasured(path)),
      args.only ?? [],
    );
    const fitRuns = await Promise.all(runs.map(async (run) => ({run, scenario: await deploymentOf(run)})));
    const onProgress = process.stderr.isTTY ? (done: number) => process.stderr.write(`\r${done} simulations`) : undefined;
    const fit = fitEngine(fitRuns, {limit: args.requests, ...(onProgress === undefined ? {} : {onProgress})});
    if (onProgress !== undefined) process.stderr.write('\r\n');
    const document = engineDocument(
      fit,
      runs.map(({id, engine, stages}) => ({id, engine: engine.stated, stages: stages.map(({name}) => name)})),
    );
    if (args.out !== undefined) (await import('../write.js')).writeWhole(args.out, `${JSON.stringify(document, null, 2)}\n`);
    if (args.json) process.stdout.write(`${JSON.stringify(document)}\n`);
    else process.stdout.write(`${(await import('../engine-fit/table.js')).fitLines(document).join('\n')}\n`);
    if (args.out !== undefined)
      process.stderr.write(`wrote ${args.out}   use it:  engine: {preset: ${document.preset}, profile: ${args.out}}\n`);
  },
};
