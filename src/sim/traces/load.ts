import {readFileSync} from 'node:fs';
import {constants, gunzipSync} from 'node:zlib';
import {InputError} from '../core/errors.js';
import {readTrace, traceReaders} from './index.js';
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
    const {code} = error as {code?: string};
    const reason = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : (error as Error).message;
    throw new InputError(`${name} cannot be read: ${reason}`);
  }
}
