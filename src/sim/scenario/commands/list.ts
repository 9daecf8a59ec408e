import type {CommandModule} from 'yargs';

/** What `list` knows. */
export const listed = ['models', 'devices', 'parts', 'engines', 'policies', 'traces', 'metrics'] as const;

/** Options of `list` as typed. */
export interface ListArguments {
  readonly what: string;
  readonly match: string | undefined;
  readonly json: boolean;
}

/** `tiercast list`: the names that scenario files may use, and what stands behind them. */
export const listCommand: CommandModule<object, ListArguments> = {
  command: 'list <what>',
  describe: 'Names that scenarios may use',
  builder: (yargs) =>
    yargs
      .positional('what', {type: 'string', demandOption: true, describe: listed.join(', ')})
      .option('match', {type: 'string', requiresArg: true, describe: 'only rows that contain this text'})
      .option('json', {type: 'boolean', default: false, describe: 'print one JSON document and nothing else'})
      .example('$0 list models --match qwen3', '')
      .example('$0 list devices', '')
      .example('$0 list metrics --json', '') as never,
  handler: async (args) => {
    const {listText} = await import('./lists.js');
    process.stdout.write(listText(args));
  },
};
