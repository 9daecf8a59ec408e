import {InputError} from '../../src/sim/core/errors.js';
import type {MeasuredRun} from '../../src/sim/measured/measured-run.js';

/**
 * The runs, and stages of runs, that the words name; all when there are none. A word is part of a run's id, or `run@stage` with the beginning of a stage's name.
 *
 * Throws InputError when a word names nothing.
 */
export function chosenRuns(runs: readonly MeasuredRun[], words: readonly string[]): MeasuredRun[] {
  if (words.length === 0) return [...runs];
  const chosen = runs.map((run) => ({run, stages: new Set<number>()}));
  for (const word of words) {
    const [name, stage = ''] = word.split('@');
    let found = false;
    for (const {run, stages} of chosen) {
      if (!run.id.includes(name)) continue;
      run.stages.forEach((one, i) => {
        if (!one.name.startsWith(stage)) return;
        stages.add(i);
        found = true;
      });
    }
    if (!found) {
      const known = runs.map(({id, stages}) => `${id} (${stages.map(({name: one}) => one).join(', ')})`);
      throw new InputError(`--only: "${word}" names no run; known: ${known.join('; ')}`);
    }
  }
  return chosen
    .filter(({stages}) => stages.size > 0)
    .map(({run, stages}) => ({...run, stages: run.stages.filter((_, i) => stages.has(i))}));
}
