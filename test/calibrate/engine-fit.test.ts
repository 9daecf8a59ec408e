import {describe, expect, it} from 'vitest';
import {chosenRuns} from '../../calibrate/engine-fit/choose.js';
import {deploymentOf} from '../../calibrate/engine-fit/deployment.js';
import {engineDocument} from '../../calibrate/engine-fit/document.js';
import {fitEngine} from '../../calibrate/engine-fit/fit.js';
import {engineParameters} from '../../calibrate/engine-fit/parameters.js';
import {predictRun} from '../../calibrate/engine-fit/predict.js';
import {fitLines} from '../../calibrate/engine-fit/table.js';
import {measuredTrace} from '../../calibrate/engine-fit/traffic.js';
import {deviceNamed, llmNamed} from '../../calibrate/names.js';
import type {EngineProfile} from '../../src/models/engines/engine.js';
import {quantities} from '../../src/sim/core/quantity.js';
import {readMeasured} from '../../src/sim/measured/index.js';
import type {MeasuredRun} from '../../src/sim/measured/measured-run.js';
import {readEngineFile} from '../../src/sim/scenario/resolve/engine-profile.js';
import {experiment, requestFiles} from '../support/measured-files.js';

const [toy] = readMeasured(new Map([['e.json', JSON.stringify([experiment()])]]), 'e.json');
const [recorded] = readMeasured(requestFiles(), 'folder');

describe('the traffic of a run', () => {
  it('repeats its prompts in turn, those of a group sharing the whole blocks of their system prompt', () => {
    const {trace, stages} = measuredTrace(toy, 16, {limit: 12});
    const ids = Array.from({length: 12}, (_, row) => [...trace.ids.slice(trace.offsets[row], trace.offsets[row + 1])]);
    expect(stages).toEqual([{from: 0, to: 12}]);
    expect(ids[6]).toEqual(ids[0]); // six prompts in all
    expect(ids[2].slice(0, 2)).toEqual(ids[0].slice(0, 2)); // groups alternate; 32 tokens are two blocks
    expect(ids[1].slice(0, 2)).not.toEqual(ids[0].slice(0, 2));
    expect(ids[2][2]).not.toBe(ids[0][2]);
    expect(ids.map((row) => row.length)).toEqual([...trace.inputs].map((tokens) => Math.floor(tokens / 16)));
  });

  it('has prompt lengths spread as measured, and forced outputs', () => {
    const {trace} = measuredTrace(toy, 16, {limit: 6});
    expect([...trace.inputs]).toEqual([61, 63, 64, 66, 68, 69]);
    expect([...trace.outputs]).toEqual(Array(6).fill(11));
  });

  it('fills a stage exactly, with unequal gaps that the seed decides', () => {
    const {trace} = measuredTrace(toy, 16);
    expect(trace.times[239] / 1e9).toBeCloseTo(60, 6); // 240 requests at 4 a second
    const gaps = Array.from(trace.times, (time, i) => (i === 0 ? time : time - trace.times[i - 1]));
    expect(new Set(gaps).size).toBeGreaterThan(200);
    expect(measuredTrace(toy, 16).trace.times).toEqual(trace.times);
    expect(measuredTrace(toy, 16, {seed: 2}).trace.times).not.toEqual(trace.times);
  });

  it('replays recorded requests when they came', () => {
    const {trace} = measuredTrace(recorded, 16);
    expect([...trace.times]).toEqual([0, expect.closeTo(5e8, -1)]);
    expect([...trace.ids]).toEqual([1, 2, 1, 3]);
  });
});

