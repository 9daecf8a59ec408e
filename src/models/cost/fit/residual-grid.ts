/** Logarithms of measured/predicted on a regular grid in log2 of the coordinates, row-major (the last axis runs fastest). */
export interface ResidualGrid {
  readonly axes: readonly {readonly name: string; readonly knots: readonly number[]}[];
  readonly log: readonly number[];
  /** Cells without a measurement near them, filled from the others. */
  readonly filled: readonly number[];
}

/** Points that the grid is fitted to: `points[i]` holds the coordinates of residual `values[i]`. */
export interface Scattered {
  readonly points: readonly (readonly number[])[];
  readonly values: ArrayLike<number>;
}

/** Reads a grid: multilinear in log2, clamped at the edges. */
export class GridReader {
  readonly #knots: readonly Float64Array[];
  readonly #strides: readonly number[];
  readonly #log: Float64Array;
  /** Corners of the cell of the point placed last, and their weights. */
  readonly corners: Int32Array;
  readonly weights: Float64Array;

  constructor({axes, log}: Pick<ResidualGrid, 'axes' | 'log'>) {
    this.#knots = axes.map(({knots}) => Float64Array.from(knots, Math.log2));
    this.#strides = axes.map((_, d) => axes.slice(d + 1).reduce((product, {knots}) => product * knots.length, 1));
    this.#log = Float64Array.from(log);
    this.corners = new Int32Array(2 ** axes.length);
    this.weights = new Float64Array(2 ** axes.length);
  }

  /** Finds the cell of a point and returns how many corners it has: an axis with one knot, or a point on a knot, halves them. */
  place(point: ArrayLike<number>): number {
    const {corners, weights} = this;
    corners[0] = 0;
    weights[0] = 1;
    let count = 1;
    for (let d = 0; d < this.#knots.length; d++) {
      const knots = this.#knots[d];
      const x = Math.log2(point[d]);
      let below = 0;
      while (below < knots.length - 1 && knots[below + 1] <= x) below++;
      const stride = this.#strides[d];
      const last = below === knots.length - 1;
      const share = last ? 0 : Math.max(0, (x - knots[below]) / (knots[below + 1] - knots[below]));
      for (let i = 0; i < count; i++) corners[i] += below * stride;
      if (share === 0) continue;
      for (let i = 0; i < count; i++) {
        corners[count + i] = corners[i] + stride;
        weights[count + i] = weights[i] * share;
        weights[i] *= 1 - share;
      }
      count *= 2;
    }
    return count;
  }

  /** The residual at a point. */
  at(point: ArrayLike<number>): number {
    const count = this.place(point);
    let sum = 0;
    for (let i = 0; i < count; i++) sum += this.weights[i] * this.#log[this.corners[i]];
    return sum;
  }
}

/** Samples that an unmeasured cell is filled from, and samples that are looked at: beyond, every few are skipped. */
const NEIGHBOURS = 6;
const LOOKED_AT = 3000;
/** Pull of a cell towards its neighbourhood's mean, against a pull of 1 by a sample that lies on it. */
const PRIOR = 0.03;

/**
 * Fits a grid to scattered residuals: each cell starts at the inverse-distance mean of its nearest samples, then all cells
 * move together so that interpolation between them meets the samples (least squares by conjugate gradients). On samples that
 * are the grid it gives them back; a cell that no sample weighs on keeps its mean and is named in `filled`.
 */
export function fitGrid(axes: ResidualGrid['axes'], {points, values}: Scattered, round: (value: number) => number): ResidualGrid {
  const cells = axes.reduce((product, {knots}) => product * knots.length, 1);
  const reader = new GridReader({axes, log: []});
  const weightOf = new Float64Array(cells);
  const rows = points.map((point) => {
    const count = reader.place(point);
    for (let i = 0; i < count; i++) weightOf[reader.corners[i]] += reader.weights[i] ** 2;
    return {corners: reader.corners.slice(0, count), weights: reader.weights.slice(0, count)};
  });
  const prior = inverseDistanceMeans(axes, cells, points, values);
  const log = leastSquares(rows, values, prior);
  const filled = [...weightOf.keys()].filter((cell) => weightOf[cell] < 0.05);
  return {axes, log: Array.from(log, round), filled};
}

