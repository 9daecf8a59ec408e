import type {CostTerm} from '../../models/cost/cost.js';
import type {Grade} from '../../models/provenance.js';
import {grades} from '../../models/provenance.js';
import type {ResultDocument} from './result.js';
import {percentText} from './text.js';

type Provenance = ResultDocument['provenance'];

/** The cost terms with the share of busy time each took. */
export function provenance(terms: readonly CostTerm[], seconds: ArrayLike<number>): Provenance {
  let all = 0;
  for (let i = 0; i < seconds.length; i++) all += seconds[i];
  return terms.map(({name, grade, source, interval}, i) => ({
    term: name,
    grade,
    source,
    interval: [interval[0], interval[1]],
    busy_share: all > 0 ? seconds[i] / all : 0,
  }));
}

/** Cost factors at both ends of the 80 % interval of the whole step: the terms' intervals, weighted by their busy time. */
export function costScales(rows: Provenance): {low: number; high: number} {
  if (rows.every((row) => row.busy_share === 0)) return {low: 1, high: 1};
  const weighted = (end: 0 | 1) => rows.reduce((sum, row) => sum + row.busy_share * row.interval[end], 0);
  return {low: weighted(0), high: weighted(1)};
}

/**
 * How far the times can be trusted, by the share of busy time whose cost terms were measured or fitted:
 * A from 90 %, B from 50 %, C where measured, fitted and datasheet terms together reach 50 %, D below.
 */
export function trust(rows: Provenance): ResultDocument['trust'] {
  const share = new Map<Grade, number>(grades.map((grade) => [grade, 0]));
  for (const row of rows) share.set(row.grade, share.get(row.grade)! + row.busy_share);
  const known = share.get('measured')! + share.get('fitted')!;
  const grade = known >= 0.9 ? 'A' : known >= 0.5 ? 'B' : known + share.get('datasheet')! >= 0.5 ? 'C' : 'D';
  const parts = grades.filter((name) => share.get(name)! >= 0.0005).map((name) => `${percentText(share.get(name)!)} ${name}`);
  return {grade, text: parts.length === 0 ? 'nothing was computed' : `of busy time, ${parts.join(', ')}${detail(rows)}`};
}

/** Names what the largest part rests on, so that the letter has a reason. */
function detail(rows: Provenance): string {
  const most = rows.reduce((best, row) => (row.busy_share > best.busy_share ? row : best), rows[0]);
  return ` (most of it ${most.term}: ${most.source})`;
}
