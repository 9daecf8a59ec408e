// Bundles the command line, the library and the page's script into dist/. Run after tsc, which writes the types.
import {chmodSync, existsSync} from 'node:fs';
import {build} from 'esbuild';

const shared = {bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'warning', legalComments: 'none'};

if (existsSync('reports/page/client/main.ts')) {
  await build({
    entryPoints: ['reports/page/client/main.ts'],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    outfile: 'dist/page.js',
    logLevel: 'warning',
  });
}
await build({
  ...shared,
  entryPoints: {main: 'src/main.ts', index: 'src/index.ts'},
  splitting: true,
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  banner: {js: "import {createRequire as __tiercastRequire} from 'node:module'; const require = __tiercastRequire(import.meta.url);"},
});
chmodSync('dist/main.js', 0o755);