function inverseDistanceMeans(
  axes: ResidualGrid['axes'],
  cells: number,
  points: readonly (readonly number[])[],
  values: ArrayLike<number>,
): Float64Array {
  const scaled = points.map((point) => point.map(Math.log2));
  const spans = axes.map(({knots}) => Math.max(1, Math.log2(knots[knots.length - 1] / knots[0])) / Math.max(1, knots.length - 1));
  const means = new Float64Array(cells);
  const step = Math.max(1, Math.floor(scaled.length / LOOKED_AT));
  const nearest = new Int32Array(NEIGHBOURS);
  const distances = new Float64Array(NEIGHBOURS);
  for (let cell = 0; cell < cells; cell++) {
    const centre = knotsOf(axes, cell).map(Math.log2);
    distances.fill(Number.POSITIVE_INFINITY);
    for (let i = 0; i < scaled.length; i += step) {
      let distance = 0;
      for (let d = 0; d < centre.length; d++) distance += ((scaled[i][d] - centre[d]) / spans[d]) ** 2;
      insertNearest(nearest, distances, i, distance);
    }
    let sum = 0;
    let total = 0;
    for (let j = 0; j < NEIGHBOURS && distances[j] < Number.POSITIVE_INFINITY; j++) {
      const weight = 1 / (distances[j] + 1e-6);
      sum += weight * values[nearest[j]];
      total += weight;
    }
    means[cell] = sum / total;
  }
  return means;
}

function insertNearest(nearest: Int32Array, distances: Float64Array, index: number, distance: number): void {
  if (distance >= distances[distances.length - 1]) return;
  let at = distances.length - 1;
  for (; at > 0 && distances[at - 1] > distance; at--) {
    distances[at] = distances[at - 1];
    nearest[at] = nearest[at - 1];
  }
  distances[at] = distance;
  nearest[at] = index;
}

function knotsOf(axes: ResidualGrid['axes'], cell: number): number[] {
  const knots: number[] = [];
  for (let d = axes.length - 1; d >= 0; d--) {
    const length = axes[d].knots.length;
    knots.unshift(axes[d].knots[cell % length]);
    cell = Math.floor(cell / length);
  }
  return knots;
}

interface Row {
  readonly corners: Int32Array;
  readonly weights: Float64Array;
}

/** Minimises Σ(interpolated − value)² + PRIOR · Σ(cell − prior)². */
function leastSquares(rows: readonly Row[], values: ArrayLike<number>, prior: Float64Array): Float64Array {
  const x = prior.slice();
  const apply = (v: Float64Array): Float64Array => {
    const out = v.map((value) => PRIOR * value);
    for (const {corners, weights} of rows) {
      let sum = 0;
      for (let i = 0; i < corners.length; i++) sum += weights[i] * v[corners[i]];
      for (let i = 0; i < corners.length; i++) out[corners[i]] += weights[i] * sum;
    }
    return out;
  };
  const right = prior.map((value) => PRIOR * value);
  rows.forEach(({corners, weights}, row) => {
    for (let i = 0; i < corners.length; i++) right[corners[i]] += weights[i] * values[row];
  });
  const start = apply(x);
  const r = right.map((value, i) => value - start[i]);
  let direction = r.slice();
  let norm = dot(r, r);
  const enough = 1e-8 * Math.max(dot(right, right), 1e-30);
  for (let round = 0; round < 50 && norm > enough; round++) {
    const moved = apply(direction);
    const step = norm / dot(direction, moved);
    for (let i = 0; i < x.length; i++) {
      x[i] += step * direction[i];
      r[i] -= step * moved[i];
    }
    const next = dot(r, r);
    direction = direction.map((value, i) => r[i] + (next / norm) * value);
    norm = next;
  }
  return x;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
