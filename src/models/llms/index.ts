import {lookup} from '../../sim/core/registry.js';
import {builtinConfigs} from './builtin/index.js';
import {llmFromConfig} from './from-config.js';
import type {Llm} from './llm.js';

export {weightFormat} from './formats.js';
export {llmFromConfig} from './from-config.js';
export {kvBytesPerToken, kvFormat, kvFormatNames} from './kv.js';
export {paramCounts} from './params.js';
export {weightBytes, weightBytesPerDevice, withQuantization} from './weights.js';

/** Names of the built-in models. */
export const llmNames: readonly string[] = Object.keys(builtinConfigs);

/** The built-in model of that name; throws InputError naming those known. */
export function builtinLlm(name: string): Llm {
  const {config, source} = lookup('model', builtinConfigs, name);
  return llmFromConfig(config, name, source);
}
