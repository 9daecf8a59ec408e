import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {type MatrixWork, workOf} from '../../src/models/cost/work.js';
import {builtinDevice} from '../../src/models/devices/index.js';
import {builtinLlm, kvFormat, llmFromConfig} from '../../src/models/llms/index.js';
import type {Llm} from '../../src/models/llms/llm.js';
import {InputError} from '../../src/sim/core/errors.js';
import {isPath} from '../../src/sim/scenario/resolve/model.js';

/** The matrix products that every token of a model passes; not the head, which is too wide for most memories to hold copies of. */
export function tokenMatrices(name: string): readonly MatrixWork[] {
  const llm = isPath(name) ? fromFile(name) : builtinLlm(name);
  // Shapes do not depend on the device; any that states a bf16 peak will do.
  return workOf(llm, builtinDevice('epyc-9554'), {tensor: 1, kvFormat: kvFormat('auto', llm), activationType: 'bf16'}).matrices;
}

function fromFile(path: string): Llm {
  try {
    const file = statSync(path).isDirectory() ? join(path, 'config.json') : path;
    return llmFromConfig(JSON.parse(readFileSync(file, 'utf8')), path, path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`--model: ${path} cannot be read: ${(error as Error).message}`);
  }
}
