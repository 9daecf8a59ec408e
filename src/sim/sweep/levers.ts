/** One point's place on every axis, and the figure that came of it. */
export interface Sample {
  readonly coordinates: readonly number[];
  readonly value: number;
}

/**
 * The share of a figure's spread that each axis explains alone: the variance between the means of its values, over the whole variance
 * (one-way analysis of variance, η²). Figures above 0 are compared by their logarithms, so that ten times better and ten times worse weigh
 * alike. What the axes do together is in none of the shares. Null when nothing varies.
 */
export function shares(samples: readonly Sample[], axes: number): number[] | null {
  const logarithmic = samples.every(({value}) => value > 0);
  const values = samples.map(({value}) => (logarithmic ? Math.log(value) : value));
  const mean = average(values);
  const whole = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  // Rounding of equal figures is no spread.
  if (samples.length < 2 || whole <= 1e-18 * values.length * Math.max(1, mean ** 2)) return null;
  return Array.from({length: axes}, (_, axis) => between(samples, values, axis, mean) / whole);
}

function between(samples: readonly Sample[], values: readonly number[], axis: number, mean: number): number {
  const groups = new Map<number, number[]>();
  samples.forEach(({coordinates}, i) => {
    const group = groups.get(coordinates[axis]) ?? [];
    group.push(values[i]);
    groups.set(coordinates[axis], group);
  });
  return [...groups.values()].reduce((sum, group) => sum + group.length * (average(group) - mean) ** 2, 0);
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
