import type {CommandModule} from 'yargs';
import type {Noise} from '../machine/stats.js';

interface MeasureArguments {
  device: string;
  plan: 'tiny' | 'quick' | 'full';
  quick: boolean;
  full: boolean;
  budget: string | undefined;
  model: string | undefined;
  check: string | undefined;
  out: string | undefined;
  lines: string | undefined;
  storage: boolean;
  folder: string | undefined;
  buffered: boolean;
  engine: string | undefined;
  'engine-path': string | undefined;
  quantization: string;
  threads: number;
  validate: boolean;
  seed: number;
  force: boolean;
  json: boolean;
  quiet: boolean;
}

/** Seconds that a plan may take unless --budget says otherwise. */
const budgets = {tiny: 30, quick: 30, full: 180, default: 120} as const;

/** `tiercast calibrate`: measures this machine with native kernels in a child process and writes one profile. */
export const measureCommand: CommandModule<object, MeasureArguments> = {
  command: '$0',
  describe: 'Measure this machine and write its profile',
  builder: (yargs) =>
    yargs
      .option('device', {type: 'string', default: 'cpu', describe: 'what is measured: cpu, cuda:0, metal'})
      .option('quick', {type: 'boolean', default: false, describe: 'few points, half a minute'})
      .option('full', {type: 'boolean', default: false, describe: 'all points, three minutes'})
      .option('plan', {choices: ['tiny', 'quick', 'full'] as const, hidden: true, default: 'full' as const})
      .option('budget', {
        type: 'string',
        requiresArg: true,
        describe: 'time for all of it, e.g. 120s',
        defaultDescription: '120 s; 30 s with --quick, 180 s with --full',
      })
      .option('model', {
        type: 'string',
        requiresArg: true,
        describe: 'also measure the matrices of this model (built-in, folder or config.json)',
      })
      .option('check', {type: 'string', requiresArg: true, describe: 'write nothing: does this profile still say what the machine does?'})
      .option('out', {type: 'string', requiresArg: true, describe: 'profile to write', defaultDescription: './<device>.profile.json'})
      .option('lines', {type: 'string', requiresArg: true, describe: 'also keep every measurement in this file, as JSON Lines'})
      .option('storage', {type: 'boolean', default: true, describe: 'measure the disk below --folder too; --no-storage leaves it out'})
      .option('folder', {
        type: 'string',
        requiresArg: true,
        describe: 'where the disk is measured, in a file without a name',
        defaultDescription: 'the folder for temporary files',
      })
      .option('buffered', {
        type: 'boolean',
        default: false,
        describe: 'measure through the page cache where the disk cannot be read past it',
      })
      .option('engine', {type: 'string', requiresArg: true, describe: "measure this engine's own kernels instead: llama.cpp"})
      .option('engine-path', {type: 'string', requiresArg: true, describe: 'folder that node-llama-cpp is installed in'})
      .option('quantization', {
        type: 'string',
        requiresArg: true,
        default: 'q4_0,q8_0',
        describe: 'formats of the synthetic models, with --engine',
      })
      .option('threads', {type: 'number', default: 0, describe: 'of the engine on a CPU', defaultDescription: 'all'})
      .option('validate', {
        type: 'boolean',
        default: false,
        describe: 'with --engine: predict three larger models, run them, write no profile',
      })
      .option('seed', {type: 'number', default: 1, describe: 'order of the points'})
      .option('force', {type: 'boolean', default: false, describe: 'write a profile of grade D too'})
      .option('json', {type: 'boolean', default: false, describe: 'the profile on stdout, and nothing else'})
      .option('quiet', {alias: 'q', type: 'boolean', default: false, describe: 'no progress'})
      .example('$0 calibrate', 'this machine, in two minutes')
      .example('$0 calibrate --quick --out mine.json', 'in half a minute')
      .example('$0 calibrate --engine llama.cpp', "llama.cpp's own kernels, by node-llama-cpp")
      .example('$0 calibrate --device cuda:0 --model llama-3.1-8b', 'a GPU, at the shapes of a model'),
  handler: async (args) => {
    if (args.engine !== undefined)
      return await (await import('./engine.js')).calibrateEngine({...args, engine: args.engine, enginePath: args['engine-path']});
    const {InputError, GateError, EarlyEnd} = await import('../../src/sim/core/errors.js');
    const plan = args.quick || args.check !== undefined ? 'quick' : args.plan;
    const budget =
      args.budget === undefined
        ? budgets[
            args.quick ? 'quick' : args.full ? 'full' : args.check !== undefined ? 'quick' : args.plan === 'full' ? 'default' : args.plan
          ]
        : await seconds(args.budget);
    const {benchPath} = await import('../machine/native.js');
    const {calibrate} = await import('../machine/calibrate.js');
    const {CalibrationLine} = await import('../machine/progress-line.js');
    const {busyProcesses, processTimes} = await import('../machine/env.js');
    const bench = await benchPath();
    const abort = new AbortController();
    const interrupt = () => abort.abort();
    process.on('SIGINT', interrupt);
    process.on('SIGTERM', interrupt);
    const line = new CalibrationLine(!args.quiet && process.stderr.isTTY === true);
    const [before, began] = [processTimes(), performance.now()];
    try {
      const wanted = {...args, plan, budget, storage: args.storage && args.check === undefined};
      const measured = await calibrate(bench, wanted, abort.signal, (what, progress) => line.draw(what, progress));
      line.clear();
      if (abort.signal.aborted) throw new EarlyEnd('stopped: no profile was written', 130);
      const elapsed = (performance.now() - began) / 1000;
      const busy = busyProcesses(before, processTimes(), elapsed, new Set(['calib-bench', 'node']));
      if (args.check !== undefined) return await check(args.check, measured.runs, args.json);
      const {writeWhole} = await import('../write.js');
      if (args.lines !== undefined) writeWhole(args.lines, measured.text);
      const {machineProfile} = await import('../machine/profile.js');
      const out = args.out ?? `./${args.device.replace(':', '-')}.profile.json`;
      const {profileText, profileId} = await import('../profile.js');
      const made = machineProfile(profileId(out), measured.runs, new Date().toISOString().slice(0, 10));
      const {profileLines} = await import('../machine/text.js');
      if (!args.json) process.stdout.write(`${profileLines(made).join('\n')}\n`);
      if ((made.contended || made.grade === 'D') && !args.force) throw new GateError([rejection(made, busy)]);
      const text = profileText(made.profile);
      writeWhole(out, text);
      if (args.json) process.stdout.write(text);
      const {createHash} = await import('node:crypto');
      const sha = createHash('sha256').update(text).digest('hex').slice(0, 12);
      process.stderr.write(
        `wrote ${out} (sha256 ${sha})   use it: hardware: {device: ${out.startsWith('.') || out.startsWith('/') ? out : `./${out}`}}\n`,
      );
      const left = measured.dropped.length;
      if (left > 0 || measured.runs.some(({ending}) => ending !== 'done'))
        throw new EarlyEnd(
          `partial: ${left > 0 ? `the budget of ${budget} s left out ${left} points; --budget raises it` : 'not every point was measured; the profile lists them'}`,
          5,
        );
    } catch (error) {
      line.clear();
      // A child that was stopped with us may have written half a run, or nothing.
      if (abort.signal.aborted && !(error instanceof EarlyEnd)) throw new EarlyEnd('stopped: no profile was written', 130);
      throw error instanceof Error ? error : new InputError(String(error));
    } finally {
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
    }
  },
};

