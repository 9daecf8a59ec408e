import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, afterEach, describe, expect, it, vi} from 'vitest';
import {fitSteps, heldOut, predictStep} from '../../calibrate/llama/fit.js';
import {randomBlocks, type TensorFormatName, tensorFormats} from '../../calibrate/llama/formats.js';
import {ggufLayout} from '../../calibrate/llama/gguf.js';
import {launchesOf} from '../../calibrate/llama/launches.js';
import {type MeasuredStep, noiseOfSteps, summary} from '../../calibrate/llama/measure.js';
import {calibrationPlan, validationPlan} from '../../calibrate/llama/plan.js';
import {deviceOf, type EngineMachine, engineProfileFiles} from '../../calibrate/llama/profile.js';
import {findPeer, LlamaSession, type Point} from '../../calibrate/llama/session.js';
import {type LlamaShape, llmOf} from '../../calibrate/llama/shape.js';
import {SyntheticFiles} from '../../calibrate/llama/temporary.js';
import {fittedEngine, meanError, validationRows} from '../../calibrate/llama/validate.js';
import {profileText} from '../../calibrate/profile.js';
import {run} from '../../src/cli.js';
import {kernelNamed} from '../../src/models/cost/fit/kernels/index.js';
import {resolveDevice} from '../../src/models/devices/index.js';
import {literal} from '../../src/models/devices/literal.js';
import {paramCounts, weightBytes} from '../../src/models/llms/index.js';
import type {ResultDocument} from '../../src/sim/scenario/result.js';
import {readGguf} from '../support/gguf.js';

