import {createHash} from 'node:crypto';
import {InputError} from '../../src/sim/core/errors.js';
import type {Files} from '../../src/sim/scenario/file/files.js';
import {joined} from '../../src/sim/scenario/file/paths.js';
import {gunzip} from '../../src/sim/traces/load.js';

/** The folder that the tests' paths count from. */
const here = '/home/user/project/work';

/** Files that stand in memory, by their path from the current folder. */
export function memoryFiles(contents: Readonly<Record<string, string | Uint8Array>>): Files {
  const bytes = (path: string): Uint8Array | undefined => {
    const content = Object.hasOwn(contents, path) ? contents[path] : undefined;
    return typeof content === 'string' ? new TextEncoder().encode(content) : content;
  };
  return {
    read: async (path, limit) => {
      const found = bytes(path);
      if (found === undefined) throw new InputError(`${path} does not exist`);
      if (limit !== undefined && found.length > limit) throw new InputError(`${path} is too large`);
      return found;
    },
    isFolder: async (path) => Object.keys(contents).some((name) => name.startsWith(`${path}/`)),
    real: async (path) => joined(here, path),
    gunzip,
    run: null,
    sha256: (content) => createHash('sha256').update(content).digest('hex'),
  };
}
