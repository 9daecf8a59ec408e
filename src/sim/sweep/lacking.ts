import type {Figures} from './figures.js';
import type {Objective} from './study.js';

/** An objective that some good points have no figure for, so that nothing can rank them. */
export interface Lacking {
  readonly objective: string;
  readonly points: number;
}

/** The objectives that figures of good points lack, with how many of them, in the order of the study. */
export function lacking(objectives: readonly Objective[], good: readonly Figures[]): Lacking[] {
  return objectives
    .map(({path}) => ({objective: path, points: good.filter((figures) => (figures[path] ?? null) === null).length}))
    .filter(({points}) => points > 0);
}
