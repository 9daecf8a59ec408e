import {grid} from './grid.js';
import {random} from './random.js';
import type {Search} from './search.js';

/** Every search by the name that `study.search` uses. */
export const searches = {grid, random} as const satisfies Record<string, Search>;
export type SearchName = keyof typeof searches;
