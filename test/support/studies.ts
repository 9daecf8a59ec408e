import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {quantities} from '../../src/sim/core/quantity.js';
import {parseScenario} from '../../src/sim/scenario/file/document.js';
import type {Executor} from '../../src/sim/sweep/executors/executor.js';
import type {Row} from '../../src/sim/sweep/rows.js';
import type {Store, Stored} from '../../src/sim/sweep/store/store.js';
import {readStudy, type Study} from '../../src/sim/sweep/study.js';
import {planPoints, simulatePoints} from '../../src/sim/sweep/sweep.js';

/** A scenario that takes milliseconds; studies are written under it. */
export const base = `model: llama-3.1-8b
hardware: h100-sxm
engine: {preset: vllm, max_model_len: 8192}
workload: {kind: lengths, arrivals: 4 req/s, input_tokens: 500, output_tokens: 40}
slo: {ttft: 100 ms}
run: {requests: 30, warmup: 0}
`;

/** Two GPUs at two prices × three rates; at 400 req/s the goal is missed. */
export const gpuStudy = `${base}study:
  axes:
    gpu:
      set:
        - {hardware.device: h100-sxm, cost.device: 2 USD/hour}
        - {hardware.device: h200-sxm, cost.device: 3 USD/hour}
      labels: [H100, H200]
    workload.arrivals.rate: [2 req/s, 8 req/s, 400 req/s]
  objectives:
    - minimise: cost.per_million_output_tokens_usd
    - minimise: ttft_s.p95
`;

/** Reads the study of a text, as the file study.yaml. */
export async function studyOf(text: string): Promise<Study> {
  return readStudy(parseScenario(text, 'study.yaml'), 'study.yaml', await quantities());
}

/** The study with other axes, and one objective. */
export function withStudy(lines: string): string {
  return `${base}study:\n${lines}  objectives: [{minimise: ttft_s.p95}]\n`;
}

/** A folder with files, to run commands in. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tiercast-sweep-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const main = resolve('dist/main.js');

/** Runs the built command line in a folder. */
export function tiercast(cwd: string, ...args: string[]): {exit: number | null; stdout: string; stderr: string} {
  const {status, stdout, stderr} = spawnSync(process.execPath, [main, ...args], {
    cwd,
    encoding: 'utf8',
    env: {...process.env, NO_COLOR: '1'},
  });
  return {exit: status, stdout, stderr};
}

/** Starts the built command line in a folder and sends a signal as soon as `when` says so; returns the exit code, null for a signal. */
export async function tiercastUntil(cwd: string, args: string[], when: () => boolean, signal: NodeJS.Signals): Promise<number | null> {
  const child = spawn(process.execPath, [main, ...args], {cwd, stdio: 'ignore'});
  const watch = setInterval(() => {
    if (!when()) return;
    clearInterval(watch);
    child.kill(signal);
  }, 5);
  const code = await new Promise<number | null>((done) => child.on('exit', done));
  clearInterval(watch);
  return code;
}

/** A store that says what was put. */
export function memoryStore(): Store & {readonly puts: string[]} {
  const results = new Map<string, Stored>();
  const puts: string[] = [];
  return {
    puts,
    get: (key) => results.get(key) ?? null,
    put(key, result) {
      puts.push(key);
      results.set(key, result);
    },
    close: () => {},
  };
}

/** Plans and simulates the points of a study that the store does not hold. */
export async function rowsIn(executor: Executor, store: Store, text = gpuStudy): Promise<Row[]> {
  const source = {study: await studyOf(text), path: join(folderWith({'study.yaml': text}), 'study.yaml'), set: []};
  const means = {executor, signal: new AbortController().signal, progress: () => {}};
  return simulatePoints(source, await planPoints(source, means), store, means);
}
