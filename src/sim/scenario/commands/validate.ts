import type {CommandModule} from 'yargs';
import {InputError} from '../../core/errors.js';
import {allowCode} from './allow-code.js';

interface Arguments {
  readonly scenario: readonly string[];
  readonly set: readonly string[];
  readonly resolved: boolean;
  readonly strict: boolean;
  readonly json: boolean;
  readonly allowCode: boolean;
}

/** `tiercast validate`: checks scenario files and everything that they name, and runs nothing. */
export const validateCommand: CommandModule<object, Arguments> = {
  command: 'validate <scenario..>',
  describe: 'Check scenario files only',
  builder: (yargs) =>
    yargs
      .positional('scenario', {type: 'string', array: true, demandOption: true, describe: 'scenario files'})
      .option('set', {
        type: 'string',
        requiresArg: true,
        default: [],
        defaultDescription: 'none',
        coerce: (values: string | readonly string[]) => [values].flat(),
        describe: 'change one key: PATH=VALUE (repeat; null removes)',
      })
      .option('resolved', {type: 'boolean', default: false, describe: 'print the scenario in long form, defaults filled in'})
      .option('strict', {type: 'boolean', default: false, describe: 'warnings are errors'})
      .option('allow-code', allowCode)
      .option('json', {type: 'boolean', default: false, describe: 'print one JSON document and nothing else'})
      .example('$0 validate scenarios/examples/h100-chat.yaml', '')
      .example('$0 validate scenarios/examples/h100-chat.yaml --resolved --set slo.ttft="1 s"', '') as never,
  handler: async (args) => {
    const {loadScenario} = await import('../load.js');
    const results: object[] = [];
    const faults: string[] = [];
    for (const path of args.scenario) {
      const result = await validate(path);
      results.push(result.document);
      faults.push(...result.faults);
      if (args.json) continue;
      for (const warning of result.warnings) process.stderr.write(`warning  ${path} ${warning}\n`);
      if (result.text !== '') process.stdout.write(result.text);
    }
    if (args.json) process.stdout.write(`${JSON.stringify({valid: faults.length === 0, scenarios: results}, null, 2)}\n`);
    if (faults.length > 0) throw new InputError(faults);

    async function validate(path: string) {
      try {
        const scenario = await loadScenario(path, {set: args.set, allowCode: args.allowCode});
        const warnings = scenario.warnings.map((warning) => `${warning.path}: ${warning.text}`);
        const strict = args.strict ? warnings.map((warning) => `${path} ${warning}`) : [];
        const document = {path, valid: strict.length === 0, faults: strict, warnings: scenario.warnings, sha256: scenario.sha256};
        return {
          document: args.resolved ? {...document, scenario: scenario.resolved, assumptions: scenario.assumptions} : document,
          faults: strict,
          warnings: args.strict ? [] : warnings,
          text: strict.length > 0 ? '' : args.resolved ? scenario.yaml : `${path} is valid\n`,
        };
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        return {document: {path, valid: false, faults: error.faults, warnings: []}, faults: error.faults, warnings: [], text: ''};
      }
    }
  },
};
