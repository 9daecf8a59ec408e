import {describe, expect, it} from 'vitest';
import {changeText} from '../../../src/sim/sweep/axes.js';
import {skipOf} from '../../../src/sim/sweep/skip.js';
import {coordinatesOf, labelsOf, pointAt, sizeOf} from '../../../src/sim/sweep/space.js';
import {base, gpuStudy, studyOf, withStudy} from '../../support/studies.js';

const labels = async (axis: string) => (await studyOf(withStudy(`  axes: {${axis}}\n`))).axes[0].values.map(({label}) => label);

describe('axes', () => {
  it('a list under a path takes each value as --set would', async () => {
    const {axes} = await studyOf(withStudy('  axes: {scheduler.max_num_seqs: [16, 64], slo.ttft: [1 s]}\n'));
    expect(axes.map(({name, values}) => [name, values.map(({changes}) => changes.map(changeText))])).toEqual([
      ['scheduler.max_num_seqs', [['scheduler.max_num_seqs=16'], ['scheduler.max_num_seqs=64']]],
      ['slo.ttft', [['slo.ttft=1 s']]],
    ]);
  });

  it('a name of its own moves several keys together, with or without labels', async () => {
    const {axes} = await studyOf(gpuStudy);
    expect(axes[0].values[1].label).toBe('H200');
    expect(axes[0].values[1].changes.map(changeText)).toEqual(['hardware.device=h200-sxm', 'cost.device=3 USD/hour']);
    expect(await labels('gpu: {set: [{hardware.device: l4, engine.parallel.tensor: 2}, {}]}')).toEqual([
      'hardware.device=l4, engine.parallel.tensor=2',
      'as it is',
    ]);
  });

  it.each([
    ['linear', 'workload.arrivals.rate: {range: {from: 1 req/s, to: 3 req/s, points: 3}}', ['1 req/s', '2 req/s', '3 req/s']],
    [
      'log',
      'workload.arrivals.rate: {range: {from: 0.5 req/s, to: 8 req/s, points: 5, scale: log}}',
      ['0.5 req/s', '1 req/s', '2 req/s', '4 req/s', '8 req/s'],
    ],
    ['of counts, rounded and each once', 'scheduler.max_num_seqs: {range: {from: 1, to: 4, points: 7}}', ['1', '2', '3', '4']],
  ])('a range is %s, both ends included', async (_what, axis, wanted) => expect(await labels(axis)).toEqual(wanted));
});

describe('points', () => {
  it('are numbered with the last axis fastest, and the number leads back to the place', async () => {
    const {axes} = await studyOf(gpuStudy);
    expect(sizeOf(axes)).toBe(6);
    expect([0, 1, 2, 3, 4, 5].map((point) => coordinatesOf(axes, point))).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 1],
      [1, 2],
    ]);
    for (let point = 0; point < 6; point++) expect(pointAt(axes, coordinatesOf(axes, point))).toBe(point);
    expect(labelsOf(axes, 4)).toEqual({gpu: 'H200', 'workload.arrivals.rate': '8 req/s'});
  });

  it('a skip leaves out the points that match all that it names', async () => {
    const {axes, skip} = await studyOf(
      `${gpuStudy}  skip: [{gpu: H200, workload.arrivals.rate: "> 2 req/s"}, {workload.arrivals.rate: 2 req/s, gpu: H100}]\n`,
    );
    const skipped = [0, 1, 2, 3, 4, 5].filter((point) => skipOf(skip, axes, point) !== null);
    expect(skipped).toEqual([0, 4, 5]); // H100 at 2; H200 at 8 and 400
  });

  it('comparing in a skip knows units: 1 req/min is less than 1 req/s', async () => {
    const {axes, skip} = await studyOf(
      withStudy('  axes: {workload.arrivals.rate: [59 req/min, 61 req/min]}\n  skip: [{workload.arrivals.rate: "< 1 req/s"}]\n'),
    );
    expect([0, 1].map((point) => skipOf(skip, axes, point) !== null)).toEqual([true, false]);
  });

  it('the baseline is run whatever a random search draws', async () => {
    const search = '  search: {method: random, points: 1, seed: 3}\n';
    const drawn = (await studyOf(`${gpuStudy}${search}`)).points;
    const other = drawn[0] === 5 ? ['H100', '2 req/s'] : ['H200', '400 req/s'];
    const {points, baseline} = await studyOf(`${gpuStudy}${search}  baseline: {gpu: ${other[0]}, workload.arrivals.rate: ${other[1]}}\n`);
    expect(points).toEqual([...drawn, baseline].sort());
    expect(points).toHaveLength(2);
  });
});

