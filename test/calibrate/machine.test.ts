import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, describe, expect, it, vi} from 'vitest';
import {changeOf, checkOf} from '../../calibrate/machine/drift.js';
import {busyProcesses} from '../../calibrate/machine/env.js';
import {machineFigures} from '../../calibrate/machine/figures.js';
import {gpuNamed} from '../../calibrate/machine/gpu-names.js';
import {readMeasurements} from '../../calibrate/machine/lines.js';
import {tokenMatrices} from '../../calibrate/machine/model.js';
import {modelPoints, readPoints, shortTwice, withinBudget} from '../../calibrate/machine/plan.js';
import {machineProfile} from '../../calibrate/machine/profile.js';
import {graded, isContended, noiseOf} from '../../calibrate/machine/stats.js';
import {profileText} from '../../calibrate/profile.js';
import {readSubject} from '../../calibrate/show/subject.js';
import {run} from '../../src/cli.js';
import {gemmNames} from '../../src/models/cost/kernel-names.js';
import {devices} from '../../src/models/devices/index.js';
import {weightFormat} from '../../src/models/llms/index.js';
import type {ResultDocument} from '../../src/sim/scenario/result.js';
import {inventedLines, plainMachine, type Spoiled} from '../support/bench-lines.js';

const folder = mkdtempSync(join(tmpdir(), 'tiercast-machine-'));
afterAll(() => rmSync(folder, {recursive: true}));
const runs = (spoiled?: Spoiled, machine = plainMachine) => readMeasurements(inventedLines(machine, spoiled), 'lines.jsonl');

describe('lines of calib-bench', () => {
  it('are read into a run: samples, anchors, and how it ended', () => {
    const [run, ...others] = runs();
    expect(others).toEqual([]);
    expect(run).toMatchObject({device: 'cpu', ending: 'done', anchors: [{drift: 0}, {drift: 0.01}]});
    expect(run.samples.filter(({status}) => status === 'skipped')).toMatchObject([{op: 'copy.locked', code: 'MEMLOCK_LIMIT', t: null}]);
  });

  it('a point that was measured again counts once, on a processor the faster time, on a GPU the later; unless that failed', () => {
    for (const [spoiled, faster, slower] of [
      [{}, 1e-9, 1e-9],
      [{gpu: 'a GPU'}, 1e-9, 0.5],
    ] as [Spoiled, number, number][]) {
      const lines = inventedLines(plainMachine, spoiled).trimEnd().split('\n');
      const sample = lines.find((line) => line.includes('"gemm"'))!;
      const timed = (seconds: number) => sample.replace(/"p25":[\d.e-]+/, `"p25":${seconds}`);
      const failed = JSON.stringify({...JSON.parse(sample), t: undefined, status: 'failed', code: 'INTERNAL', message: 'x'});
      const read = (...again: string[]) => readMeasurements([lines[0], sample, ...again, failed].join('\n'), 'x')[0];
      expect(read(timed(1e-9)).samples.map(({t}) => t!.p25)).toEqual([faster]);
      expect(read(timed(1e-9), timed(0.5)).samples.map(({t}) => t!.p25)).toEqual([slower]);
      expect(read().ending).toBeNull();
    }
  });

  it.each([
    ['', 'x.jsonl holds no measurement'],
    ['{"v":1,"kind":"sample"}', 'x.jsonl:1 a line of kind env comes first'],
    ['{"v":1,"kind":"env","device":"cpu"}\n{"v":1,"ki', 'x.jsonl:2 is no line of calib-bench'],
    ['{"v":2,"kind":"env"}', 'x.jsonl:1 is no line of calib-bench, which have "v":1'],
    [
      '{"v":1,"kind":"env"}\n{"v":1,"kind":"sample","op":"gemm","shape":{},"status":"ok","t":{"p25":0,"p50":1}}',
      'x.jsonl:2 t: a sample that is ok has times above 0',
    ],
    ['{"v":1,"kind":"env"}\n{"v":1,"kind":"sample","op":"gemm","shape":{},"status":"fine"}', 'x.jsonl:2 status: "fine" is none of'],
    ['{"v":1,"kind":"error","code":"NO_CUDA_DRIVER","message":"no driver"}', 'NO_CUDA_DRIVER: no driver'],
  ])('%j is refused', (text, message) => {
    expect(() => readMeasurements(text, 'x.jsonl')).toThrow(message);
  });
});

