import {closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync} from 'node:fs';
import type {Store, Stored} from './store.js';

/** Opens a file with one result a line. A half-written last line, left by a process that was killed, is cut off; a line that is none is passed over. */
export function jsonlStore(path: string): Store {
  const results = new Map(existsSync(path) ? read(path) : []);
  const file = openSync(path, 'a');
  return {
    get: (key) => results.get(key) ?? null,
    put(key, result) {
      results.set(key, result);
      // One write of one line, so that a reader or a crash meets a whole line or the beginning of one.
      writeSync(file, `${JSON.stringify({key, ...result})}\n`);
    },
    close() {
      fsyncSync(file);
      closeSync(file);
    },
  };
}

function read(path: string): [string, Stored][] {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(path, end);
  return bytes.toString('utf8', 0, end).split('\n').flatMap(entry);
}

function entry(line: string): [string, Stored][] {
  try {
    const {key, ...result} = JSON.parse(line) as {key?: unknown} & Partial<Stored>;
    return typeof key === 'string' && isWhole(result) ? [[key, result]] : [];
  } catch {
    return [];
  }
}

function isWhole(result: Partial<Stored>): result is Stored {
  const {kind, figures, events, replications} = result;
  return kind === 'done' && isMap(figures) && typeof events === 'string' && isMap(replications);
}

function isMap(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
