import type {CommandModule} from 'yargs';

/** `tiercast calibrate doctor`: what can be measured here, and what stands in the way of the rest. */
export const doctorCommand: CommandModule<object, {json: boolean}> = {
  command: 'doctor',
  describe: 'What can be measured here, and what stands in the way of the rest',
  builder: (yargs) =>
    yargs
      .option('json', {type: 'boolean', default: false, describe: 'one JSON document on stdout'})
      .example('$0 calibrate doctor', 'before measuring'),
  handler: async ({json}) => {
    const {buildNative} = await import('../machine/native.js');
    const {diagnose} = await import('../machine/doctor.js');
    const rows = diagnose(await buildNative());
    const width = Math.max(...rows.map(({part}) => part.length));
    const lines = rows.map(({part, ok, text}) => `${part.padEnd(width)}  ${ok ? 'ok ' : 'no '}  ${text}\n`);
    process.stdout.write(json ? `${JSON.stringify({checks: rows}, null, 1)}\n` : lines.join(''));
  },
};