describe('the deployment of a run', () => {
  it('has its flags, and the engine’s defaults where the run says nothing', async () => {
    const scenario = await deploymentOf(recorded);
    expect(scenario).toMatchObject({
      llm: {name: 'llama-3.1-8b'},
      device: {id: 'rtx-4090'},
      engine: {preset: 'vllm', version: '0.19.0'},
      maxModelLen: 32_768,
      gpuMemoryUtilization: 0.9,
      kv: {blocks: 2588, blockSize: 16},
    });
    expect((await deploymentOf(toy)).parallel.tensor).toBe(2);
  });

  it('delivers nothing when latencies were taken inside the engine', async () => {
    const slow = withConstants((await deploymentOf(recorded)).engine, {request: 1, delivery: 1});
    const {comparisons} = predictRun({...(await deploymentOf(recorded)), engine: slow}, recorded);
    expect(comparisons.find(({metric}) => metric === 'ttft')!.predicted).toBeLessThan(0.5);
  });
});

/** The toy run at two loads, as an engine with these constants would have measured it. */
async function measuredWith(constants: Partial<Record<keyof typeof engineParameters, number>>): Promise<MeasuredRun> {
  const stages = [4, 30].map((rate) => ({...toy.stages[0], name: `${rate} req/s`, rate, requests: 300}));
  const traffic = {...toy.traffic, outputTokens: 200} as MeasuredRun['traffic'];
  const run = {...toy, settings: {...toy.settings, tensor: 1}, traffic, stages};
  const scenario = await deploymentOf(run);
  const {comparisons} = predictRun({...scenario, engine: withConstants(scenario.engine, constants)}, run);
  const of = (stage: string, metric: string, statistic: string) =>
    comparisons.find((one) => one.stage === stage && one.metric === metric && one.statistic === statistic)!.predicted;
  return {
    ...run,
    stages: stages.map((stage) => ({
      ...stage,
      ttft: {mean: of(stage.name, 'ttft', 'mean'), median: of(stage.name, 'ttft', 'median'), points: []},
      tpot: {mean: of(stage.name, 'tpot', 'mean')},
      e2e: {mean: of(stage.name, 'e2e', 'mean'), median: of(stage.name, 'e2e', 'median'), points: []},
    })),
  };
}

function withConstants(engine: EngineProfile, constants: Partial<Record<keyof typeof engineParameters, number>>): EngineProfile {
  return Object.entries(constants).reduce(
    (one, [name, value]) => engineParameters[name as keyof typeof engineParameters].put(one, {value, grade: 'assumed', source: 'truth'}),
    engine,
  );
}

