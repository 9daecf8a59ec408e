import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {build} from 'esbuild';

/** A source file as a module: bundled alone, so that a benchmark measures the code as it is and not as it was built yesterday. */
export async function compiled(source, folder) {
  const outfile = join(folder, `${source.replaceAll('/', '-')}.mjs`);
  await build({entryPoints: [source], bundle: true, format: 'esm', platform: 'node', target: 'node20', outfile, logLevel: 'warning'});
  return await import(pathToFileURL(outfile).href);
}
