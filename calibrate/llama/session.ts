import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {InputError} from '../../src/sim/core/errors.js';

/** The optional peer that holds llama.cpp's prebuilt kernels. */
const PEER = 'node-llama-cpp';
/** Seconds without an answer after which the child is taken to hang: loading, and filling a long context on a slow machine. */
const PATIENCE = 120;

/** Where the peer is, and what it is. */
export interface Peer {
  readonly entry: string;
  readonly version: string;
}

/** Finds the peer: in `path` if that is given, else where Node would look from here or from this package. Throws InputError with the way to it. */
export function findPeer(path: string | undefined): Peer {
  const places = path === undefined ? [process.cwd(), import.meta.dirname].flatMap(above) : [path];
  for (const place of places) {
    for (const folder of path === undefined
      ? [join(place, 'node_modules', PEER)]
      : [place, join(place, PEER), join(place, 'node_modules', PEER)]) {
      const found = peerIn(resolve(folder));
      if (found !== null) return found;
    }
  }
  throw new InputError(
    `llama.cpp: ${PEER} is not ${path === undefined ? 'installed' : `in ${path}`}; \`npm install --ignore-scripts ${PEER}\`, and --engine-path FOLDER where that is elsewhere`,
  );
}

function above(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...above(parent)];
}

function peerIn(folder: string): Peer | null {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return null;
  const {name, version, exports} = JSON.parse(readFileSync(file, 'utf8')) as {
    name: string;
    version: string;
    exports: {'.': {import: string}};
  };
  return name === PEER ? {entry: join(folder, exports['.'].import), version} : null;
}

/** What is measured: one step in which `batch` sequences take `tokens` tokens each, behind `depth` computed ones. `cold`: from memory, not from a cache. */
export interface Point {
  readonly batch: number;
  readonly tokens: number;
  readonly depth: number;
  readonly cold: boolean;
}

/** One step's wall time, and the share of it that its threads waited for a processor; null where the system does not say. */
export interface StepTime {
  readonly seconds: number;
  readonly lost: number | null;
}

/** What the child says of itself. */
export interface Ready {
  /** `false`: the CPU. */
  readonly gpu: string | false;
  readonly release: string;
  readonly system: string;
  readonly threads: number;
  readonly devices: readonly string[];
  readonly vram: {readonly total: number} | null;
}

type Answer = {readonly kind: string; readonly message?: string} & Partial<StepTime> & Partial<Ready>;

/** What of a model's context is set aside. */
export interface ContextSize {
  readonly sequences: number;
  /** Tokens of each sequence, and of one step. */
  readonly context: number;
  readonly tokens: number;
}

/** Which device the engine runs on: one of those it was built for. */
export type EngineDevice = 'cpu' | 'metal' | 'cuda' | 'vulkan';
export const engineDevices: readonly EngineDevice[] = ['cpu', 'metal', 'cuda', 'vulkan'];

/** llama.cpp in a child process: a crash or a hang there is a message here. */
export class LlamaSession {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  #errors = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#answers = createInterface({input: child.stdout!})[Symbol.asyncIterator]();
    child.stdin!.on('error', () => {}); // one that ended does not read
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-2000);
    });
  }

  /** Starts it. `threads` 0: all. Throws InputError when the device is not there or the peer has no binary for this machine. */
  static async start(
    peer: Peer,
    device: EngineDevice,
    threads: number,
    signal: AbortSignal,
  ): Promise<{session: LlamaSession; ready: Ready}> {
    const child = spawn(process.execPath, [childPath(), peer.entry, device === 'cpu' ? 'false' : device, String(threads)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    child.on('error', () => {}); // seen as an answer that does not come
    const session = new LlamaSession(child);
    const ready = (await session.#answer('ready')) as unknown as Ready;
    return {session, ready};
  }

  async load(path: string, size: ContextSize): Promise<void> {
    this.#ask({kind: 'load', path, ...size, flash: 'auto'});
    await this.#answer('loaded');
  }

  async sample(point: Point): Promise<StepTime> {
    this.#ask({kind: 'sample', point});
    const {seconds, lost} = await this.#answer('sampled');
    return {seconds: seconds!, lost: lost ?? null};
  }

  async unload(): Promise<void> {
    this.#ask({kind: 'unload'});
    await this.#answer('unloaded');
  }

  /** Ends the child at once: it holds nothing but memory. */
  stop(): void {
    this.#child.kill('SIGKILL');
  }

  #ask(request: object): void {
    this.#child.stdin!.write(`${JSON.stringify(request)}\n`);
  }

  async #answer(kind: string): Promise<Answer> {
    const timer = setTimeout(() => this.stop(), 1000 * PATIENCE);
    try {
      for (;;) {
        const {value, done} = await this.#answers.next();
        if (done) throw new InputError(`llama.cpp ended before it had ${kind === 'ready' ? 'started' : kind}${await this.#reason()}`);
        // The engine may print on the same stream.
        if (!value.startsWith('{"kind":')) continue;
        const answer = JSON.parse(value) as Answer;
        if (answer.kind === 'error') throw new InputError(`llama.cpp: ${answer.message?.split('\n')[0]}`);
        if (answer.kind === kind) return answer;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Its output ends a moment before it does. */
  async #reason(): Promise<string> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    const {signalCode} = this.#child;
    const last = this.#errors.trim().split('\n').at(-1) ?? '';
    return `${signalCode === null ? '' : `, by ${signalCode}`}${last === '' ? '' : `: ${last}`}`;
  }
}

/** The child's program: beside the bundle's package, or beside this source. */
function childPath(): string {
  for (const folder of above(import.meta.dirname)) {
    const found = join(folder, 'calibrate', 'llama', 'child.mjs');
    if (existsSync(found)) return found;
  }
  throw new InputError('calibrate/llama/child.mjs is not part of this installation');
}
