import {createHash} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {PageParts} from './page/document.js';

/** Finds what a page is made of beside the report. Throws when the package was not built. */
export function loadPageParts(): PageParts {
  return {script: readFileSync(pageScriptPath(), 'utf8').trimEnd(), sha256};
}

/** SHA-256 of UTF-8 text, base64, as a Content-Security-Policy wants it. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64');
}

/** `page.js` lies in dist/: beside main.js or above chunks/ when bundled, below the repository's root when run from source. */
function pageScriptPath(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const places = [join(here, 'page.js'), join(here, '..', 'page.js'), join(here, '..', 'dist', 'page.js')];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error('page.js, the script of the report page, is missing from dist/: run `npm run build`');
  return found;
}