const folder = mkdtempSync(join(tmpdir(), 'tiercast-test-llama-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));
afterEach(() => vi.restoreAllMocks());

/** The peer, where it is installed: beside the package, or where TIERCAST_LLAMA says. */
const peer = (() => {
  try {
    return findPeer(process.env['TIERCAST_LLAMA']);
  } catch {
    return null;
  }
})();

const tiny: LlamaShape = {layers: 2, hidden: 256, heads: 4, kvHeads: 2, headDim: 64, width: 512, vocab: 512, format: 'q8_0'};
const formatNames = Object.keys(tensorFormats) as TensorFormatName[];

describe('a synthetic GGUF file', () => {
  it('states the shape in the words that llama.cpp reads', () => {
    const {metadata, version} = readGguf(ggufLayout(tiny).header);
    expect(version).toBe(3);
    expect(metadata).toMatchObject({
      'general.architecture': 'llama',
      'general.file_type': 7,
      'llama.block_count': 2,
      'llama.embedding_length': 256,
      'llama.feed_forward_length': 512,
      'llama.attention.head_count': 4,
      'llama.attention.head_count_kv': 2,
      'llama.rope.dimension_count': 64,
      'llama.vocab_size': 512,
    });
  });

  it('has a vocabulary of as many tokens as rows, with one for each byte', () => {
    const {metadata} = readGguf(ggufLayout(tiny).header);
    const tokens = metadata['tokenizer.ggml.tokens'] as string[];
    expect(tokens).toHaveLength(512);
    expect(tokens.slice(0, 4)).toEqual(['<unk>', '<s>', '</s>', '<0x00>']);
    expect(tokens[258]).toBe('<0xFF>');
    expect(new Set(tokens).size).toBe(512);
    expect((metadata['tokenizer.ggml.token_type'] as number[]).slice(0, 4)).toEqual([2, 3, 3, 6]);
    expect(metadata['tokenizer.ggml.scores']).toHaveLength(512);
  });

  it('lists every matrix with its inputs first, at aligned places that do not overlap', () => {
    const layout = ggufLayout(tiny);
    const {tensors, data} = readGguf(layout.header);
    expect(data).toBe(layout.header.length);
    expect(tensors.map(({name}) => name)).toContain('blk.1.ffn_down.weight');
    expect(tensors.find(({name}) => name === 'blk.0.attn_k.weight')).toMatchObject({dims: [256, 128], type: 8});
    expect(tensors.find(({name}) => name === 'blk.0.attn_norm.weight')).toMatchObject({dims: [256], type: 0});
    let end = 0;
    for (const [i, {offset}] of tensors.entries()) {
      expect(offset % 32).toBe(0);
      expect(offset).toBeGreaterThanOrEqual(end);
      end = offset + layout.tensors[i].bytes;
    }
    expect(layout.bytes).toBe(data + Math.ceil(end / 32) * 32);
  });

  it.each(formatNames)('takes as many bytes in %s as the simulator says', (format) => {
    const shape = {...tiny, format};
    const matrices = ggufLayout(shape).tensors.filter((tensor) => tensor.format !== 'fp32');
    const norms = (2 * tiny.layers + 1) * tiny.hidden;
    const bytes = matrices.reduce((sum, tensor) => sum + tensor.bytes, 0);
    // The simulator keeps norms in 16 bits.
    expect(bytes).toBe(weightBytes(llmOf(shape)) - 2 * norms);
  });

  it.each(formatNames)('has random %s blocks with scales that are finite and small', (format) => {
    const blocks = randomBlocks(format, 3);
    const {bytes} = tensorFormats[format];
    expect(blocks.length % bytes).toBe(0);
    expect(Buffer.compare(randomBlocks(format, 3), blocks)).toBe(0);
    expect(Buffer.compare(randomBlocks(format, 4), blocks)).not.toBe(0);
    const first = new DataView(blocks.buffer).getUint16(0, true);
    const last = new DataView(blocks.buffer).getUint16(blocks.length - bytes, true);
    const exponent = format === 'bf16' ? (word: number) => ((word >> 7) & 255) - 127 : (word: number) => ((word >> 10) & 31) - 15;
    for (const word of [first, last]) {
      expect(exponent(word)).toBeLessThanOrEqual(-6);
      expect(exponent(word)).toBeGreaterThan(-15);
    }
  });

  it('lies in a folder that goes with its files, and is as long as it says', () => {
    const files = new SyntheticFiles(folder);
    const path = files.write(tiny, 1);
    expect(statSync(path).size).toBe(ggufLayout(tiny).bytes);
    const read = readGguf(readFileSync(path));
    expect(read.tensors).toHaveLength(3 + 9 * 2);
    files.remove();
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith('tiercast-llama-'))).toEqual([]);
  });

  it('that a killed process left is removed by the next', () => {
    const left = join(folder, 'tiercast-llama-999999999-abc');
    mkdirSync(left);
    writeFileSync(join(left, '0.gguf'), 'x');
    new SyntheticFiles(folder).remove();
    expect(existsSync(left)).toBe(false);
  });

  it('is not written when a run would write more than 2 GiB, or it would take more than a quarter of the free memory', () => {
    const files = new SyntheticFiles(folder);
    const huge = {...tiny, layers: 400, hidden: 8192, width: 28_672, heads: 128, kvHeads: 128};
    expect(() => files.write(huge, 1)).toThrow(/stay free|at most|free memory/);
    expect(readdirSync(files.folder)).toEqual([]);
    files.remove();
  });

  it('cannot go into a folder that is not there: the reason names it', () => {
    expect(() => new SyntheticFiles(join(folder, 'none'))).toThrow(/none: no folder for synthetic models/);
  });
});

const figure = (value: string) => ({value, grade: 'measured' as const, source: 'test'});
const plain = resolveDevice(
  'plain',
  {
    kind: 'cpu',
    vendor: 'none',
    name: 'plain',
    memory: {dram: {bandwidth: figure('10 GB/s')}},
    compute: {fp16: figure('1 TFLOP/s')},
    links: {},
  },
  literal,
);