describe('a profile of a machine', () => {
  it('has the figures that the kernels reached: bandwidth of the largest read, best FLOP/s by format', () => {
    const {device} = machineFigures('mine', runs()[0]);
    // The largest read takes 2 µs + 1 GiB / 40 GB/s.
    expect(device.memory.dram!.bandwidth.value / 4e10).toBeCloseTo(1, 3);
    expect(device.memory.dram!.capacity!.value).toBe(16 * 2 ** 30);
    expect(device.compute.bf16!.value / 4e11).toBeGreaterThan(0.99);
    expect(device.compute.bf16!.value / 4e11).toBeLessThanOrEqual(1);
    expect(device).toMatchObject({kind: 'cpu', vendor: 'AMD', compute: {bf16: {grade: 'measured'}}});
  });

  it('finds the constants that the lines were made with, with grade A when all was quiet', () => {
    const made = machineProfile('mine', runs(), '2026-01-01');
    const fit = made.fits.find(({kernel}) => kernel.name === 'gemm.bf16')!;
    expect(fit.fitted.parameters['P'] / 4e11).toBeCloseTo(1, 1);
    expect(fit.fitted.parameters['W'] / 4e10).toBeCloseTo(1, 1);
    expect(made.fits.map(({kernel}) => kernel.name).sort()).toEqual([
      'attn.decode.bf16',
      'gemm.bf16',
      'gemm.fp32',
      'gemm.int4_g32',
      'gemm.int8',
      'mem.read',
    ]);
    expect([made.grade, made.contended]).toEqual(['A', false]);
    expect(made.profile).toMatchObject({
      coverage: {datasheet: ['attn.prefill.bf16']},
      quality: {skipped: [{op: 'copy.locked', code: 'MEMLOCK_LIMIT', points: 1}]},
    });
  });

  it('drops and counts what is faster than the machine itself', () => {
    // Sample 0 is a product of one row: bound by memory, so fifty times faster is faster than the memory.
    const made = machineProfile('mine', runs({impossible: true}), 'x');
    expect((made.profile['quality'] as {dropped: object[]}).dropped).toEqual([
      {kernel: 'gemm.bf16', reason: 'faster than the memory allows', rows: 1},
    ]);
    expect(made.fits.find(({kernel}) => kernel.name === 'gemm.bf16')!.samples).toHaveLength(15);
  });

  it('says which run has no end', () => {
    expect(machineProfile('mine', runs({end: false}), 'x').profile['quality']).toMatchObject({partial: ['cpu: the end is missing']});
    expect(machineProfile('mine', runs(), 'x').profile['quality']).not.toHaveProperty('partial');
  });

  it('cannot be made without a read of the memory', () => {
    const text = inventedLines()
      .split('\n')
      .filter((line) => !line.includes('mem.read'))
      .join('\n');
    expect(() => machineProfile('mine', readMeasurements(text, 'x'), 'x')).toThrow('no sample of mem.read went well');
  });

  it('is read back as a device with equal fits', async () => {
    const made = machineProfile('mine', runs(), 'x');
    const path = join(folder, 'mine.profile.json');
    writeFileSync(path, profileText(made.profile));
    const {fits, grade} = await readSubject(path);
    expect(grade).toBe('A');
    for (const fit of fits) {
      const own = made.fits.find(({kernel}) => kernel.name === fit.kernel.name)!;
      for (const {shape} of own.samples) expect(fit.fitted.predict(shape)).toBeCloseTo(own.fitted.predict(shape), 12);
    }
  });

  it('a GPU that is built in is extended: its datasheet peaks stay, its memory is as measured', () => {
    const made = machineProfile(
      'mine',
      runs({gpu: 'NVIDIA H100 80GB HBM3'}, {P: {fp32: 5e13, bf16: 7e14, int8: 1e15}, W: 3e12, o: 3e-6}),
      'x',
    );
    expect(made.figures.base).toBe('h100-sxm');
    expect(made.profile).toMatchObject({
      kind: 'gpu',
      extends: 'h100-sxm',
      memory: {hbm: {capacity: {value: '8192 MiB'}, bandwidth: {grade: 'measured'}}},
    });
    expect(made.profile).not.toHaveProperty('compute');
    expect(made.figures.device.compute.bf16!.grade).toBe('datasheet');
    // Medians count on a GPU, one per cent above the first quartile here: 1 GiB in 1.01 × (3 µs + 1 GiB / 3 TB/s).
    expect(made.figures.device.memory.hbm!.bandwidth.value).toBe(
      Number((2 ** 30 / (1.01 * (3e-6 + 2 ** 30 / 3e12)) / 1e9).toPrecision(4)) * 1e9,
    );
  });

  it('a GPU that nobody knows stands alone, with the peaks that its kernels reached', () => {
    const made = machineProfile('mine', runs({gpu: 'Abacus 9000'}), 'x');
    expect(made.figures.base).toBeNull();
    expect(made.profile).toMatchObject({kind: 'gpu', compute: {bf16: {grade: 'measured'}}});
  });
});

