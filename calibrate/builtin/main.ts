import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {loadTable} from '../load.js';
import {builtinFits, builtinModule} from './generate.js';
import {recipes} from './recipes.js';

/** Writes the modules of the built-in profiles, or of those named, from the kernel tables in `folder`; says which changed. */
export function writeProfiles(folder: string, names: readonly string[]): void {
  for (const recipe of recipes) {
    if (names.length > 0 && !names.includes(recipe.device)) continue;
    const fits = builtinFits(recipe, (path) => loadTable(join(folder, path)));
    const path = join('src/models/devices/profiles', `${recipe.device}.ts`);
    const text = builtinModule(recipe, fits);
    const before = readOr(path);
    writeFileSync(path, text);
    process.stdout.write(`${path}: ${fits.length} kernels, ${text.length} characters${before === text ? ', as before' : ''}\n`);
    for (const {name, json, rows, dropped} of fits) {
      const {mape, bias, interval} = json['error'] as {mape: number; bias: number; interval: readonly number[]};
      const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
      process.stdout.write(
        `  ${name}: ${rows} rows (${dropped} dropped), ${percent(mape)}, bias ${percent(bias)}, ${interval.join('…')}\n`,
      );
    }
  }
}

function readOr(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
