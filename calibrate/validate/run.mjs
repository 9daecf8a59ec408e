// Compares predictions with recorded measurements: npm run validate -- --help
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {build} from 'esbuild';

const scratch = mkdtempSync(join(tmpdir(), 'tiercast-validate-'));
try {
  const outfile = join(scratch, 'main.mjs');
  await build({
    entryPoints: ['calibrate/validate/main.ts'],
    bundle: true,
    outfile,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    // Some bundled packages are CommonJS and call require() for Node's own modules.
    banner: {
      js: `import {createRequire as __tiercastRequire} from 'node:module'; const require = __tiercastRequire(${JSON.stringify(import.meta.url)});`,
    },
  });
  const {main} = await import(pathToFileURL(outfile).href);
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error.name === 'InputError' ? error.message : error.stack}\n`);
  process.exitCode = error.name === 'InputError' ? 2 : 1;
} finally {
  rmSync(scratch, {recursive: true});
}
