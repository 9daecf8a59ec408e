import {renameSync, writeFileSync} from 'node:fs';
import {InputError} from '../src/sim/core/errors.js';

/** Writes a file beside its place and renames it when whole. Throws InputError when the folder cannot be written. */
export function writeWhole(path: string, text: string): void {
  try {
    writeFileSync(`${path}.tmp`, text);
    renameSync(`${path}.tmp`, path);
  } catch (error) {
    throw new InputError(`${path} cannot be written: ${(error as Error).message}`);
  }
}
