import {readFileSync} from 'node:fs';
import {InputError} from '../../src/sim/core/errors.js';
import {profileId, profileText} from '../profile.js';
import {writeWhole} from '../write.js';
import {readMeasurements} from './lines.js';
import {machineProfile} from './profile.js';
import {profileLines} from './text.js';

/** Whether a file is lines of calib-bench, by its ending. */
export function isJsonLines(path: string): boolean {
  return path.endsWith('.jsonl');
}

/** Makes a profile of calib-bench's lines, measured elsewhere. Throws InputError when a run's end is missing and that was not allowed. */
export function importLines({files, out, partial, json}: {files: readonly string[]; out: string; partial: boolean; json: boolean}): void {
  const odd = files.find((file) => !isJsonLines(file));
  if (odd !== undefined) throw new InputError(`${odd} is no .jsonl: lines of calib-bench and kernel tables are imported apart`);
  const runs = files.flatMap((file) => {
    const found = readMeasurements(textOf(file), file);
    const cut = found.find(({ending}) => ending === null);
    if (cut !== undefined && !partial)
      throw new InputError(`${file}: the run on ${cut.device} has no end, so points are missing; --partial takes it as it is`);
    return found;
  });
  const made = machineProfile(profileId(out), runs, 'imported');
  const text = profileText(made.profile);
  writeWhole(out, text);
  process.stdout.write(json ? text : `${profileLines(made).join('\n')}\nwrote ${out}\n`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const absent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new InputError(`${path} cannot be read: ${absent ? 'there is no such file' : (error as Error).message}`);
  }
}
