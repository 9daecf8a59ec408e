import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

/** Path of a worker's program in dist/: beside main.js or above chunks/ when bundled, below the repository's root when run from source. */
export function workerFile(name: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = [join(here, name), join(here, '..', name), join(here, '..', '..', '..', '..', 'dist', name)];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`${name} is missing from dist/: run \`npm run build\``);
  return found;
}
