import type {CommandModule} from 'yargs';

interface DiffArguments {
  before: string;
  after: string;
  json: boolean;
}

/** `tiercast calibrate diff OLD NEW`: which kernels became slower or faster, with what both fits leave open. */
export const diffCommand: CommandModule<object, DiffArguments> = {
  command: 'diff <before> <after>',
  describe: 'Two profiles: which kernels became slower or faster',
  builder: (yargs) =>
    yargs
      .positional('before', {type: 'string', demandOption: true, describe: 'profile, or built-in device'})
      .positional('after', {type: 'string', demandOption: true, describe: 'profile, or built-in device'})
      .option('json', {type: 'boolean', default: false, describe: 'one JSON document on stdout'})
      .example('$0 calibrate diff h100-sxm h200-sxm --json', 'for scripts'),
  handler: async ({before, after, json}) => {
    const {readSubject} = await import('../show/subject.js');
    const {changeOf, changeRows} = await import('../machine/drift.js');
    const {InputError} = await import('../../src/sim/core/errors.js');
    const {aligned} = await import('../text.js');
    const [old, now] = [await readSubject(before), await readSubject(after)];
    const changes = old.fits.flatMap((fit) => {
      const other = now.fits.find(({kernel}) => kernel.name === fit.kernel.name);
      return other === undefined ? [] : [changeOf(fit, other)];
    });
    if (changes.length === 0) throw new InputError(`${before} and ${after} have no fitted kernel in common`);
    process.stdout.write(json ? `${JSON.stringify({before, after, changes}, null, 1)}\n` : `${aligned(changeRows(changes)).join('\n')}\n`);
  },
};
