import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, extname} from 'node:path';
import {expect} from 'vitest';

/**
 * Compares `text` with the golden file below test/golden. A difference fails and leaves what was drawn beside it, as name-changed.ext:
 * look at both, and rename it when the change is wanted.
 */
export function expectGolden(name: string, text: string): void {
  const path = `test/golden/${name}`;
  const changed = path.replace(/(\.\w+)$/, `-changed${extname(path)}`);
  const golden = existsSync(path) ? readFileSync(path, 'utf8') : null;
  if (golden === text) {
    rmSync(changed, {force: true});
    return;
  }
  mkdirSync(dirname(changed), {recursive: true});
  writeFileSync(changed, text);
  expect(text, `${path} ${golden === null ? 'does not exist' : 'differs'}; ${changed} is what was drawn`).toBe(golden);
}
