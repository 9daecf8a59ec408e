import {spawn} from 'node:child_process';
import {InputError} from '../../src/sim/core/errors.js';
import {DeviceError} from './lines.js';

/** What calib-bench is asked for. */
export interface Request {
  readonly device: string;
  readonly plan: 'tiny' | 'quick' | 'full';
  /** Points, as calib-bench lists them; empty: all of the plan. */
  readonly points: readonly string[];
  /** Seconds after which no further point begins; 0: no end. */
  readonly budget: number;
  readonly seed: number;
  readonly folder: string | undefined;
  readonly buffered: boolean;
}

/** Points done, of how many. */
export interface Progress {
  readonly done: number;
  readonly of: number;
}

export interface Watch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Seconds without a line after which the child is taken to hang. */
  readonly patience: number;
}

/** Seconds that the longest point may take: allocating and checking included. */
export const PATIENCE = 60;

/** Seconds that an interrupted child has to end by itself. */
const GRACE_MS = 3000;

/**
 * Measures in a child process, so that a kernel that crashes or hangs is a message, and returns the lines it wrote.
 *
 * A child that dies leaves out the point it was at; what it wrote before counts. Throws DeviceError when it could not begin.
 */
export async function measure(bench: string, request: Request, watch: Watch): Promise<string> {
  const {device, plan, points, budget, seed, folder, buffered} = request;
  const argv = ['--device', device, '--plan', plan, '--seed', String(seed)];
  if (budget > 0) argv.push('--budget', budget.toFixed(3));
  if (folder !== undefined) argv.push('--folder', folder);
  if (buffered) argv.push('--buffered');
  if (points.length > 0) argv.push('--points', '-');
  const child = spawn(bench, argv, {stdio: ['pipe', 'pipe', 'pipe']});
  let [text, rest, errors] = ['', '', ''];
  let hung = false;
  const hang = () => {
    hung = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(hang, 1000 * watch.patience);
  const interrupt = () => {
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
  };
  watch.signal.addEventListener('abort', interrupt, {once: true});
  child.stdin.on('error', () => {}); // one that could not begin does not read its points
  child.stdin.end(points.join('\n'));
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    clearTimeout(timer);
    timer = setTimeout(hang, 1000 * watch.patience);
    rest += data;
    const end = rest.lastIndexOf('\n') + 1;
    for (const line of rest.slice(0, end).split('\n'))
      if (line.includes('"kind":"progress"')) watch.onProgress(JSON.parse(line) as Progress);
    text += rest.slice(0, end);
    rest = rest.slice(end);
  });
  child.stderr.setEncoding('utf8').on('data', (data: string) => {
    errors = (errors + data).slice(-2000);
  });
  const {code, signal} = await ended(child, bench);
  clearTimeout(timer);
  watch.signal.removeEventListener('abort', interrupt);
  if (text === '')
    throw new DeviceError(
      'CRASHED',
      `calib-bench ended with ${signal ?? code} and wrote nothing${errors === '' ? '' : `: ${errors.trim().split('\n')[0]}`}`,
    );
  if (signal === null || watch.signal.aborted) return text;
  // The point it was at is not known: an error line would stop the whole, so the gap shows as a missing end.
  return `${text}${JSON.stringify({v: 1, kind: 'crash', code: hung ? 'TIMEOUT' : 'CRASHED', message: hung ? `no line for ${watch.patience} s` : `ended by ${signal}`})}\n`;
}

function ended(child: ReturnType<typeof spawn>, bench: string): Promise<{code: number | null; signal: NodeJS.Signals | null}> {
  return new Promise((resolve, reject) => {
    child.on('close', (code, signal) => resolve({code, signal}));
    child.on('error', (error) => reject(new InputError(`${bench} cannot be run: ${error.message}`)));
  });
}
