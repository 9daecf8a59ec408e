import type {CommandModule} from 'yargs';

interface Arguments {
  readonly key: string | undefined;
  readonly json: boolean;
}

/** `tiercast explain`: type, unit, default and allowed names of a key. */
export const explainCommand: CommandModule<object, Arguments> = {
  command: 'explain [key]',
  describe: 'Type, unit, default, allowed names of one key',
  builder: (yargs) =>
    yargs
      .positional('key', {type: 'string', describe: 'path of a key; none lists all'})
      .option('json', {type: 'boolean', default: false, describe: 'print one JSON document and nothing else'})
      .example('$0 explain kv.tiers.dram.write', '')
      .example('$0 explain workload.arrivals', '')
      .example('$0 explain scheduler.max_num_seqs --json', '') as never,
  handler: async ({key = '', json}) => {
    const {explain, explanationText} = await import('../schema/explain.js');
    const explanation = explain(key);
    process.stdout.write(`${json ? JSON.stringify(explanation, null, 2) : explanationText(explanation)}\n`);
  },
};
