/** What a search may ask of a study. */
export interface SearchSpace {
  /** Points of the grid are 0 … size − 1. */
  readonly size: number;
  /** How many points the study asks for; null: it does not say. */
  readonly points: number | null;
  readonly seed: number;
}

/** How points are chosen: called once before anything runs. A search that learns from results will get them as a second argument. */
export interface Search {
  /** Distinct points of the grid, in ascending order. Throws InputError when the study asks for more than can be held. */
  choose(space: SearchSpace): readonly number[];
}