/** A machine of our own making: 20 GB/s, 400 GFLOP/s in products, 2 µs a launch, 500 µs a step and 50 µs a sequence. */
function invented(shape: LlamaShape, point: Point): number {
  const work = {flops: 0, bytes: 0};
  let sum = 500e-6 + 50e-6 * point.batch;
  for (const {kernel, shape: at, count} of launchesOf(shape, point, plain)) {
    kernelNamed(kernel).work(at, work);
    const product = kernel.startsWith('gemm');
    const attention = kernel.startsWith('attn');
    const flops = work.flops / (product ? 400e9 : attention ? 50e9 : Number.POSITIVE_INFINITY);
    const bytes = work.bytes / (kernel === 'attn.prefill.fp16' ? Number.POSITIVE_INFINITY : 20e9);
    sum += count * (Math.hypot(flops, bytes) + (attention ? 0 : 2e-6));
  }
  return sum;
}

function stepsOf(formats: readonly TensorFormatName[]): MeasuredStep[] {
  return calibrationPlan(formats).flatMap(({shape, points}) =>
    points.map((point) => ({shape, point, seconds: invented(shape, point), samples: 5, clean: 5, cv: 0.01, lost: 0})),
  );
}

describe('fitting whole steps', () => {
  it('counts the feed-forward of the last layer for the rows that emit only', () => {
    const launches = launchesOf(tiny, {batch: 1, tokens: 64, depth: 0, cold: true}, plain);
    const up = launches.filter(({shape: [, n, k]}) => n === 1024 && k === 256);
    expect(up).toEqual([
      {kernel: 'gemm.q8_0', shape: [64, 1024, 256], count: 1},
      {kernel: 'gemm.q8_0', shape: [1, 1024, 256], count: 1},
    ]);
    expect(launches.find(({shape: [m, n]}) => m === 1 && n === 512)?.count).toBe(1);
    expect(launches.find(({kernel}) => kernel === 'attn.prefill.fp16')).toEqual({
      kernel: 'attn.prefill.fp16',
      shape: [1, 64, 0, 4, 2, 64, 0],
      count: 2,
    });
  });

  it('finds the rates and times of a machine that keeps to them', () => {
    const steps = stepsOf(['q4_0']);
    const fit = fitSteps(steps, plain);
    const errors = steps.map((step) => Math.abs(predictStep(fit, step, plain) / step.seconds - 1));
    expect(Math.max(...errors)).toBeLessThan(0.02);
    expect(fit.step + fit.sequence).toBeGreaterThan(450e-6);
    expect(fit.step + fit.sequence).toBeLessThan(650e-6);
    expect(Number(String(fit.kernels.get('gemm.q4_0')!['W']).split(' ')[0])).toBeCloseTo(20, 0);
  });

  it('predicts a shape that it did not see, and larger models of the validation, through the cost that a simulation uses', () => {
    const steps = stepsOf(['q4_0', 'q8_0']);
    expect(heldOut(steps, plain).all.mape).toBeLessThan(0.05);
    const machine: EngineMachine = {
      cpu: 'test',
      memory: 2 ** 34,
      peer: '0',
      ready: {gpu: false, release: '0', system: '', threads: 1, devices: [], vram: null},
    };
    const made = engineProfileFiles('test', {steps, drifts: [0]}, machine, '2026-01-01');
    expect(made.grade).toBe('A');
    const run = validationPlan(['q4_0', 'q8_0']).flatMap(({shape, points}) =>
      points.map((point) => ({shape, point, seconds: invented(shape, point), samples: 5, clean: 5, cv: 0, lost: 0})),
    );
    const rows = validationRows(run, deviceOf('test', made, machine), fittedEngine(made.fit));
    expect(meanError(rows)).toBeLessThan(0.05);
    // A simulation computes the whole last layer.
    expect(Math.max(...rows.map(({error}) => Math.abs(error)))).toBeLessThan(0.1);
  });

  it('a run with both profiles takes as long a token as the machine would, by measured kernels', async () => {
    const machine: EngineMachine = {
      cpu: 'test',
      memory: 2 ** 35,
      peer: '0',
      ready: {gpu: false, release: '0', system: '', threads: 1, devices: [], vram: null},
    };
    const made = engineProfileFiles('mine', {steps: stepsOf(['q4_0']), drifts: [0]}, machine, '2026-01-01');
    writeFileSync(join(folder, 'mine.profile.json'), profileText(made.device));
    writeFileSync(join(folder, 'mine.engine.json'), JSON.stringify(made.engine));
    writeFileSync(
      join(folder, 'mine.yaml'),
      `model: {name: llama-3.2-1b, quantization: q4_0}
hardware: {device: ./mine.profile.json}
engine: {preset: llama.cpp, profile: ./mine.engine.json, max_model_len: 4096}
workload: {kind: lengths, arrivals: 0.01 req/s, input_tokens: 128, output_tokens: 16}
run: {requests: 30, warmup: 0 s}
`,
    );
    let out = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += text;
      return true;
    });
    vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    expect(await run(['run', join(folder, 'mine.yaml'), '--json', '--no-report', '--bounds', 'off'])).toBe(0);
    vi.restoreAllMocks();
    const {
      provenance,
      metrics: {tpot_s},
    } = JSON.parse(out) as ResultDocument;
    const measured = provenance.filter(({grade}) => grade === 'measured').reduce((sum, entry) => sum + entry.busy_share, 0);
    expect(measured).toBeGreaterThan(0.9);
    const shape = {...tiny, layers: 16, hidden: 2048, heads: 32, kvHeads: 8, width: 8192, vocab: 128_256, format: 'q4_0' as const};
    const expected = invented(shape, {batch: 1, tokens: 1, depth: 136, cold: true});
    expect(tpot_s.mean! / expected).toBeGreaterThan(0.95);
    expect(tpot_s.mean! / expected).toBeLessThan(1.05);
  });

  it('refuses fewer steps than constants', () => {
    expect(() => fitSteps(stepsOf(['q4_0']).slice(0, 5), plain)).toThrow(/5 steps are too few for \d+ constants/);
  });

  it('the models of the validation have 0.3 to 1.5 billion parameters, two formats, and shapes that the calibration has not', () => {
    const models = validationPlan(['q4_0', 'q8_0']).map(({shape}) => shape);
    const seen = new Set(calibrationPlan(['q4_0']).map(({shape: {hidden, width}}) => `${hidden}/${width}`));
    for (const shape of models) {
      expect(paramCounts(llmOf(shape)).total).toBeGreaterThan(0.3e9);
      expect(paramCounts(llmOf(shape)).total).toBeLessThan(1.5e9);
      expect(seen.has(`${shape.hidden}/${shape.width}`)).toBe(false);
    }
    expect(new Set(models.map(({format}) => format)).size).toBe(2);
    const written = [...models, ...calibrationPlan(['q4_0', 'q8_0']).map(({shape}) => shape)];
    expect(written.reduce((sum, shape) => sum + ggufLayout(shape).bytes, 0)).toBeLessThan(2 * 2 ** 30);
  });
});

