/** How far a figure can be trusted, best first. */
export const grades = ['measured', 'fitted', 'datasheet', 'extrapolated', 'assumed'] as const;
export type Grade = (typeof grades)[number];

/** A figure with where it comes from. `value` is in SI (bytes, B/s, FLOP/s, s, W) unless the field says otherwise. */
export interface Figure<T = number> {
  readonly value: T;
  readonly grade: Grade;
  readonly source: string;
}
