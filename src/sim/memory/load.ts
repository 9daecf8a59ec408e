import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Eviction} from '../../policies/eviction/eviction.js';
import {ownEviction} from '../../policies/eviction/own.js';
import {InputError} from '../core/errors.js';

/** Runs a program file, path from the current folder, and returns what it exports; another content is another program. Throws InputError with the program's own message when it fails. */
export async function runFile(path: string, sha256: string): Promise<unknown> {
  const url = `${pathToFileURL(resolve(path)).href}?${sha256}`;
  try {
    return await import(/* @vite-ignore */ url);
  } catch (error) {
    throw new InputError(`${path} does not run: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** An eviction policy from a file, with the hash of that. Throws InputError when there is no such file, or no policy in it. */
export async function loadEviction(path: string): Promise<{readonly policy: Eviction; readonly sha256: string}> {
  const content = await readFile(path).catch(() => {
    throw new InputError(`${path} does not exist or cannot be read`);
  });
  const sha256 = createHash('sha256').update(content).digest('hex');
  return {policy: ownEviction(path, await runFile(path, sha256)), sha256};
}
