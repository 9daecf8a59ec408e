import {createHash} from 'node:crypto';
import {open, realpath, stat} from 'node:fs/promises';
import {resolve as absolute, dirname, join, sep} from 'node:path';
import {InputError} from '../core/errors.js';
import {runFile} from '../memory/load.js';
import {gunzip} from '../traces/load.js';
import type {Files} from './file/files.js';
import {type LoadOptions, resolveScenario, resolveText} from './resolve/index.js';
import type {Scenario} from './scenario.js';

export type {Change, LoadOptions} from './resolve/index.js';

/** How a scenario is loaded from the disk. */
export interface DiskOptions extends LoadOptions {
  /** Whether policies from files may run; default false. */
  readonly allowCode?: boolean;
}

/** Loads a scenario file from the disk. Throws InputError with every fault, one line each. */
export async function loadScenario(path: string, {allowCode = false, ...options}: DiskOptions = {}): Promise<Scenario> {
  return resolveScenario(slashed(path), allowCode ? {...disk, run: runFile} : disk, options);
}

/** What `plan` and others take when there is no file. */
export interface ScenarioFlags {
  readonly model: string;
  readonly device: string;
  readonly engine?: string | undefined;
  /** One format, or `class=format` pairs with commas: `experts=Q4_K,default=fp8`. */
  readonly quantization?: string | undefined;
  readonly tensor?: number | undefined;
  readonly maxModelLen?: number | undefined;
  /** `memory=capacity` pairs with commas: `dram=64GiB`. */
  readonly memory?: string | undefined;
}

/** Builds a scenario from flags; its traffic is one chat session a second, which a plan does not use. */
export async function scenarioFromFlags(flags: ScenarioFlags, options: LoadOptions = {}): Promise<Scenario> {
  return resolveText(scenarioText(flags), 'flags', disk, {...options, set: options.set ?? []});
}

/** The YAML that `scenarioFromFlags` loads. */
export function scenarioText({model, device, engine = 'vllm', quantization, tensor, maxModelLen, memory}: ScenarioFlags): string {
  const quoted = (text: string) => JSON.stringify(text);
  return [
    'name: flags',
    'model:',
    `  name: ${quoted(model)}`,
    ...(quantization === undefined ? [] : [`  quantization: ${pairs(quantization)}`]),
    'hardware:',
    `  device: ${quoted(device)}`,
    ...(memory === undefined ? [] : [`  memory: ${pairs(memory)}`]),
    'engine:',
    `  preset: ${quoted(engine)}`,
    ...(tensor === undefined ? [] : [`  parallel: {tensor: ${tensor}}`]),
    ...(maxModelLen === undefined ? [] : [`  max_model_len: ${maxModelLen}`]),
    'workload: {kind: chat, arrivals: 1 session/s}',
    '',
  ].join('\n');
}

/** `a=b,c=d` as a YAML map; text without `=` as it is. */
function pairs(text: string): string {
  if (!text.includes('=')) return JSON.stringify(text);
  return `{${text
    .split(',')
    .map((pair) => pair.split('='))
    .map(([name, ...value]) => `${JSON.stringify(name)}: ${JSON.stringify(value.join('='))}`)
    .join(', ')}}`;
}

/** The disk, paths from the current folder. */
export const disk: Files = {
  read: async (path, limit) => {
    const file = await open(path).catch((error: {code?: string; message: string}) => {
      throw new InputError(
        error.code === 'ENOENT' || error.code === 'ENOTDIR' ? `${path} does not exist` : `${path} cannot be read: ${error.message}`,
      );
    });
    try {
      const info = await file.stat();
      if (info.isDirectory()) throw new InputError(`${path} is a folder; a file is wanted`);
      if (limit !== undefined && info.size > limit)
        throw new InputError(`${path} has ${mebibytes(info.size)}; a scenario file has at most ${mebibytes(limit)}`);
      return new Uint8Array(await file.readFile());
    } finally {
      await file.close();
    }
  },
  isFolder: async (path) => (await stat(path).catch(() => null))?.isDirectory() ?? false,
  real: async (path) =>
    slashed(
      await realpath(path).catch(async () =>
        join(await realpath(dirname(absolute(path))).catch(() => dirname(absolute(path))), path.split(/[\\/]/).pop()!),
      ),
    ),
  gunzip,
  run: null,
  sha256: (content) => createHash('sha256').update(content).digest('hex'),
};

function mebibytes(bytes: number): string {
  return `${Number((bytes / 1024 ** 2).toFixed(1))} MiB`;
}

function slashed(path: string): string {
  return sep === '\\' ? path.replaceAll('\\', '/') : path;
}