describe('a malformed study is refused in one line, with its place', () => {
  const axes = '  axes: {scheduler.max_num_seqs: [16, 64]}\n';
  it.each([
    ['no study', base, 'study.yaml:1:1 study: missing; a study says what varies: study: {axes: {…}, objectives: […]}'],
    ['no axis', withStudy('  search: grid\n'), 'study.axes: missing; e.g. axes: {workload.arrivals.rate: [1 session/s, 2 session/s]}'],
    ['an unknown key', withStudy(`${axes}  serach: grid\n`), 'study.serach: unknown key (did you mean "search"?)'],
    [
      'a path that is none',
      withStudy('  axes: {scheduler.max_num_seq: [1]}\n'),
      'study.yaml:8:10 study.axes.scheduler.max_num_seq: "scheduler.max_num_seq" is no key of a scenario (did you mean "scheduler.max_num_seqs"?)',
    ],
    ['a name without set', withStudy('  axes: {gpu: [l4]}\n'), 'a name of your own needs {set: [{path: value}], labels}'],
    ['an empty list', withStudy('  axes: {slo.ttft: []}\n'), 'study.axes.slo.ttft: has no value'],
    ['a value twice', withStudy('  axes: {slo.ttft: [1 s, 1 s]}\n'), 'has the value "1 s" twice'],
    [
      'too few labels',
      withStudy('  axes: {a: {set: [{slo.ttft: 1 s}, {}], labels: [x]}}\n'),
      'study.axes.a.labels: has 1 labels for 2 values',
    ],
    [
      'a wrong path in a set',
      withStudy('  axes: {a: {set: [{slo.tttf: 1 s}]}}\n'),
      'study.axes.a.set[0]: "slo.tttf" is no key of a scenario (did you mean "slo.ttft"?)',
    ],
    [
      'a range in two units',
      withStudy('  axes: {slo.ttft: {range: {from: 100 ms, to: 1 s, points: 3}}}\n'),
      'study.axes.slo.ttft.range: goes from "100 ms" to "1 s"; write both in one unit',
    ],
    [
      'a range of one point',
      withStudy('  axes: {slo.ttft: {range: {from: 1 s, to: 2 s, points: 1}}}\n'),
      'points: 1 is not a whole number from 2 to 1000',
    ],
    [
      'a log range from 0',
      withStudy('  axes: {slo.ttft: {range: {from: 0 s, to: 2 s, points: 3, scale: log}}}\n'),
      'a log scale needs from and to above 0',
    ],
    ['a range backwards', withStudy('  axes: {slo.ttft: {range: {from: 3 s, to: 2 s, points: 3}}}\n'), 'from "3 s" is not below to "2 s"'],
    ['no objective', `${base}study:\n${axes}`, 'study.objectives: missing; e.g. objectives: [{minimise: ttft_s.p95}]'],
    [
      'an objective that is none',
      `${base}study:\n${axes}  objectives: [{minimize: ttft_s.p95}]\n`,
      '{"minimize":"ttft_s.p95"} is no objective; write {minimise: path} or {maximise: path}',
    ],
    [
      'a constraint that is none',
      withStudy(`${axes}  constraints: [ttft_s.p95 below 1 s]\n`),
      '"ttft_s.p95 below 1 s" is no condition; write "path op value"',
    ],
    [
      'a constraint in the wrong unit',
      withStudy(`${axes}  constraints: [ttft_s.p95 <= 500 MB]\n`),
      'study.constraints[0]: "500 MB" is a size; a duration is wanted',
    ],
    ['a skip of no axis', withStudy(`${axes}  skip: [{max_num_seqs: 16}]\n`), '"max_num_seqs" is no axis; axes: scheduler.max_num_seqs'],
    [
      'a skip of no value',
      withStudy(`${axes}  skip: [{scheduler.max_num_seqs: 17}]\n`),
      'scheduler.max_num_seqs: "17" is none of its values: 16, 64',
    ],
    [
      'a baseline that is no point',
      `${gpuStudy}  baseline: {gpu: H100}\n`,
      'study.baseline: lacks the axis "workload.arrivals.rate"; a baseline is one point',
    ],
    ['random without a number', withStudy(`${axes}  search: random\n`), 'random needs a number of points'],
    [
      'a search of a later version',
      withStudy(`${axes}  search: halving\n`),
      'study.search: "halving" is known, not simulated by this version (0.1); simulated: grid, random',
    ],
    [
      'a grid that nobody meant',
      withStudy('  axes: {slo.ttft: {range: {from: 1 s, to: 9 s, points: 50}}, slo.tpot: {range: {from: 1 s, to: 9 s, points: 50}}}\n'),
      'the grid has 2500 points; write "search: grid" for all of them or {method: random, points: N} for some',
    ],
  ])('%s', async (_what, text, line) => {
    const error = await studyOf(text).then(
      () => '',
      (refused: Error) => refused.message,
    );
    expect(error).toContain(line);
    expect(error.split('\n')).toHaveLength(1);
    expect(error).toMatch(/^study\.yaml:\d+:\d+ /);
  });
});
