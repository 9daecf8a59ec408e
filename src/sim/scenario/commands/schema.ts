import type {CommandModule} from 'yargs';

/** `tiercast schema`: the JSON Schema of a scenario file, for editors. */
export const schemaCommand: CommandModule<object, {json: boolean}> = {
  command: 'schema',
  describe: 'JSON Schema of a scenario file, for editors',
  builder: (yargs) =>
    yargs
      .option('json', {type: 'boolean', default: true, describe: 'print one JSON document and nothing else'})
      .example('$0 schema > tiercast.schema.json', '') as never,
  handler: async () => {
    const {jsonSchema} = await import('../schema/json-schema.js');
    process.stdout.write(`${JSON.stringify(jsonSchema(), null, 2)}\n`);
  },
};
