import {latencySeries} from '../metrics/latency.js';
import type {Load} from '../metrics/load.js';
import type {Goals, Measured} from '../metrics/measured.js';
import {goalsByClass, hasGoal, meetsGoals} from '../metrics/measured.js';
import {mean, quantile} from '../metrics/quantiles.js';
import {sessionSeries} from '../metrics/sessions.js';
import type {ResultDocument, SloDocument} from './result.js';
import type {Scenario} from './scenario.js';

/**
 * The goals, and how far they are met: by the measured requests, however they ended, each by the goals of its class; by sessions, and by the
 * run. `meets` asks for everything: enough of all requests, of each class with goals of its own, of the sessions, and the makespan.
 */
export function sloOf({slo}: Scenario, runs: readonly Measured[], loads: readonly Pick<Load, 'makespanSeconds'>[]): ResultDocument['slo'] {
  const all = judged(runs, slo, null, slo.attainment);
  const names = runs[0].columns.classes;
  const stated = Object.keys(slo.classes);
  const shown = names.length > 1 || stated.length > 0 ? names : [];
  const classes = Object.fromEntries(shown.map((name, index) => [name, classOf(slo, runs, name, index)]));
  const sessions = slo.session === null ? null : sessionsWithin(slo.session, runs);
  const asked = [
    all.meets,
    ...stated.map((name) => classes[name]?.meets ?? null),
    sessions === null ? null : sessions >= slo.attainment,
    slo.makespan === null || loads.length === 0 ? null : mean(loads.map((load) => load.makespanSeconds)) <= slo.makespan,
  ].filter((met) => met !== null);
  return {
    ...all,
    meets: asked.length === 0 ? null : asked.every((met) => met),
    session_s: slo.session,
    sessions_attainment: sessions,
    makespan_s: slo.makespan,
    classes,
  };
}

function classOf(slo: Scenario['slo'], runs: readonly Measured[], name: string, index: number): ResultDocument['slo']['classes'][string] {
  const own = slo.classes[name] ?? slo;
  const of = runs.map((run) => ({...run, rows: run.rows.filter((row) => run.columns.class[row] === index)}));
  const p95 = (metric: 'ttft_s' | 'tpot_s' | 'e2e_s') => {
    const series = of.flatMap((run) => [...latencySeries(run.columns, run.rows, metric)]);
    return series.length === 0 ? null : quantile(Float64Array.from(series), 0.95);
  };
  return {
    ...judged(of, slo, own, own.attainment),
    requests: of.reduce((sum, {rows}) => sum + rows.length, 0),
    ttft_p95_s: p95('ttft_s'),
    tpot_p95_s: p95('tpot_s'),
    e2e_p95_s: p95('e2e_s'),
  };
}

/** How many of the requests meet the goals of their class; `own` are those that are shown, and that must be there for a judgement. */
function judged(runs: readonly Measured[], slo: Scenario['slo'], own: Goals | null, goal: number): SloDocument {
  const byClass = goalsByClass(slo, runs[0].columns.classes);
  const {ttft, tpot, e2e} = own ?? slo;
  let all = 0;
  let good = 0;
  for (const {columns, rows} of runs) {
    all += rows.length;
    for (const row of rows) if (meetsGoals(columns, row, byClass)) good++;
  }
  const attainment = hasGoal(own === null ? byClass : [own]) && all > 0 ? good / all : null;
  return {ttft_s: ttft, tpot_s: tpot, e2e_s: e2e, goal, attainment, meets: attainment === null ? null : attainment >= goal};
}

/** Share of the sessions within `goal` seconds; null when none was measured whole. */
function sessionsWithin(goal: number, runs: readonly Measured[]): number | null {
  const each = runs.map(sessionSeries);
  const all = each.reduce((sum, series) => sum + series.length, 0);
  return all === 0 ? null : each.reduce((sum, series) => sum + series.filter((seconds) => seconds <= goal).length, 0) / all;
}