it('products of int4 in groups of 32 stand for the formats that have those groups, and for int4 where nothing else was measured', () => {
  expect(gemmNames(weightFormat('q4_0'))).toEqual(['gemm.q4_0', 'gemm.int4_g32']);
  expect(gemmNames(weightFormat('int4'))).toEqual(['gemm.int4_wo', 'gemm.int4_g32']);
  expect(gemmNames(weightFormat('q5_0'))).toEqual([]);
});

it.each([
  ['NVIDIA H100 80GB HBM3', 'h100-sxm'],
  ['NVIDIA H200', 'h200-sxm'],
  ['NVIDIA A100-SXM4-80GB', 'a100-sxm-80gb'],
  ['NVIDIA B200', 'b200-sxm'],
  ['NVIDIA GeForce RTX 4090', 'rtx-4090'],
  ['Abacus 9000', null],
])('the driver’s name "%s" means %s', (name, id) => {
  expect(gpuNamed(name)).toBe(id);
  if (id !== null) expect(Object.keys(devices)).toContain(id);
});

describe('a scenario on a measured machine', () => {
  const yaml = (device: string) => `
model: qwen3-0.6b
hardware: {device: ${device}, memory: {dram: {capacity: 16 GiB}}}
engine: {preset: vllm, max_model_len: 4096}
workload: {kind: lengths, arrivals: 0.2 req/s, input_tokens: 128, output_tokens: 16}
run: {requests: 30, warmup: 0 s}
`;
  /** result.json of a scenario on a device. */
  async function resultOn(name: string, device: string): Promise<ResultDocument> {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, yaml(device));
    let out = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += text;
      return true;
    });
    vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    expect(await run(['run', file, '--json', '--no-report', '--bounds', 'off'])).toBe(0);
    vi.restoreAllMocks();
    return JSON.parse(out) as ResultDocument;
  }

  it('has grade and intervals of what was measured, not the assumed shares of a datasheet', async () => {
    writeFileSync(join(folder, 'mine.profile.json'), profileText(machineProfile('mine', runs(), 'x').profile));
    const measured = await resultOn('measured', './mine.profile.json');
    const built = await resultOn('built', 'epyc-9554');
    const share = ({provenance}: ResultDocument, grade: string) =>
      provenance.filter((entry) => entry.grade === grade).reduce((sum, entry) => sum + entry.busy_share, 0);
    expect(share(measured, 'measured')).toBeGreaterThan(0.5);
    expect(share(built, 'measured')).toBe(0);
    const width = ({provenance}: ResultDocument) => provenance.find(({term}) => term === 'linear')!.interval;
    // The datasheet's products may take 0.7 to 2 times as long; ours were made without noise.
    expect(width(built)).toEqual([0.7, 2]);
    expect(width(measured)[1] - width(measured)[0]).toBeLessThan(0.3);
    expect(measured.trust.grade < built.trust.grade).toBe(true);
  });
});

