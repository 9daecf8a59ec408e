import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Eviction} from '../../policies/eviction/eviction.js';
import {ownEviction} from '../../policies/eviction/own.js';
import {InputError} from '../core/errors.js';

/** Seconds in which a program file has to be loaded. */
const LOADING_S = 10;

/** Runs a program file, path from the current folder, and returns what it exports; another content is another program. Throws InputError with the program's own message when it fails, or never ends. */
export async function runFile(path: string, sha256: string): Promise<unknown> {
  const url = `${pathToFileURL(resolve(path)).href}?${sha256}`;
  let clock: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, refuse) => {
    clock = setTimeout(() => refuse(new Error(`it waits for something that has not come in ${LOADING_S} s`)), LOADING_S * 1000);
  });
  try {
    return await Promise.race([import(/* @vite-ignore */ url), late]);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new InputError(`${path} does not run: ${said.replace(/\s+/g, ' ')}`);
  } finally {
    clearTimeout(clock);
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
