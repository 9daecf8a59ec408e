import type {CommandModule} from 'yargs';
import {allowCode} from './allow-code.js';

/** Options of `plan` as typed. */
export interface PlanArguments {
  readonly scenario: string | undefined;
  readonly model: string | undefined;
  readonly device: string | undefined;
  readonly engine: string | undefined;
  readonly quantization: string | undefined;
  readonly tensor: number | undefined;
  readonly memory: string | undefined;
  readonly context: number | undefined;
  readonly set: readonly string[];
  readonly json: boolean;
  readonly allowCode: boolean;
}

/** `tiercast plan`: does it fit, what lies where, the largest context and batch. */
export const planCommand: CommandModule<object, PlanArguments> = {
  command: 'plan [scenario]',
  describe: 'Does it fit, what lies where, the largest context',
  builder: (yargs) =>
    yargs
      .positional('scenario', {type: 'string', describe: 'a scenario file; without one, --model and --device'})
      .option('model', {type: 'string', requiresArg: true, describe: 'built-in name or config.json'})
      .option('device', {type: 'string', requiresArg: true, describe: 'built-in name or profile file'})
      .option('engine', {type: 'string', requiresArg: true, describe: 'vllm, sglang, llama.cpp or ideal', defaultDescription: 'vllm'})
      .option('quantization', {type: 'string', requiresArg: true, describe: 'weight format, or by class: experts=IQ2_XXS,default=Q4_K'})
      .option('tensor', {
        alias: 'count',
        type: 'number',
        requiresArg: true,
        describe: 'devices that share the model',
        defaultDescription: '1',
      })
      .option('memory', {type: 'string', requiresArg: true, describe: 'capacities of the host: dram=512GiB'})
      .option('context', {
        type: 'number',
        requiresArg: true,
        describe: 'longest prompt and output in tokens',
        defaultDescription: "the model's",
      })
      .option('set', {
        type: 'string',
        requiresArg: true,
        default: [],
        defaultDescription: 'none',
        coerce: (values: string | readonly string[]) => [values].flat(),
        describe: 'change one key: PATH=VALUE (repeat; null removes)',
      })
      .option('allow-code', allowCode)
      .option('json', {type: 'boolean', default: false, describe: 'print one JSON document and nothing else'})
      .example('$0 plan scenarios/examples/h100-chat.yaml', '')
      .example('$0 plan --model llama-3.1-8b --device rtx-4090 --context 32768', '')
      .example('$0 plan --model llama-3.1-70b --device h100-sxm --tensor 4 --quantization fp8', '') as never,
  handler: async (args) => {
    const {printPlan} = await import('./print-plan.js');
    await printPlan(
      args,
      (text) => process.stdout.write(text),
      (text) => process.stderr.write(text),
    );
  },
};
