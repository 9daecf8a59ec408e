import {buildSync} from 'esbuild';
import {sha256} from '../../reports/load.js';
import type {PageParts} from '../../reports/page/document.js';

/** The parts of a page with its script bundled from the sources as the build does it, so that tests need no build before them. */
export function pageParts(): PageParts {
  const {outputFiles} = buildSync({
    entryPoints: ['reports/page/client/main.ts'],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  });
  return {script: outputFiles[0]!.text.trimEnd(), sha256};
}
