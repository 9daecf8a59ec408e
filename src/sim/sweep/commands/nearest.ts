import {InfeasibleError} from '../../core/errors.js';
import {meets} from '../conditions.js';
import {pointText, type SweepDocument} from '../document.js';
import {figureText} from '../figure-text.js';
import type {Figures} from '../figures.js';
import type {Row} from '../rows.js';
import type {Study} from '../study.js';
import type {PlannedPoint} from '../sweep.js';

const most = 3;

/** Says that no point fits, why the first does not, and what would. */
export function whatDoesNotFit(points: readonly PlannedPoint[]): InfeasibleError {
  const outcomes = points.flatMap(({outcome}) => (outcome?.kind === 'infeasible' ? [outcome] : []));
  const reasons = [...new Set(outcomes.map(({reason}) => reason))];
  const more = reasons.length > 1 ? ` (and ${reasons.length - 1} other reason${reasons.length > 2 ? 's' : ''})` : '';
  const nearest = [...new Set(outcomes.flatMap((outcome) => outcome.nearest))].slice(0, most);
  return new InfeasibleError(`none of ${points.length} points fits: ${reasons[0]}${more}`, nearest);
}

/** Says that points meet the constraints, but that no choice can be made among them, and which objective is unknown where. */
export function nothingToRank({counts: {good, points}, constraints, lacking}: SweepDocument): InfeasibleError {
  const unknown = lacking.map((one) => `${one.objective} is unknown in ${one.points === good ? 'all' : one.points} of them`);
  const met = `${good} of ${points} points meet ${constraints.join(', ') || 'everything'}`;
  return new InfeasibleError(
    `${met}, but none has a figure for every objective: ${unknown.join(', ')}; name objectives that are known there (rows.jsonl has all figures)`,
    [],
  );
}

/** The points that miss the fewest constraints and these by least, with the figures that were asked about. */
export function nearestPoints({constraints}: Study, rows: readonly Row[]): string[] {
  const judged = constraints === null ? ['slo.attainment'] : constraints.map(({path}) => path);
  return rows
    .flatMap((row) => (row.figures === null ? [] : [{axes: row.axes, figures: row.figures, misses: row.misses!.length}]))
    .sort((a, b) => a.misses - b.misses || gap(a.figures, constraints) - gap(b.figures, constraints))
    .slice(0, most)
    .map(({axes, figures}) => {
      const found = judged.map((path) => `${path} ${figureText(path, figures[path] ?? null)}`);
      return `${pointText(axes)} with ${found.join(', ')}`;
    });
}

/** By how much figures miss what was asked, each relative to its bound; an unknown figure is as far as can be. */
function gap(figures: Figures, constraints: Study['constraints']): number {
  if (constraints === null) return -(figures['slo.attainment'] ?? 0);
  return constraints
    .filter((condition) => !meets(figures, condition))
    .reduce((sum, {path, value}) => sum + Math.abs((figures[path] ?? Number.MAX_VALUE) - value) / Math.max(Math.abs(value), 1e-9), 0);
}