describe('an engine fit', () => {
  it('finds the constants that a run was made with, and says which it does not tell', async () => {
    const truth = {request: 9e-3, delivery: 300e-6, launch: 40e-6};
    const run = await measuredWith(truth);
    const fit = fitEngine([{run, scenario: await deploymentOf(run)}]);
    const found = Object.fromEntries(fit.parameters.map((one) => [one.name, one]));
    expect(found.request.value / truth.request).toBeCloseTo(1, 1);
    expect(found.launch.value / truth.launch).toBeCloseTo(1, 1);
    expect(Math.abs(found.delivery.value / truth.delivery - 1)).toBeLessThan(0.3);
    expect(fit.misfit.fitted).toBeLessThan(0.1 * fit.misfit.prior);
    expect(fit.engine.overhead.request).toMatchObject({grade: 'fitted', source: 'calibrate fit-engine on toy'});
    // With two steps in flight the host's own work hides behind the device.
    expect(fit.engine.inFlight).toBe(2);
    expect(found.sequence).toMatchObject({identified: false});
    expect(fit.engine.overhead.sequence.grade).toBe('assumed');
    const document = engineDocument(fit, [{id: run.id, engine: 'vLLM', stages: run.stages.map(({name}) => name)}]);
    expect(document.fit.not_identified).toEqual(expect.arrayContaining(['sequence', 'reserve']));
    expect(fitLines(document).join('\n')).toMatch(/sequence .*no: stays near its prior/);
  }, 60_000);

  it('writes a profile that a scenario reads back to the same engine', async () => {
    const run = await measuredWith({request: 6e-3});
    const scenario = await deploymentOf(run);
    const fit = fitEngine([{run, scenario}], {limit: 100});
    const text = JSON.stringify(engineDocument(fit, []));
    const read = readEngineFile(text, 'vllm.engine.json', await quantities()).apply(scenario.engine);
    expect(read.overhead.request.value / fit.engine.overhead.request.value).toBeCloseTo(1, 5);
    expect(read.overhead.request).toMatchObject({grade: fit.engine.overhead.request.grade, source: fit.engine.overhead.request.source});
    expect(read.inFlight).toBe(fit.engine.inFlight);
  }, 60_000);

  it('is the same when it is done again', async () => {
    const run = await measuredWith({request: 6e-3});
    const refit = async () => fitEngine([{run, scenario: await deploymentOf(run)}], {limit: 60}).parameters;
    expect(await refit()).toEqual(await refit());
  }, 60_000);

  it('takes the reserved memory from the block count that a run reports', async () => {
    const scenario = await deploymentOf(recorded);
    const {engine, reserve} = fitEngine([{run: recorded, scenario}]);
    expect(reserve!.runs).toEqual([{run: recorded.id, recorded: 2588, derived: expect.any(Number)}]);
    const {derivePlan} = await import('../../src/sim/scenario/plan-derivation.js');
    expect(derivePlan({...scenario, engine, kv: {...scenario.kv, blocks: null}}).derivedBlocks).toBe(2588);
  }, 60_000);

  it('refuses runs of different versions, and no run at all', async () => {
    const scenario = await deploymentOf(recorded);
    const other = {run: toy, scenario: await deploymentOf(toy)};
    expect(() => fitEngine([{run: recorded, scenario}, other])).toThrow(
      /runs are of vllm 0\.19\.0 and vllm 0\.24; an engine fit takes runs of one version/,
    );
    expect(() => fitEngine([])).toThrow(/no measured run to fit to/);
  });
});

describe('--only', () => {
  const runs = [toy, {...toy, id: 'other', stages: [8, 20].map((rate) => ({...toy.stages[0], name: `${rate} req/s`}))}];

  it('chooses runs by a part of their name, and stages after @', () => {
    expect(chosenRuns(runs, ['other@20']).map(({id, stages}) => [id, stages.map(({name}) => name)])).toEqual([['other', ['20 req/s']]]);
    expect(chosenRuns(runs, ['to', 'other'])).toHaveLength(2);
    expect(chosenRuns(runs, [])).toEqual(runs);
  });

  it('refuses a word that names nothing, with what there is', () => {
    expect(() => chosenRuns(runs, ['third'])).toThrow(/"third" names no run; known: toy \(4 req\/s\); other \(8 req\/s, 20 req\/s\)/);
  });
});

describe('names in tables', () => {
  it.each([
    ['NVIDIA GeForce RTX 4090', 'rtx-4090'],
    ['4090 24GB', 'rtx-4090'],
    ['3090 24GB', 'rtx-3090'],
    ['H100 SXM 80 GB', 'h100-sxm'],
    ['h100-sxm', 'h100-sxm'],
    ['A100 PCIe 80GB', 'a100-pcie-80gb'],
    ['GTX 4090', null],
    ['H100', null],
    ['Pi 5 - 16GB', null],
  ])('%s is %s', (text, id) => expect(deviceNamed(text)).toBe(id));

  it.each([
    ['meta-llama/Llama-2-7b-hf', 'llama-2-7b'],
    ['Meta-Llama-3.1-8B-Instruct', 'llama-3.1-8b'],
    ['mistralai/Mixtral-8x7B-v0.1', 'mixtral-8x7b'],
    ['Llama-3-70B', 'llama-3-70b'],
    ['Qwen3-30B-A3B-UD-Q4_K_XL', null],
    ['my-model', null],
  ])('%s is %s', (text, name) => expect(llmNamed(text)).toBe(name));
});
