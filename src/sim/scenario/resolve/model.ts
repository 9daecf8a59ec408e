import {builtinLlm, kvFormat, kvFormatNames, llmFromConfig, withQuantization} from '../../../models/llms/index.js';
import type {Llm, TensorClass, WeightFormat} from '../../../models/llms/llm.js';
import {InputError} from '../../core/errors.js';
import {folderOf, joined, stemOf} from '../file/paths.js';
import type {Draft} from './draft.js';

/** Whether a name is a path to a file or folder, not a built-in name. */
export function isPath(name: string): boolean {
  return name.startsWith('.') || name.includes('/') || /\.(json|ya?ml|gguf)$/i.test(name);
}

/** The shape of the model with the quantization that the scenario asks for; undefined when something is wrong with it. */
export async function resolveModel(draft: Draft): Promise<Llm | undefined> {
  const name = draft.get<string>('model.name');
  if (name === undefined) return undefined;
  if (/\.gguf$/i.test(name)) {
    draft.notSimulated('model.name');
    return undefined;
  }
  const llm = await draft.tryAsync('model.name', async () => (isPath(name) ? readModel(draft, name) : builtinLlm(name)));
  const quantization = draft.get<Partial<Record<TensorClass | 'default', string>>>('model.quantization');
  if (llm === undefined || quantization === undefined) return llm;
  const named = Object.fromEntries(Object.entries(quantization).filter(([, format]) => format !== undefined));
  return draft.try('model.quantization', () => withQuantization(llm, named));
}

async function readModel(draft: Draft, written: string): Promise<Llm> {
  const path = draft.resolvePath('model.name', written);
  const isFolder = await draft.files.isFolder(path);
  const file = isFolder ? joined(path, 'config.json') : path;
  const name = isFolder || stemOf(file) === 'config' ? (isFolder ? path : folderOf(file)).split('/').pop() || stemOf(file) : stemOf(file);
  let config: unknown;
  try {
    config = JSON.parse(new TextDecoder().decode(await draft.readFile(file)));
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${file} is not JSON: ${(error as Error).message}`);
  }
  return llmFromConfig(config, name, written);
}

/** The format of cached keys and values; undefined for one that is known for later. */
export function resolveKvFormat(draft: Draft, llm: Llm): WeightFormat | undefined {
  if (!draft.isWritten('kv.dtype')) draft.default('kv.dtype', 'auto');
  const name = draft.get<string>('kv.dtype');
  return name === undefined || !kvFormatNames.includes(name) ? undefined : draft.try('kv.dtype', () => kvFormat(name, llm));
}
