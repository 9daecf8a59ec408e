import type {EngineDocument} from './document.js';

/** The fit as lines for people: constants with what the runs say of them, then errors by run and stage. */
export function fitLines(document: EngineDocument): string[] {
  const {fit} = document;
  const us = (seconds: number) => (seconds === 0 ? '–' : (seconds * 1e6).toFixed(1));
  const constants = fit.constants.map(({name, what, prior_s, value_s, misfit_halved, misfit_doubled, identified}) => [
    `${name} (${what})`,
    us(prior_s),
    us(value_s),
    misfit_halved.toFixed(1),
    misfit_doubled.toFixed(1),
    identified ? 'yes' : 'no: stays near its prior',
  ]);
  const errors = new Map<string, Map<string, string>>();
  for (const {run, stage, metric, error} of fit.errors) {
    const row = errors.get(`${run} ${stage}`) ?? new Map<string, string>();
    errors.set(`${run} ${stage}`, row.set(metric, (100 * error).toFixed(1).replace(/^-0\.0$/, '0.0')));
  }
  const metrics = [...new Set(fit.errors.map(({metric}) => metric))];
  return [
    `${document.preset} ${document.version}, ${document.in_flight} steps in flight (misfit ${fit.in_flight.map(({steps, misfit}) => `${misfit.toFixed(1)} with ${steps}`).join(', ')}); misfit ${fit.misfit.prior.toFixed(1)} before, ${fit.misfit.fitted.toFixed(1)} after`,
    '',
    ...aligned([['constant', 'before µs', 'fitted µs', 'misfit halved', 'doubled', 'identified'], ...constants]),
    '',
    ...(fit.kv_blocks.length === 0
      ? ['reserved memory: no run reports its number of KV blocks']
      : fit.kv_blocks.map(({run, recorded, derived}) => `KV blocks: ${recorded} recorded, ${derived} derived before the fit (${run})`)),
    '',
    ...aligned([['error, %', ...metrics], ...[...errors].map(([name, row]) => [name, ...metrics.map((metric) => row.get(metric) ?? '–')])]),
    '',
    'Misfit: half the sum of squared logarithms of predicted/measured over their tolerance (TPOT, E2E 2 %, median TTFT 4 %, mean TTFT 10 %).',
    'A constant is identified when halving and doubling it both raise the misfit by more than 1.',
  ];
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, column) => rows.reduce((most, row) => Math.max(most, row[column].length), 0));
  return rows.map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[i]))).join('  '));
}
