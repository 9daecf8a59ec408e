import {closeSync, createReadStream, createWriteStream, mkdtempSync, openSync, readFileSync, readSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {constants, createGunzip, gunzipSync} from 'node:zlib';
import {InputError} from '../core/errors.js';
import {readTrace, streamTrace, traceReaders} from './index.js';
import {MAX_LINE} from './lines.js';
import type {Trace} from './trace.js';

/** A trace and the bytes of its file as they lie on the disk, for their hash. */
export interface LoadedTrace {
  readonly trace: Trace;
  readonly bytes: Uint8Array;
}

/** Reads a trace file, packed with gzip or not; `name` is what messages call it. */
export function loadTrace(path: string, name = path, format?: string): LoadedTrace {
  const bytes = readBytes(path, name);
  return {trace: readTrace(gunzip(bytes, name), name, format), bytes};
}

/** Opens a trace file to go through its rows without holding it; a packed one is unpacked into a temporary file until `close`. */
export async function openRows(path: string, name = path, format?: string) {
  const folder = isPacked(path, name) ? mkdtempSync(join(tmpdir(), 'tiercast-trace-')) : null;
  const close = () => folder !== null && rmSync(folder, {recursive: true, force: true});
  try {
    const text = folder === null ? path : await unpacked(path, name, join(folder, 'trace'));
    return {...streamTrace({[Symbol.iterator]: () => pieces(text)}, name, format), close};
  } catch (error) {
    close();
    throw error;
  }
}

async function unpacked(path: string, name: string, into: string): Promise<string> {
  await pipeline(createReadStream(path), createGunzip(), createWriteStream(into)).catch((error: Error) => {
    throw new InputError(`${name} is damaged inside its gzip stream: ${error.message}`);
  });
  return into;
}

function isPacked(path: string, name: string): boolean {
  const head = Buffer.alloc(2);
  const file = opened(path, name);
  try {
    readSync(file, head, 0, 2, 0);
  } finally {
    closeSync(file);
  }
  return head[0] === 0x1f && head[1] === 0x8b;
}

function opened(path: string, name: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** A file in pieces that end where a line ends. */
function* pieces(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    let rest = new Uint8Array(0);
    const buffer = new Uint8Array(PIECE);
    for (;;) {
      const read = readSync(file, buffer, 0, PIECE, null);
      const bytes = new Uint8Array(rest.length + read);
      bytes.set(rest);
      bytes.set(buffer.subarray(0, read), rest.length);
      if (read === 0) {
        if (bytes.length > 0) yield bytes;
        return;
      }
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      if (end === 0 && bytes.length > MAX_LINE) throw new InputError(`${path} has a line of more than ${MAX_LINE} bytes (16 MiB)`);
      if (end > 0) yield bytes.subarray(0, end - 1);
      rest = bytes.slice(end);
    }
  } finally {
    closeSync(file);
  }
}

const PIECE = 2 ** 20;
const NEWLINE = 10;

/** Text of requests packs 3 to 30 times; beyond this it is something else, made to fill the memory. */
const MOST_PACKED = 200;
const ALWAYS_UNPACKED = 2 ** 24;

/** Unpacks gzip, and gives other bytes back as they are. A stream that ends early is an InputError that says how much was whole. */
export function gunzip(bytes: Uint8Array, name: string): Uint8Array {
  if (!(bytes[0] === 0x1f && bytes[1] === 0x8b)) return bytes;
  try {
    return gunzipSync(bytes, {maxOutputLength: Math.max(ALWAYS_UNPACKED, bytes.length * MOST_PACKED)});
  } catch (error) {
    const {code} = error as {code?: string};
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new InputError(`${name} unpacks to more than ${MOST_PACKED} times its size, which no trace does; unpack it first if it is one`);
    if (code !== 'Z_BUF_ERROR') throw new InputError(`${name} is damaged inside its gzip stream: ${(error as Error).message}`);
    const rows = wholeRows(gunzipSync(bytes, {finishFlush: constants.Z_SYNC_FLUSH}));
    throw new InputError(`${name} ends inside the gzip stream, after ${rows.toLocaleString('en-US')} whole rows; nothing was used`);
  }
}

/** Lines that end, without the header of a CSV. */
function wholeRows(text: Uint8Array): number {
  let lines = 0;
  for (const byte of text) if (byte === 10) lines++;
  const head = new TextDecoder().decode(text.subarray(0, Math.max(0, text.indexOf(10))));
  return traceReaders.azure.matches(head) ? lines - 1 : lines;
}

function readBytes(path: string, name: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadable(name, error);
  }
}

function unreadable(name: string, error: unknown): InputError {
  const {code} = error as {code?: string};
  const reason = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : (error as Error).message;
  return new InputError(`${name} cannot be read: ${reason}`);
}
