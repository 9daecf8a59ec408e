import {aligned, percent} from '../text.js';
import type {EngineProfileFiles} from './profile.js';
import {MOST_ERROR, meanError, type ValidationRow} from './validate.js';

/** What was fitted, as lines: the host's times, each kernel's rates, and the grade. */
export function engineLines({fit, error, device, grade, reasons}: EngineProfileFiles): string[] {
  const rate = (json: Readonly<Record<string, unknown>>, name: 'P' | 'W') => {
    const [value, unit] = String(json[name]).split(' ');
    return Number(value) > FAR ? '–' : `${Number(Number(value).toPrecision(3))} ${unit}`;
  };
  const rows = [...fit.kernels].map(([name, json]) => {
    const own = error.byFormat.get(name.replace(/^gemm\./, '')) ?? error.all;
    return [
      name,
      rate(json, 'P'),
      rate(json, 'W'),
      `${Number(Number(String(json['o']).split(' ')[0]).toPrecision(2))} us`,
      percent(own.mape),
    ];
  });
  return [
    `${device['name']} · step ${(1e6 * fit.step).toFixed(0)} µs + ${(1e6 * fit.sequence).toFixed(0)} µs a sequence`,
    '',
    ...aligned([['op', 'compute', 'memory', 'launch', 'held-out error %'], ...rows]),
    '',
    `grade ${grade}: ${reasons.join(' · ')}`,
  ];
}

/** A rate in TFLOP/s or GB/s that bounds nothing. */
const FAR = 1e6;

/** Predictions beside what was run, and whether that passes. */
export function validationLines(rows: readonly ValidationRow[], grade: string): string[] {
  const ms = (seconds: number) => `${(1000 * seconds).toFixed(1)} ms`;
  const table = rows.map(({model, params, what, predicted, measured, error, samples, clean}) => [
    model,
    params.toFixed(2),
    what,
    ms(predicted),
    ms(measured),
    `${error >= 0 ? '+' : '−'}${percent(Math.abs(error))}`,
    `${clean}/${samples}`,
  ]);
  const mean = meanError(rows);
  const verdict =
    grade === 'A' || grade === 'B'
      ? mean <= MOST_ERROR
        ? 'PASSED'
        : 'FAILED'
      : `reported, not passed: the calibration has grade ${grade}`;
  return [
    ...aligned([['model', 'B params', 'step', 'predicted', 'measured', 'error %', 'clean'], ...table]),
    '',
    `mean error ${percent(mean)} % of models that the calibration did not see (goal ${100 * MOST_ERROR} % at grade A or B): ${verdict}`,
  ];
}
