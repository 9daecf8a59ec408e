import {existsSync, readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';

const folder = '../shared/data';

/** Why a test on recorded data cannot run, or null when the data lie beside the repository. */
export const noSharedData = existsSync(folder) ? null : `${folder} is not there`;

/** A recorded file, unpacked. */
export function sharedData(path: string): Uint8Array {
  const bytes = readFileSync(`${folder}/${path}`);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}
