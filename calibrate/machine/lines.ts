import {InputError} from '../../src/sim/core/errors.js';

/** Seconds of one call over the samples of a point, as calib-bench writes them. */
export interface Timing {
  readonly min: number;
  readonly p25: number;
  readonly p50: number;
  readonly p90: number;
  /** Samples, and those in which no thread lost 2 % of its time. */
  readonly n: number;
  readonly clean: number;
  readonly cv: number;
}

/** A point that was measured, or was not. */
export interface SampleLine {
  readonly op: string;
  /** Empty where a number format means nothing. */
  readonly dtype: string;
  readonly shape: Readonly<Record<string, number>>;
  readonly threads: number;
  readonly impl: string;
  readonly flops: number;
  readonly bytes: number;
  /** Null unless `status` is ok. */
  readonly t: Timing | null;
  /** Share of the wall time that a thread did not run, median over samples. */
  readonly lost: number;
  readonly status: 'ok' | 'skipped' | 'failed';
  readonly code: string | null;
  readonly message: string | null;
}

/** A point that is measured again and again; `drift` is its time over the first one, minus 1. */
export interface AnchorLine {
  readonly op: string;
  readonly dtype: string;
  readonly drift: number;
}

/** How far off a kernel was from its reference. */
export interface CheckLine {
  readonly op: string;
  readonly dtype: string;
  readonly error: number;
  readonly ok: boolean;
}

/** What one run of calib-bench said, of one device. */
export interface Measurements {
  /** Device class and which, for example `cpu`, `cuda:0`. */
  readonly device: string;
  readonly env: Readonly<Record<string, unknown>>;
  /** The last measurement of each point; the first ones were repeated because the machine drifted. */
  readonly samples: readonly SampleLine[];
  readonly anchors: readonly AnchorLine[];
  readonly checks: readonly CheckLine[];
  /** `done`, `partial`, `interrupted`; null when the end is missing. */
  readonly ending: string | null;
}

/** calib-bench could not begin: the code it gave, and why. */
export class DeviceError extends InputError {
  readonly code: string;

  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.name = 'DeviceError';
    this.code = code;
  }
}

type Line = Readonly<Record<string, unknown>>;

/** Reads JSON Lines of one or more runs, in order. Throws InputError with file and line, DeviceError when a run could not begin. */
export function readMeasurements(text: string, file: string): Measurements[] {
  const runs: Collector[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parsedLine(line, `${file}:${i + 1}`);
    if (parsed['kind'] === 'error') throw new DeviceError(String(parsed['code']), String(parsed['message']));
    if (parsed['kind'] === 'env') runs.push(new Collector(parsed));
    else if (runs.length === 0)
      throw new InputError(`${file}:${i + 1} a line of kind env comes first; is the beginning of the file missing?`);
    else runs.at(-1)!.add(parsed, `${file}:${i + 1}`);
  }
  if (runs.length === 0) throw new InputError(`${file} holds no measurement`);
  return runs.map((run) => run.measurements());
}

function parsedLine(text: string, where: string): Line {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    throw new InputError(`${where} is no line of calib-bench: ${(error as Error).message}`);
  }
  const {v, kind} = (line ?? {}) as {v?: unknown; kind?: unknown};
  if (v !== 1 || typeof kind !== 'string') throw new InputError(`${where} is no line of calib-bench, which have "v":1 and a kind`);
  return line as Line;
}

/** Gathers the lines of one run. */
class Collector {
  readonly #env: Line;
  readonly #samples = new Map<string, SampleLine>();
  readonly #anchors: AnchorLine[] = [];
  readonly #checks: CheckLine[] = [];
  #ending: string | null = null;

  constructor(env: Line) {
    this.#env = env;
  }

  add(line: Line, where: string): void {
    const {op, dtype, shape, threads} = line;
    switch (line['kind']) {
      case 'sample': {
        const key = JSON.stringify([op, dtype, shape, threads]);
        const sample = sampleOf(line, where);
        if (this.#isBetter(sample, this.#samples.get(key))) this.#samples.set(key, sample);
        break;
      }
      case 'anchor':
        if (typeof line['drift'] === 'number') this.#anchors.push({op: String(op), dtype: String(dtype), drift: line['drift']});
        break;
      case 'check':
        this.#checks.push({op: String(op), dtype: String(dtype), error: Number(line['error']), ok: line['ok'] === true});
        break;
      case 'end':
        this.#ending = String(line['ending']);
        break;
    }
  }

  /** What failed does not take the place of what went well. On a processor the faster of two counts, for noise only adds; elsewhere the later. */
  #isBetter(sample: SampleLine, before: SampleLine | undefined): boolean {
    if (before === undefined || before.t === null) return true;
    if (sample.t === null) return false;
    return this.#env['device'] !== 'cpu' || sample.t.p25 < before.t.p25;
  }

  measurements(): Measurements {
    return {
      device: String(this.#env['device']),
      env: this.#env,
      samples: [...this.#samples.values()],
      anchors: this.#anchors,
      checks: this.#checks,
      ending: this.#ending,
    };
  }
}

function sampleOf(line: Line, where: string): SampleLine {
  const {status, t} = line;
  if (status !== 'ok' && status !== 'skipped' && status !== 'failed')
    throw new InputError(`${where} status: ${JSON.stringify(status)} is none of ok, skipped, failed`);
  if (typeof line['op'] !== 'string' || typeof line['shape'] !== 'object') throw new InputError(`${where} a sample has an op and a shape`);
  const timing = (t ?? null) as Timing | null;
  if (status === 'ok' && !(timing !== null && timing.p25 > 0 && timing.p50 > 0))
    throw new InputError(`${where} t: a sample that is ok has times above 0`);
  return {
    op: line['op'],
    dtype: String(line['dtype'] ?? ''),
    shape: line['shape'] as Record<string, number>,
    threads: Number(line['threads'] ?? 0),
    impl: String(line['impl'] ?? ''),
    flops: Number(line['flops'] ?? 0),
    bytes: Number(line['bytes'] ?? 0),
    t: status === 'ok' ? timing : null,
    lost: Number(line['lost'] ?? 0),
    status,
    code: (line['code'] ?? null) as string | null,
    message: (line['message'] ?? null) as string | null,
  };
}
