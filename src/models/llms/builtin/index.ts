import type {BuiltinConfig} from './builtin.js';
import {deepseeks} from './deepseek.js';
import {gemmas} from './gemma.js';
import {gptOsses} from './gpt-oss.js';
import {llamas} from './llama.js';
import {mistrals} from './mistral.js';
import {opts} from './opt.js';
import {phis} from './phi.js';
import {qwens} from './qwen.js';

/** Every built-in model by the name that scenario files use; a family's file adds its sizes. */
export const builtinConfigs: Readonly<Record<string, BuiltinConfig>> = {
  ...llamas,
  ...qwens,
  ...mistrals,
  ...deepseeks,
  ...gptOsses,
  ...gemmas,
  ...phis,
  ...opts,
};