describe('the samples of a step', () => {
  it('the first quartile of the clean ones counts', () => {
    const all = [10, 1, 2, 3, 4, 5].map((seconds) => ({seconds, lost: seconds === 10 ? 0.5 : 0}));
    expect(summary(all, all.slice(1))).toMatchObject({seconds: 2, samples: 6, clean: 5});
  });

  it('a machine where nothing is clean is seen by the share that is', () => {
    const all = [1, 2, 3, 4].map((seconds) => ({seconds, lost: 0.4}));
    const step = {shape: tiny, point: {batch: 1, tokens: 1, depth: 0, cold: true}, ...summary(all, [])};
    expect(noiseOfSteps({steps: [step], drifts: [-0.3]})).toMatchObject({clean: 0, drift: 0.3, lost: 0.4});
  });
});

/** Runs the command line with its output caught. */
async function caught(...argv: string[]): Promise<{code: number; err: string}> {
  let err = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += text;
    return true;
  });
  return {code: await run(['calibrate', '--engine', ...argv]), err};
}

describe('tiercast calibrate --engine', () => {
  it('without the peer ends with 2 and one line that says how to get it', async () => {
    const {code, err} = await caught('llama.cpp', '--engine-path', folder);
    expect(code).toBe(2);
    expect(err).toContain(
      `llama.cpp: node-llama-cpp is not in ${folder}; \`npm install --ignore-scripts node-llama-cpp\`, and --engine-path`,
    );
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('names the engines and formats there are', async () => {
    expect(await caught('lama.cpp')).toMatchObject({code: 2, err: expect.stringContaining('did you mean "llama.cpp"')});
    expect(await caught('llama.cpp', '--quantization', 'q4_9')).toMatchObject({code: 2, err: expect.stringContaining('q4_0')});
  });

  it('says what is wrong with a peer that does not start', async () => {
    const fake = join(folder, 'fake');
    mkdirSync(fake);
    writeFileSync(
      join(fake, 'package.json'),
      JSON.stringify({name: 'node-llama-cpp', version: '0', type: 'module', exports: {'.': {import: './i.js'}}}),
    );
    writeFileSync(
      join(fake, 'i.js'),
      "export const LlamaLogLevel = {}; export const getLlama = () => { throw new Error('no binary for this machine'); };",
    );
    expect(await caught('llama.cpp', '--engine-path', fake, '--folder', folder)).toMatchObject({
      code: 2,
      err: expect.stringContaining('llama.cpp: no binary for this machine'),
    });
    writeFileSync(join(fake, 'i.js'), "process.kill(process.pid, 'SIGSEGV'); export const getLlama = null;");
    expect(await caught('llama.cpp', '--engine-path', fake, '--folder', folder)).toMatchObject({
      code: 2,
      err: expect.stringContaining('by SIGSEGV'),
    });
    expect(readdirSync(folder).filter((name) => name.startsWith('tiercast-llama-'))).toEqual([]);
  });

  it('an interrupt ends with 130 and leaves neither profile nor file', async () => {
    const hanging = join(folder, 'hanging');
    mkdirSync(hanging);
    writeFileSync(
      join(hanging, 'package.json'),
      JSON.stringify({name: 'node-llama-cpp', version: '0', type: 'module', exports: {'.': {import: './i.js'}}}),
    );
    writeFileSync(
      join(hanging, 'i.js'),
      'export const LlamaLogLevel = {}; export const getLlama = () => new Promise(() => setInterval(() => {}, 1000));',
    );
    const out = join(folder, 'interrupted.json');
    const ended = caught('llama.cpp', '--engine-path', hanging, '--folder', folder, '--out', out);
    await vi.waitFor(() => expect(readdirSync(folder).some((name) => name.startsWith('tiercast-llama-'))).toBe(true), {timeout: 20_000});
    process.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toMatchObject({code: 130, err: expect.stringContaining('stopped: no profile was written')});
    expect(readdirSync(folder).filter((name) => name.startsWith('tiercast-llama-') || name === 'interrupted.json')).toEqual([]);
  });

  it.skipIf(peer === null)(
    `loads a synthetic model and times its steps${peer === null ? ' (node-llama-cpp is not installed)' : ''}`,
    async () => {
      const files = new SyntheticFiles(folder);
      const {session, ready} = await LlamaSession.start(peer!, 'cpu', 1, new AbortController().signal);
      expect(ready).toMatchObject({gpu: false, threads: 1});
      for (const format of formatNames) {
        const path = files.write({...tiny, format}, 1);
        await session.load(path, {sequences: 2, context: 256, tokens: 64});
        files.drop(path);
        expect(existsSync(path)).toBe(false);
        for (const point of [
          {batch: 1, tokens: 32, depth: 0, cold: false},
          {batch: 2, tokens: 1, depth: 40, cold: false},
        ]) {
          const {seconds} = await session.sample(point);
          expect(seconds).toBeGreaterThan(0);
        }
        await session.unload();
      }
      session.stop();
      files.remove();
    },
    60_000,
  );
});
