/** Log residuals beyond this count linearly and not squared (Huber): outliers of a benchmark do not bend a fit. */
const HUBER = 0.15;
const ITERATIONS = 60;
const WIDTH = 1e-5;

/** Writes log(predicted/measured) of every sample at `parameters`. */
export type Residuals = (parameters: Float64Array, into: Float64Array) => void;

/** What to minimise: residuals, how many, and the box that parameters stay in. */
export interface Problem {
  readonly residuals: Residuals;
  readonly count: number;
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** Residuals beyond this count linearly. Default 0.15. */
  readonly huber?: number;
  /** How far a parameter is moved to see what it changes: wide where the residuals jump, as a simulation's do. Default 1e-5. */
  readonly width?: number;
  /** Most rounds of descent. Default 60. */
  readonly rounds?: number;
  /** Ends the descent when a round gains less than this share. Default 1e-7. */
  readonly gain?: number;
}

/** Fits from each start and returns the best parameters; deterministic. Levenberg (1944), Marquardt (1963), with Huber (1964) weights and a numeric Jacobian. */
export function fitFrom(starts: readonly (readonly number[])[], problem: Problem): Float64Array {
  let best: {at: Float64Array; loss: number} | null = null;
  for (const start of starts) {
    const found = descend(clampInto(Float64Array.from(start), problem), problem);
    if (best === null || found.loss < best.loss) best = found;
  }
  return best!.at;
}

function descend(at: Float64Array, problem: Problem): {at: Float64Array; loss: number} {
  const {residuals, count, huber: limit = HUBER, rounds = ITERATIONS, gain: least = 1e-7} = problem;
  const size = at.length;
  const now = new Float64Array(count);
  const trial = new Float64Array(count);
  const columns = Array.from({length: size}, () => new Float64Array(count));
  residuals(at, now);
  let loss = huber(now, limit);
  let damping = 1e-2;
  for (let round = 0; round < rounds; round++) {
    const {matrix, gradient} = normalEquations(at, now, columns, problem);
    let better = false;
    for (let attempt = 0; attempt < 8 && !better; attempt++) {
      const step = solveSymmetric(damped(matrix, size, damping), gradient, size);
      const next = clampInto(
        at.map((value, j) => value - step[j]),
        problem,
      );
      residuals(next, trial);
      const trialLoss = huber(trial, limit);
      better = trialLoss < loss;
      if (better) {
        const gain = (loss - trialLoss) / loss;
        at = next;
        now.set(trial);
        loss = trialLoss;
        damping = Math.max(damping / 4, 1e-9);
        if (gain < least) return {at, loss};
      } else damping *= 5;
    }
    if (!better) break;
  }
  return {at, loss};
}

function normalEquations(at: Float64Array, now: Float64Array, columns: readonly Float64Array[], problem: Problem) {
  const {residuals, high, huber: limit = HUBER, width: wide = WIDTH} = problem;
  const size = at.length;
  for (let j = 0; j < size; j++) {
    const moved = at.slice();
    const width = at[j] + wide <= high[j] ? wide : -wide;
    moved[j] += width;
    residuals(moved, columns[j]);
    for (let i = 0; i < now.length; i++) columns[j][i] = (columns[j][i] - now[i]) / width;
  }
  const matrix = new Float64Array(size * size);
  const gradient = new Float64Array(size);
  for (let i = 0; i < now.length; i++) {
    const weight = Math.abs(now[i]) <= limit ? 1 : limit / Math.abs(now[i]);
    for (let j = 0; j < size; j++) {
      const weighted = weight * columns[j][i];
      gradient[j] += weighted * now[i];
      for (let k = 0; k <= j; k++) matrix[j * size + k] += weighted * columns[k][i];
    }
  }
  for (let j = 0; j < size; j++) for (let k = 0; k < j; k++) matrix[k * size + j] = matrix[j * size + k];
  return {matrix, gradient};
}

function damped(matrix: Float64Array, size: number, damping: number): Float64Array {
  const copy = matrix.slice();
  // The constant keeps a parameter that changes nothing where it is.
  for (let j = 0; j < size; j++) copy[j * size + j] += damping * copy[j * size + j] + 1e-9;
  return copy;
}

function huber(residuals: Float64Array, limit: number): number {
  let sum = 0;
  for (let i = 0; i < residuals.length; i++) {
    const size = Math.abs(residuals[i]);
    sum += size <= limit ? (size * size) / 2 : limit * (size - limit / 2);
  }
  return sum;
}

function clampInto(parameters: Float64Array, {low, high}: Problem): Float64Array {
  for (let j = 0; j < parameters.length; j++) parameters[j] = Math.min(high[j], Math.max(low[j], parameters[j]));
  return parameters;
}

/** Gaussian elimination with pivoting of a small system. */
function solveSymmetric(matrix: Float64Array, right: Float64Array, size: number): Float64Array {
  const x = right.slice();
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(matrix[row * size + column]) > Math.abs(matrix[pivot * size + column])) pivot = row;
    }
    for (let k = 0; k < size; k++) {
      [matrix[column * size + k], matrix[pivot * size + k]] = [matrix[pivot * size + k], matrix[column * size + k]];
    }
    [x[column], x[pivot]] = [x[pivot], x[column]];
    for (let row = column + 1; row < size; row++) {
      const factor = matrix[row * size + column] / matrix[column * size + column];
      for (let k = column; k < size; k++) matrix[row * size + k] -= factor * matrix[column * size + k];
      x[row] -= factor * x[column];
    }
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let k = row + 1; k < size; k++) x[row] -= matrix[row * size + k] * x[k];
    x[row] /= matrix[row * size + row];
  }
  return x;
}
