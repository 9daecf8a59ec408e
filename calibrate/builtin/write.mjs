// Fits the built-in profiles: node calibrate/builtin/write.mjs FOLDER-OF-KERNEL-TABLES [DEVICE…]
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {build} from 'esbuild';

const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('name the folder of kernel tables: npm run profiles -- FOLDER [DEVICE…]\n');
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'tiercast-profiles-'));
try {
  const outfile = join(scratch, 'main.mjs');
  await build({
    entryPoints: ['calibrate/builtin/main.ts'],
    bundle: true,
    outfile,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    // Some bundled packages are CommonJS and call require() for Node's own modules.
    banner: {js: `import {createRequire as own} from 'node:module'; const require = own(${JSON.stringify(import.meta.url)});`},
  });
  const {writeProfiles} = await import(pathToFileURL(outfile).href);
  writeProfiles(folder, names);
} finally {
  rmSync(scratch, {recursive: true});
}
