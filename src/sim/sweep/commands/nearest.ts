import {InfeasibleError} from '../../core/errors.js';
import {figureText} from '../figure-text.js';
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

/** The points that miss the fewest constraints, the best of the first objective first, with what they miss. */
export function nearestPoints({objectives, constraints}: Study, rows: readonly Row[]): string[] {
  const [{goal, path}] = objectives;
  const sign = goal === 'minimise' ? 1 : -1;
  const score = ({figures}: Row) => sign * (figures![path] ?? sign * Number.POSITIVE_INFINITY);
  const judged = constraints === null ? ['slo.attainment'] : constraints.map((condition) => condition.path);
  return rows
    .filter(({figures}) => figures !== null)
    .sort((a, b) => a.misses!.length - b.misses!.length || shortfall(b, constraints) - shortfall(a, constraints) || score(a) - score(b))
    .slice(0, most)
    .map(
      ({axes, figures}) =>
        `${Object.values(axes).join(', ')} with ${judged.map((name) => `${name} ${figureText(name, figures![name] ?? null)}`).join(', ')}`,
    );
}

/** How near a row is to its goals when the scenario's own are asked: the share of requests that meet them. */
function shortfall({figures}: Row, constraints: Study['constraints']): number {
  return constraints === null ? (figures!['slo.attainment'] ?? 0) : 0;
}
