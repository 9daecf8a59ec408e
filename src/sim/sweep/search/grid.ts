import {InputError} from '../../core/errors.js';
import type {Search} from './search.js';

const most = 100_000;

/** All points. */
export const grid: Search = {
  choose({size, points}) {
    if (points !== null) throw new InputError('points: a grid has all of them; {method: random, points: N} draws some');
    if (size > most) throw new InputError(`the grid has ${size} points; at most ${most} are run: {method: random, points: N} draws some`);
    return Array.from({length: size}, (_, point) => point);
  },
};
