import type {CostTerm} from '../../models/cost/cost.js';
import type {Grade} from '../../models/provenance.js';
import {grades} from '../../models/provenance.js';
import type {ResultDocument} from './result.js';
import {percentText} from './text.js';

type Provenance = ResultDocument['provenance'];

/** The cost terms with the share of busy time each took, and the share of that in which it was asked beyond what was measured. */
export function provenance(terms: readonly CostTerm[], seconds: ArrayLike<number>, outside?: ArrayLike<number>): Provenance {
  let all = 0;
  for (let i = 0; i < seconds.length; i++) all += seconds[i];
  return terms.map(({name, grade, source, interval}, i) => ({
    term: name,
    grade,
    source,
    interval: [interval[0], interval[1]],
    busy_share: all > 0 ? seconds[i] / all : 0,
    extrapolated_share: outside !== undefined && seconds[i] > 0 ? outside[i] / seconds[i] : 0,
  }));
}

/** Cost factors at both ends of the 80 % interval of the whole step: the terms' intervals, weighted by their busy time. */
export function costScales(rows: Provenance): {low: number; high: number} {
  if (rows.every((row) => row.busy_share === 0)) return {low: 1, high: 1};
  const weighted = (end: 0 | 1) => rows.reduce((sum, row) => sum + row.busy_share * row.interval[end], 0);
  return {low: weighted(0), high: weighted(1)};
}

/** The letters, best first: how far a step's 80 % interval may reach from its prediction, and the share of busy time that must rest on what was found out. */
const letters: readonly {readonly grade: 'A' | 'B' | 'C'; readonly reach: number; readonly known: number; readonly datasheet: boolean}[] = [
  {grade: 'A', reach: 0.12, known: 0.9, datasheet: false},
  {grade: 'B', reach: 0.25, known: 0.5, datasheet: false},
  {grade: 'C', reach: 0.5, known: 0.5, datasheet: true},
];

/**
 * How far the times can be trusted: by the share of busy time whose cost terms were measured or fitted, and by how far the 80 % interval of
 * the whole step (`costScales`) reaches from the prediction, on its wider side. A from 90 % and within 12 %; B from 50 % and within 25 %;
 * C where measured, fitted and datasheet terms together reach 50 %, and within 50 %; D below. Both must hold: a fit that is often off by a
 * third is no better known than a figure that somebody chose with care.
 */
export function trust(rows: Provenance): ResultDocument['trust'] {
  const share = new Map<Grade, number>(grades.map((grade) => [grade, 0]));
  for (const row of rows) share.set(row.grade, share.get(row.grade)! + row.busy_share);
  const parts = grades.filter((name) => share.get(name)! >= 0.0005).map((name) => `${percentText(share.get(name)!)} ${name}`);
  if (parts.length === 0) return {grade: 'D', text: 'nothing was computed'};
  const known = share.get('measured')! + share.get('fitted')!;
  const {low, high} = costScales(rows);
  const reach = Math.max(1 - low, high - 1) - ROUNDING;
  const letter = letters.find((one) => reach <= one.reach && known + (one.datasheet ? share.get('datasheet')! : 0) >= one.known - ROUNDING);
  const interval = low === 1 && high === 1 ? '' : `; 80 % interval of a step ${reachText(low)} … ${reachText(high)}`;
  const text = `of busy time, ${parts.join(', ')}${interval}${detail(rows)}`;
  return {grade: letter?.grade ?? 'D', text};
}

/** Sums of shares miss whole per cents by less. */
const ROUNDING = 1e-9;

/** `−14 %`, `+41 %`. */
function reachText(factor: number): string {
  const off = Math.round((factor - 1) * 100);
  return `${off < 0 ? '−' : '+'}${Math.abs(off)} %`;
}

/** Names what the largest part rests on, so that the letter has a reason. */
function detail(rows: Provenance): string {
  const most = rows.reduce((best, row) => (row.busy_share > best.busy_share ? row : best), rows[0]);
  return ` (most of it ${most.term}: ${most.source})`;
}
