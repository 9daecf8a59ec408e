import {describe, expect, it} from 'vitest';
import {measuredReaders, readMeasured} from '../../../src/sim/measured/index.js';
import {spreadAt} from '../../../src/sim/measured/measured-run.js';
import {experiment, requestFiles} from '../../support/measured-files.js';

const files = (value: unknown) => new Map([['experiments.json', JSON.stringify(value)]]);

describe('inference-perf', () => {
  it('gives server flags, prompts and stages; what the file does not say is null', () => {
    const [run] = readMeasured(files([experiment()]), 'experiments.json');
    expect(run).toMatchObject({
      id: 'toy',
      format: 'inference-perf',
      engine: {preset: 'vllm', version: null},
      model: 'meta-llama/Llama-2-7b-hf',
      settings: {tensor: 2, maxNumSeqs: 128, maxModelLen: 4096, kvBlocks: null, gpuMemoryUtilization: null, prefixCache: true},
      traffic: {kind: 'repeated-prompts', groups: 2, promptsPerGroup: 3, systemTokens: 32, outputTokens: 11},
      observedAt: 'client',
    });
    expect(run.stages).toHaveLength(1);
    expect(run.stages[0]).toMatchObject({name: '4 req/s', rate: 4, requests: 240, mediansOnly: null});
  });

  it('takes TPOT from the means and the forced output length, not from text that was tokenised again', () => {
    const [run] = readMeasured(files([experiment()]), 'x');
    expect(run.stages[0].tpot.mean).toBeCloseTo((0.52 - 0.02) / 10, 12);
  });

  it('judges a stage by medians when first tokens have a start-up transient that the whole time does not know', () => {
    const slowStart = experiment({ttft_s: {mean: 0.04, median: 0.02, p99: 0.9}, e2e_s: {mean: 0.54, median: 0.52}});
    const [run] = readMeasured(files([slowStart]), 'x');
    expect(run.stages[0].mediansOnly).toMatch(/start-up transient: mean TTFT is 100 % above/);
  });

  it('names what is missing, with the way to it', () => {
    const {server: _server, ...rest} = experiment();
    expect(() => readMeasured(files([rest]), 'x')).toThrow('experiments.json[0] server: missing');
  });
});

describe('vllm-requests', () => {
  it('counts latencies from arrival, with the engine’s clock moved to the request that was queued at once', () => {
    // The wall clock is 900 s ahead; the second request waited 5 ms before the engine saw it.
    const [run] = readMeasured(requestFiles(), 'folder');
    expect(run.traffic).toMatchObject({
      kind: 'recorded',
      blockTokens: 16,
      requests: [
        {arrival: 0, input: 40, output: 3, ids: [[1, 2]], ttft: expect.closeTo(0.1, 9), e2e: expect.closeTo(0.2, 9)},
        {
          arrival: expect.closeTo(0.5, 9),
          input: 33,
          output: 1,
          ids: [
            [1, 1],
            [3, 1],
          ],
          ttft: expect.closeTo(0.105, 9),
        },
      ],
    });
    expect(run).toMatchObject({
      engine: {preset: 'vllm', version: '0.19.0'},
      settings: {kvBlocks: 2588, blockSize: 16, gpuMemoryUtilization: 0.9},
      observedAt: 'engine',
    });
    expect(run.stages[0].tpot.mean).toBeCloseTo(0.05, 9); // one output token has no TPOT
  });

  it('reads a run without its prompts: then nothing can be shared', () => {
    const files = new Map([...requestFiles()].filter(([name]) => !name.includes('blocks')));
    expect(readMeasured(files, 'folder')[0].traffic).toMatchObject({blockTokens: 0, requests: [{ids: []}, {ids: []}]});
  });

  it('refuses prompts of another run', () => {
    const files = new Map(requestFiles());
    files.set('w.blocks16.jsonl', '{"h":[[1,2]]}\n');
    expect(() => readMeasured(files, 'folder')).toThrow('w.blocks16.jsonl has 1 rows, the run 2 requests');
  });

  it('names the line of a request that is damaged', () => {
    const files = new Map(requestFiles());
    files.set('requests.jsonl', '{"arrival_time": 1}\n');
    expect(() => readMeasured(files, 'folder')).toThrow('requests.jsonl:1 queued_ts: missing');
  });
});

it('says what formats are known when none fits', () => {
  expect(() => readMeasured(new Map([['a.json', '{}']]), 'a.json')).toThrow(/a\.json holds no measured run.*inference-perf.*vllm-requests/);
  expect(Object.keys(measuredReaders)).toEqual(['inference-perf', 'vllm-requests']);
});

it('reads a spread between the quantiles that are known', () => {
  const spread = {
    mean: 0,
    median: 10,
    points: [
      [0, 0],
      [0.5, 10],
      [1, 30],
    ] as const,
  };
  expect([0, 0.25, 0.5, 0.75, 1].map((share) => spreadAt(spread, share))).toEqual([0, 5, 10, 20, 30]);
});
