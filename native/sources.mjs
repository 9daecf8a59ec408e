// The sources that a platform compiles: every file below src/, so that adding one is adding a file. Printed for binding.gyp, imported by install.mjs.
import {readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

/** The folder that this file lies in. */
export const root = dirname(fileURLToPath(import.meta.url));

/** Kinds of sources by platform, and the folder that does not compile there. */
const kinds = {linux: ['.cc', '.S'], darwin: ['.cc', '.mm']};
const elsewhere = {linux: 'src/metal/', darwin: 'src/cuda/'};

/** Sources of both targets, relative to `root`, in order of name; those with a main of their own are not among them. */
export function sharedSources(platform = process.platform) {
  const wanted = kinds[platform] ?? ['.cc'];
  const here = filesBelow('src').filter((file) => !file.startsWith(elsewhere[platform]));
  return here.filter((file) => wanted.some((end) => file.endsWith(end)) && !['src/main.cc', 'src/addon.cc'].includes(file));
}

/** Headers, and what is included like one. */
export function headers() {
  return filesBelow('src').filter((file) => /\.(h|inc)$/.test(file));
}

function filesBelow(folder) {
  const names = readdirSync(join(root, folder), {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile());
  return names.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)).sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(sharedSources().join(' '));
