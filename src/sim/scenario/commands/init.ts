import type {CommandModule} from 'yargs';
import {InputError} from '../../core/errors.js';
import {type StarterKind, starterKinds} from '../starters.js';

interface Arguments {
  readonly file: string | undefined;
  readonly for: StarterKind;
  readonly model: string;
  readonly device: string;
  readonly trace: string;
  readonly json: boolean;
}

/** `tiercast init`: a commented scenario to start from, on stdout or into a file with the schema for editors beside it. */
export const initCommand: CommandModule<object, Arguments> = {
  command: 'init [file]',
  describe: 'A commented scenario to start from',
  builder: (yargs) =>
    yargs
      .positional('file', {type: 'string', describe: 'file to write; none prints it'})
      .option('for', {choices: starterKinds, default: 'chat' as const, describe: 'kind of traffic'})
      .option('model', {type: 'string', requiresArg: true, default: 'llama-3.1-8b', describe: 'model of the scenario'})
      .option('device', {type: 'string', requiresArg: true, default: 'h100-sxm', describe: 'device of the scenario'})
      .option('trace', {type: 'string', requiresArg: true, default: './trace.jsonl', describe: 'replay: the recorded requests'})
      .option('json', {type: 'boolean', default: false, describe: 'print one JSON document and nothing else'})
      .example('$0 init', '')
      .example('$0 init --for lengths --model llama-3.1-70b --device h200-sxm', '') as never,
  handler: async ({file, for: kind, model, device, trace, json}) => {
    const {schemaFile, starter} = await import('../starters.js');
    await refuseUnknown(model, device);
    const text = starter(kind, model, device, trace);
    if (file !== undefined) await write(file, text, schemaFile);
    if (json) process.stdout.write(`${JSON.stringify({file: file ?? null, yaml: text}, null, 2)}\n`);
    else if (file === undefined) process.stdout.write(text);
    else process.stderr.write(`wrote ${file}, and ${schemaFile} beside it for completion in editors\nnext: tiercast run ${file}\n`);
  },
};

/** A starter should run as it is, so that a name is looked up before it is written. */
async function refuseUnknown(model: string, device: string): Promise<void> {
  const {isPath} = await import('../resolve/model.js');
  const {builtinLlm} = await import('../../../models/llms/index.js');
  const {builtinDevice} = await import('../../../models/devices/index.js');
  if (!isPath(model)) builtinLlm(model);
  if (!isPath(device)) builtinDevice(device);
}

async function write(file: string, text: string, schemaFile: string): Promise<void> {
  const {writeFile} = await import('node:fs/promises');
  const {dirname, join} = await import('node:path');
  const {jsonSchema} = await import('../schema/json-schema.js');
  const refuse = (error: {code?: string; message: string}): never => {
    throw new InputError(error.code === 'EEXIST' ? `${file} exists; name another file` : `${file} cannot be written: ${error.message}`);
  };
  await writeFile(file, text, {flag: 'wx'}).catch(refuse);
  await writeFile(join(dirname(file), schemaFile), `${JSON.stringify(jsonSchema(), null, 2)}\n`).catch(refuse);
}
