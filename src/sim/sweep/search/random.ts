import {InputError} from '../../core/errors.js';
import {stream} from '../../core/random.js';
import type {Search} from './search.js';

const most = 100_000;

/** Points drawn evenly from the grid without repetition; the same seed draws the same points. */
export const random: Search = {
  choose({size, points, seed}) {
    if (points === null) throw new InputError('random needs a number of points, e.g. {method: random, points: 100}');
    if (points > most) throw new InputError(`points: ${points} are too many; at most ${most} are run`);
    const wanted = Math.min(points, size);
    const draw = stream(seed, 'sweep/random');
    // Floyd's sampling (Bentley and Floyd, CACM 1987): one draw a point, whatever the size of the grid.
    const chosen = new Set<number>();
    for (let last = size - wanted; last < size; last++) {
      const drawn = Math.floor(draw() * (last + 1));
      chosen.add(chosen.has(drawn) ? last : drawn);
    }
    return [...chosen].sort((a, b) => a - b);
  },
};
