import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {InputError} from '../../src/sim/core/errors.js';

/** What `native/install.mjs` exports. */
interface Install {
  readonly build: () => Promise<{readonly bench: string | null; readonly addon: string | null}>;
  readonly built: {readonly bench: string; readonly addon: string};
}

/** The native programs: where they are, and why they are not where they could not be built. */
export interface Native {
  readonly bench: string;
  readonly addon: string;
  readonly missing: {readonly bench: string | null; readonly addon: string | null};
}

/** Builds what is missing or older than its sources, as a machine without calib-bench of its own needs once. */
export async function buildNative(): Promise<Native> {
  const folder = nativeFolder();
  const {build, built} = (await import(pathToFileURL(join(folder, 'install.mjs')).href)) as Install;
  return {...built, missing: await build()};
}

/** The path of calib-bench; throws InputError with what stands in the way. */
export async function benchPath(): Promise<string> {
  const {bench, missing} = await buildNative();
  if (missing.bench !== null)
    throw new InputError(`NATIVE_NOT_BUILT: ${missing.bench}; or measure elsewhere and \`tiercast calibrate import\` the JSON Lines`);
  return bench;
}

/** The package's own native folder: beside the bundle's, or beside the sources'. */
function nativeFolder(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const found = join(folder, 'native');
    if (existsSync(join(found, 'install.mjs'))) return found;
    if (folder === dirname(folder)) throw new InputError('NATIVE_NOT_BUILT: the folder native/ is not part of this installation');
  }
}
