import {createRequire} from 'node:module';
import {describe, expect, it} from 'vitest';
import {addon, type Line, missing, runBench} from '../support/native.js';

const kinds = (lines: readonly Line[]) => lines.map(({kind}) => kind);
const ofKind = (lines: readonly Line[], kind: string) => lines.filter((line) => line.kind === kind);

describe.skipIf(missing.bench !== null)(`calib-bench${missing.bench === null ? '' : ` (${missing.bench})`}`, () => {
  it('says first what the machine is and last how it ended', async () => {
    const {code, lines} = await runBench(['--plan', 'tiny', '--op', 'mem.read']);
    expect(code).toBe(0);
    expect(lines[0]).toMatchObject({
      kind: 'env',
      v: 1,
      device: 'cpu',
      machine: {processors: expect.any(Number), memoryTotal: expect.any(Number)},
    });
    expect(lines.at(-1)).toMatchObject({kind: 'end', ending: 'done'});
    expect(kinds(lines).filter((kind) => kind === 'env' || kind === 'end')).toHaveLength(2);
  });

  it('measures exactly the points that it is given, in an order that depends on the seed only', async () => {
    const points = [256, 512, 768, 1024].map((k) => `gemm fp32 m=3 n=64 k=${k} threads=1`);
    const order = async (seed: string) => {
      const {lines} = await runBench(['--plan', 'tiny', '--points', '-', '--seed', seed], {}, points.join('\n'));
      return ofKind(lines, 'sample').map(({shape}) => (shape as {k: number}).k);
    };
    const first = await order('1');
    expect([...first].sort((a, b) => a - b)).toEqual([256, 512, 768, 1024]);
    expect(await order('1')).toEqual(first);
    const others = await Promise.all(['2', '3', '4'].map(order));
    expect(others.some((other) => other.join() !== first.join())).toBe(true);
  });

  it('counts FLOP and bytes of a product: 2mnk, and weights, inputs and outputs once', async () => {
    const {lines} = await runBench(['--points', '-', '--plan', 'tiny'], {}, 'gemm bf16 m=2 n=128 k=64');
    const [sample] = ofKind(lines, 'sample');
    expect(sample).toMatchObject({status: 'ok', flops: 2 * 2 * 128 * 64, bytes: 2 * 128 * 64 + 4 * 2 * 64 + 4 * 2 * 128});
    const {min, p25, p50, p90, n, clean} = sample['t'] as Record<string, number>;
    expect(min).toBeGreaterThan(0);
    expect([min, p25, p50, p90]).toEqual([min, p25, p50, p90].sort((a, b) => a - b));
    expect(clean).toBeLessThanOrEqual(n);
  });

  it('lists the points of a plan, each in the words that --points reads', async () => {
    const listed = await runBench(['--plan', 'tiny', '--op', 'gemm', '--list']);
    const texts = ofKind(listed.lines, 'point').map(({text}) => String(text));
    expect(texts.length).toBeGreaterThanOrEqual(8);
    const {lines} = await runBench(['--plan', 'tiny', '--points', '-'], {}, texts.join('\n'));
    expect(ofKind(lines, 'sample')).toHaveLength(texts.length);
  });

  it('names every point that the budget left out, and ends with 5', async () => {
    const {code, lines} = await runBench(['--plan', 'tiny', '--op', 'gemm', '--budget', '0.000001']);
    expect(code).toBe(5);
    expect(lines.at(-1)).toMatchObject({ending: 'partial'});
    const samples = ofKind(lines, 'sample');
    expect(samples.length).toBeGreaterThanOrEqual(8);
    for (const sample of samples) expect(sample).toMatchObject({status: 'skipped', code: 'BUDGET'});
  });

  it.each([
    [['--device', 'abacus'], 'NO_DEVICE', /no devices of the class "abacus" in this build; it has cpu/],
    [['--op', 'gem'], 'USAGE', /unknown op "gem"; cpu has mem\.read/],
  ])('%j is an error line and 2', async (argv, code, message) => {
    const ended = await runBench(['--plan', 'tiny', ...argv]);
    expect(ended.code).toBe(2);
    expect(ended.lines).toEqual([expect.objectContaining({kind: 'error', ok: false, code, message: expect.stringMatching(message)})]);
  });

  it.each([
    [['--plan', 'huge'], '--plan: "huge" is none of tiny, quick, full'],
    [['--budget', 'soon'], '--budget: "soon" is no number ≥ 0'],
    [['--fast'], 'unknown flag --fast'],
  ])('%j is bad usage', async (argv, message) => {
    const ended = await runBench(argv);
    expect([ended.code, ended.lines]).toEqual([2, []]);
    expect(ended.err).toContain(message);
  });

  it.each([
    ['gemm bf16 m=1 n=64', /the shape has no k/, 'USAGE'],
    ['gemm fp7 m=1 n=64 k=64', /no kernel multiplies "fp7"/, 'UNSUPPORTED_DTYPE'],
    ['gemm bf16 m=1 n=64 k=65', /k is a multiple of 32/, 'USAGE'],
    ['gemm fp32 m=1 n=1048576 k=1048576', /the weights need 4194304 MiB/, 'OUT_OF_MEMORY'],
    ['attn.decode bf16 batch=1 context=64 heads=5 kv_heads=2 head_dim=64 window=0', /heads are a multiple of KV heads/, 'USAGE'],
  ])('skips "%s" with a reason and goes on', async (point, message, code) => {
    const {lines} = await runBench(['--plan', 'tiny', '--points', '-'], {}, `${point}\nmem.read - bytes=65536`);
    const samples = ofKind(lines, 'sample');
    expect(samples.find(({op}) => op !== 'mem.read')).toMatchObject({status: 'skipped', code, message: expect.stringMatching(message)});
    expect(samples.find(({op}) => op === 'mem.read')).toMatchObject({status: 'ok'});
  });
});

interface Addon {
  run(options: object, onLine: (line: string) => void): {promise: Promise<number>; cancel: () => void};
}

describe.skipIf(missing.addon !== null)(`calib.node${missing.addon === null ? '' : ` (${missing.addon})`}`, () => {
  const load = () => createRequire(import.meta.url)(addon) as Addon;

  it('measures on a thread of its own: all lines arrive before the end, and the event loop goes on', async () => {
    const lines: Line[] = [];
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const code = await load().run({device: 'cpu', plan: 'tiny', ops: ['gemm']}, (line) => lines.push(JSON.parse(line))).promise;
    clearInterval(timer);
    expect(code).toBe(0);
    expect([lines[0].kind, lines.at(-1)!.kind]).toEqual(['env', 'end']);
    expect(ofKind(lines, 'sample')).toHaveLength(8);
    expect(ticks).toBeGreaterThan(0);
  });

  it('stops when it is cancelled, with 130', async () => {
    const lines: Line[] = [];
    const {promise, cancel} = load().run({device: 'cpu', plan: 'full', ops: ['gemm']}, (line) => {
      lines.push(JSON.parse(line));
      cancel();
    });
    expect(await promise).toBe(130);
    expect(lines.at(-1)).toMatchObject({kind: 'end', ending: 'interrupted'});
  });

  it('refuses options that mean nothing', () => {
    expect(() => load().run({plan: 'huge'}, () => {})).toThrow('plan: "huge" is none of tiny, quick, full');
    expect(() => load().run({points: ['gemm']}, () => {})).toThrow('"gemm" is no point');
    expect(() => (load().run as unknown as (options: object) => void)({})).toThrow('takes an object and a function');
  });
});