describe('the grade of a profile', () => {
  const quiet = {clean: 1, drift: 0, cv: 0.01, lost: 0, points: 10};
  const good = {kernel: 'gemm.bf16', mape: 0.03};
  it.each([
    ['all quiet', quiet, good, 'A', /clean/],
    ['one in five samples lost time', {...quiet, clean: 0.8}, good, 'B', /^80\.0 % clean samples/],
    ['half the samples lost time', {...quiet, clean: 0.5}, good, 'C', /^50\.0 % clean/],
    ['two in three lost time', {...quiet, clean: 0.33}, good, 'D', /^33\.0 % clean/],
    ['an anchor drifted by 8 %', {...quiet, drift: 0.08}, good, 'B', /^anchors within 8\.0 %/],
    ['times vary by 30 %', {...quiet, cv: 0.3}, good, 'C', /^variation of 30\.0 %/],
    ['a kernel is 12 % off', quiet, {kernel: 'gemm.fp32', mape: 0.12}, 'B', /^worst kernel: gemm\.fp32, 12\.0 %/],
    ['no kernel was fitted', quiet, null, 'D', /^no kernel/],
  ] as const)('%s: what decides stands first', (_what, noise, worst, grade, first) => {
    const judged = graded(noise, worst);
    expect(judged.grade).toBe(grade);
    expect(judged.reasons[0]).toMatch(first);
    expect(judged.reasons).toHaveLength(4);
  });

  it('a machine is contended when most samples lost time or an anchor drifted by more than a quarter', () => {
    expect([quiet, {...quiet, clean: 0.5}, {...quiet, clean: 0.49}, {...quiet, drift: 0.26}].map(isContended)).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  it('noise counts samples, not points, and leaves storage out', () => {
    const [cpu] = runs({clean: 6, drift: -0.07});
    const noise = noiseOf([cpu, {...cpu, device: 'storage', anchors: [{op: 'storage.read', dtype: '', drift: 3}]}]);
    expect(noise.clean).toBeCloseTo(0.6, 12);
    expect(noise.drift).toBe(0.07);
  });
});

describe('a plan', () => {
  const points = [
    {text: 'c', priority: 2, estimate: 1},
    {text: 'a', priority: 0, estimate: 4},
    {text: 'b', priority: 1, estimate: 3},
  ];

  it('keeps the most important points that the time allows, and names the others', () => {
    expect(withinBudget(points, 8).kept.map(({text}) => text)).toEqual(['a', 'b', 'c']);
    const {kept, dropped} = withinBudget(points, 5.5);
    expect([kept.map(({text}) => text), dropped.map(({text}) => text)]).toEqual([['a', 'c'], ['b']]);
    expect(withinBudget(points, 0).dropped).toHaveLength(3);
  });

  it('measures short points twice, the second time when everything as important was measured once', () => {
    const all = [
      {text: 'short', priority: 0, estimate: 0.1},
      {text: 'long', priority: 0, estimate: 0.2},
      {text: 'later', priority: 1, estimate: 0.05},
    ];
    expect(withinBudget(shortTwice(all), 10).kept.map(({text}) => text)).toEqual(['short', 'long', 'later', 'short', 'later']);
  });

  it('reads the list of calib-bench, or its refusal', () => {
    expect(readPoints('{"kind":"point","text":"gemm bf16 m=1","priority":1,"estimate":0.5}\n')).toEqual([
      {text: 'gemm bf16 m=1', priority: 1, estimate: 0.5},
    ]);
    expect(() => readPoints('{"kind":"error","code":"NO_DEVICE","message":"none here"}')).toThrow('NO_DEVICE: none here');
  });

  it('takes a model’s own matrices once each: Llama-3.1-8B has four', () => {
    const texts = modelPoints(tokenMatrices('llama-3.1-8b'), 'bf16').map(({text}) => text);
    expect(texts.filter((text) => text.startsWith('gemm bf16 m=1 '))).toEqual([
      'gemm bf16 m=1 n=6144 k=4096',
      'gemm bf16 m=1 n=4096 k=4096',
      'gemm bf16 m=1 n=28672 k=4096',
      'gemm bf16 m=1 n=4096 k=14336',
    ]);
    expect(texts).toHaveLength(16);
  });

  it('leaves out matrices that the kernels cannot multiply', () => {
    expect(modelPoints([{inputs: 100, outputs: 64}], 'bf16')).toEqual([]);
  });
});

it('names processes that were busy while we measured, busiest first, and not ourselves', () => {
  const at = (a: number, b: number, c: number) =>
    new Map([
      [1, {name: 'miner', seconds: a}],
      [2, {name: 'editor', seconds: b}],
      [3, {name: 'calib-bench', seconds: c}],
    ]);
  expect(busyProcesses(at(5, 0, 0), at(25, 1, 40), 20, new Set(['calib-bench']))).toEqual([{name: 'miner', processors: 1}]);
  expect(busyProcesses(new Map(), at(10, 4, 0), 20, new Set()).map(({name}) => name)).toEqual(['miner', 'editor']);
});

describe('two profiles', () => {
  const fitOf = (machine: typeof plainMachine) => {
    const {fitted, error, kernel} = machineProfile('m', runs({}, machine), 'x').fits.find((fit) => fit.kernel.name === 'gemm.bf16')!;
    return {fitted, error, kernel, grade: 'measured' as const, source: ''};
  };
  const slow = {...plainMachine, P: {...plainMachine.P, bf16: 2e11}, W: 2e10};

  it('half the rate is twice the time, and said', () => {
    const change = changeOf(fitOf(plainMachine), fitOf(slow));
    expect(change.verdict).toBe('slower');
    expect(change.ratio).toBeGreaterThan(1.8);
    expect(change.ratio).toBeLessThan(2.1);
    expect(changeOf(fitOf(slow), fitOf(plainMachine)).verdict).toBe('faster');
  });

  it('equal ones show no difference', () => {
    expect(changeOf(fitOf(plainMachine), fitOf(plainMachine))).toMatchObject({ratio: 1, verdict: 'no difference shown'});
  });

  it('a check compares what is measured now with what the profile says', () => {
    const now = machineProfile('m', runs({}, slow), 'x').groups.find(({kernel}) => kernel.name === 'gemm.bf16')!;
    expect(checkOf(fitOf(plainMachine), now).verdict).toBe('slower');
    expect(checkOf(fitOf(slow), now).verdict).toBe('no difference shown');
    expect(checkOf(fitOf(slow), {...now, samples: [{shape: [1e9, 1, 1], seconds: 1}]}).verdict).toBe('no shape in common');
  });
});