function rejection(
  {grade, contended, noise}: {grade: string; contended: boolean; noise: Noise},
  busy: readonly {name: string; processors: number}[],
): string {
  const lost = `${(100 * (1 - noise.clean)).toFixed(0)} % of samples lost CPU time, anchors drifted by ${(100 * noise.drift).toFixed(0)} %`;
  const close = busy.slice(0, 3).map(({name, processors}) => `${name} (${processors.toFixed(1)} processors)`);
  return `REJECTED: ${contended ? lost : `grade ${grade}`}.${close.length === 0 ? '' : ` Close: ${close.join(', ')}.`} --force writes it as it is`;
}

async function seconds(text: string): Promise<number> {
  const {quantities} = await import('../../src/sim/core/quantity.js');
  const {InputError} = await import('../../src/sim/core/errors.js');
  const parse = await quantities();
  try {
    const value = parse(text, 'duration');
    if (value > 0) return value;
  } catch {
    // Said below, with the flag's name.
  }
  throw new InputError(`--budget: "${text}" is no duration above 0, e.g. 120s`);
}

async function check(path: string, runs: readonly import('../machine/lines.js').Measurements[], json: boolean): Promise<void> {
  const {GateError} = await import('../../src/sim/core/errors.js');
  const {readSubject} = await import('../show/subject.js');
  const {machineGroups} = await import('../machine/groups.js');
  const {machineFigures} = await import('../machine/figures.js');
  const {changeRows, checkOf} = await import('../machine/drift.js');
  const {aligned} = await import('../text.js');
  const {fits} = await readSubject(path);
  const figures = machineFigures('now', runs[0]);
  const groups = runs.flatMap((run) => machineGroups(run, figures.device));
  const changes = fits.flatMap((fit) => {
    const group = groups.find(({kernel}) => kernel.name === fit.kernel.name);
    return group === undefined ? [] : [checkOf(fit, group)];
  });
  process.stdout.write(json ? `${JSON.stringify({changes}, null, 1)}\n` : `${aligned(changeRows(changes)).join('\n')}\n`);
  const off = changes.filter(({verdict}) => verdict === 'slower' || verdict === 'faster');
  if (off.length > 0)
    throw new GateError([
      `${path} does not say what this machine does now: ${off.map(({kernel, verdict}) => `${kernel} is ${verdict}`).join(', ')}`,
    ]);
}
