import type {Figures} from './figures.js';
import type {Objective} from './study.js';

/** The objectives of a point as numbers that are better when smaller; null when one of them is unknown. */
export function scores(figures: Figures, objectives: readonly Objective[]): number[] | null {
  const values = objectives.map(({goal, path}) => {
    const value = figures[path] ?? null;
    return value === null ? Number.NaN : goal === 'minimise' ? value : -value;
  });
  return values.some(Number.isNaN) ? null : values;
}

/** Whether `a` is nowhere worse than `b` and somewhere better; smaller is better. */
export function dominates(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, i) => value <= b[i]) && a.some((value, i) => value < b[i]);
}

/** Indexes of the scores that none dominates, best of the first objective first; equal scores all stay. */
export function pareto(all: readonly (readonly number[])[]): number[] {
  const order = all.map((_, i) => i).sort((a, b) => byScores(all[a], all[b]) || a - b);
  // In this order nothing is dominated by what comes later, and only what was kept need be asked.
  const kept: number[] = [];
  for (const index of order) if (!kept.some((other) => dominates(all[other], all[index]))) kept.push(index);
  return kept;
}

function byScores(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}

/**
 * The knee of a front: the index in it that lies nearest to having the best of everything, each objective scaled to 0–1 over the front.
 * Null when there is nothing to weigh: fewer than three points, or one objective.
 */
export function knee(front: readonly (readonly number[])[]): number | null {
  if (front.length < 3 || front[0].length < 2) return null;
  const low = front[0].map((_, i) => Math.min(...front.map((score) => score[i])));
  const high = front[0].map((_, i) => Math.max(...front.map((score) => score[i])));
  const distance = (score: readonly number[]) =>
    score.reduce((sum, value, i) => sum + (high[i] > low[i] ? ((value - low[i]) / (high[i] - low[i])) ** 2 : 0), 0);
  let best = 0;
  for (let i = 1; i < front.length; i++) if (distance(front[i]) < distance(front[best])) best = i;
  return best;
}
