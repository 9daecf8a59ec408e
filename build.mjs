// Bundles the command line, the library and the page's script into dist/. Run after tsc, which writes the types.
import {chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {build} from 'esbuild';

const PAGE = 'reports/page/client/main.ts';
const shared = {bundle: true, logLevel: 'warning', legalComments: 'none', metafile: true};

const page = existsSync(PAGE)
  ? await build({...shared, entryPoints: [PAGE], minify: true, format: 'iife', target: 'es2022', outfile: 'dist/page.js'})
  : null;
// One chunk for each import() of a command's handler: `--help` loads none of them, and nobody waits for what he does not use.
const node = await build({
  ...shared,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  entryPoints: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    worker: 'src/sim/sweep/executors/worker.ts',
    'run-worker': 'src/sim/scenario/commands/run-worker.ts',
  },
  // It starts its workers from a file of its own, so it stays a package beside the bundle.
  external: ['piscina'],
  splitting: true,
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  // Some bundled packages are CommonJS and call require() for Node's own modules.
  banner: {js: "import {createRequire as __tiercastRequire} from 'node:module'; const require = __tiercastRequire(import.meta.url);"},
});
chmodSync('dist/main.js', 0o755);
removeOldChunks(node.metafile);
writeFileSync('dist/THIRD_PARTY_LICENSES.txt', licenceTexts(bundledPackages([node.metafile, page?.metafile])));

/** Chunks are named by their content, so those of earlier builds would stay for ever. */
function removeOldChunks(metafile) {
  if (!existsSync('dist/chunks')) return;
  for (const name of readdirSync('dist/chunks')) {
    if (!Object.hasOwn(metafile.outputs, `dist/chunks/${name}`)) rmSync(join('dist/chunks', name));
  }
}

/** Folders of the packages whose code went into a bundle, in order of name. */
function bundledPackages(metafiles) {
  const folders = new Set();
  for (const metafile of metafiles) {
    for (const path of Object.keys(metafile?.inputs ?? {})) {
      const match = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path);
      if (match !== null) folders.add(match[0]);
    }
  }
  return [...folders].sort();
}

/** The licences ask that their text goes with the code, bundled or not. */
function licenceTexts(folders) {
  const texts = folders.map((folder) => {
    const {name, version, license, author} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${licenceText(folder) ?? `By ${author?.name ?? author}. The package comes without a text.`}\n`;
  });
  return `tiercast contains code of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** The package's licence file, else what its README says from the heading "License" on, else null. */
function licenceText(folder) {
  const read = (file) => readFileSync(join(folder, file), 'utf8').trim();
  const files = readdirSync(folder);
  const own = files.filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (own.length > 0) return own.map(read).join('\n\n');
  const readme = files.find((file) => /^readme/i.test(file));
  return readme === undefined ? null : (/^.*\blicen[cs]e\b.*\n[-=]+\n[\s\S]*/im.exec(read(readme))?.[0] ?? null);
}
