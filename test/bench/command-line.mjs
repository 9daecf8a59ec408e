import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';

const GIB = 2 ** 30;
const HERE = 'test/bench';

/** The real command line in a process of its own, measured from outside: what a user waits for. */
export function commandLine(folder) {
  if (!existsSync('dist/main.js')) throw new Error('dist/main.js is missing: run `npm run build` first');
  return [help(folder), example(folder), million(folder), ...azure(folder), ...threeTiers(folder)];
}

function help(folder) {
  const {wall} = best(5, () => tiercast(['--help'], folder));
  return {...row('tiercast --help'), measured: `${ms(wall)} wall`, target: '< 300 ms', met: wall < 0.3};
}

function example(folder) {
  const {wall, cpu} = best(5, () => tiercast(['run', 'scenarios/examples/h100-chat.yaml', '--out', 'example'], folder));
  return {
    ...row('the example, new process, with report'),
    measured: `${ms(wall)} wall, ${ms(cpu)} CPU`,
    target: '≤ 1.5 s',
    met: wall <= 1.5,
  };
}

function million(folder) {
  const scenario = join(HERE, 'million.yaml');
  const {wall, cpu, memory} = best(3, () => tiercast(['run', scenario, '--no-requests', '--no-report', '--out', 'million'], folder));
  const rate = 1e6 / wall;
  return {
    ...row('one million requests, one H100'),
    measured: `${wall.toFixed(1)} s wall, ${cpu.toFixed(1)} s CPU, ${Math.round(rate / 1e3)} k requests/s, ${(memory / GIB).toFixed(2)} GiB`,
    target: '≥ 100 k requests/s, ≤ 1.5 GiB',
    met: rate >= 1e5 && memory <= 1.5 * GIB,
  };
}

function azure(folder) {
  const name = 'Azure conversation trace, one replica';
  if (!existsSync('../shared/data/traces/azure_llm_2023_conv.csv.gz'))
    return [{...row(name), measured: 'skipped: ../shared/data is not here'}];
  const scenario = join(HERE, 'azure.yaml');
  const once = () => JSON.parse(execFileSync(process.execPath, [join(HERE, 'simulate-once.mjs'), scenario], {encoding: 'utf8'}));
  const {simulate, load, requests} = best(7, once);
  const whole = best(5, () => tiercast(['run', scenario, '--no-requests', '--no-report', '--out', 'azure'], folder));
  return [
    {
      ...row(`${name}: one simulation, new process`),
      measured: `${simulate.toFixed(2)} s CPU (${requests.toLocaleString('en')} requests); loading it ${load.toFixed(2)} s`,
      against: 'Vidur, 4 replicas: 98 s CPU (not run here)',
      target: '≤ 0.5 s CPU',
      met: simulate <= 0.5,
    },
    {...row(`${name}: tiercast run with prediction interval`), measured: `${whole.cpu.toFixed(2)} s CPU, ${whole.wall.toFixed(2)} s wall`},
  ];
}

/** The Mooncake conversation trace through HBM, DRAM and SSDs, in blocks of two sizes. */
function threeTiers(folder) {
  const name = 'Mooncake trace through three memories';
  if (!existsSync('../shared/data/traces/mooncake_conversation.jsonl.gz'))
    return [{...row(name), measured: 'skipped: ../shared/data is not here'}];
  const scenario = 'scenarios/examples/mooncake-tiers.yaml';
  const sizes = [
    [512, 1],
    [16, 4],
  ];
  const rows = sizes.map(([size, most]) => {
    const once = () =>
      JSON.parse(execFileSync(process.execPath, [join(HERE, 'simulate-once.mjs'), scenario, `kv.block_size=${size}`], {encoding: 'utf8'}));
    const {simulate, blockOperations} = best(5, once);
    const rate = blockOperations / simulate / 1e6;
    return {
      ...row(`${name}, blocks of ${size}: one simulation, new process`),
      measured: `${simulate.toFixed(2)} s CPU; at least ${rate.toFixed(1)} M block operations/s`,
      target: size === 16 ? `≤ ${most} s CPU, ≥ 5 M block operations/s` : `≤ ${most} s CPU`,
      met: simulate <= most && (size !== 16 || rate >= 5),
    };
  });
  const args = ['run', scenario, '--set', 'kv.block_size=512', '--no-requests', '--out', 'tiers'];
  // One thread and one a core, in turns.
  const rounds = Array.from({length: 3}, () => [tiercast(args, folder).wall, tiercast([...args, '--jobs', '1'], folder).wall]);
  const [wall, alone] = [0, 1].map((side) => Math.min(...rounds.map((walls) => walls[side])));
  return [
    ...rows,
    {
      ...row(`${name}, blocks of 512: run with page (five simulations)`),
      measured: `${wall.toFixed(1)} s wall`,
      against: `--jobs 1: ${alone.toFixed(1)} s`,
      ratio: alone / wall,
      target: '≤ 3 s',
      met: wall <= 3,
    },
  ];
}

function row(benchmark) {
  return {benchmark, measured: '', against: '', ratio: null, target: '', met: null};
}

/** Runs a command and returns its wall seconds, CPU seconds and largest resident size in bytes, the start of Node included. */
function tiercast(args, folder) {
  const usage = join(folder, 'usage.json');
  const out = args.indexOf('--out') + 1;
  if (out > 0) args = args.with(out, join(folder, args[out]));
  mkdirSync(folder, {recursive: true});
  const start = performance.now();
  const done = spawnSync(process.execPath, ['--import', resolve(HERE, 'usage.mjs'), 'dist/main.js', ...args], {
    encoding: 'utf8',
    env: {...process.env, USAGE_FILE: usage, NO_COLOR: '1'},
  });
  const wall = (performance.now() - start) / 1e3;
  if (done.status !== 0) throw new Error(`tiercast ${args.join(' ')} ended with ${done.status}: ${done.stderr}`);
  const {userCPUTime, systemCPUTime, maxRSS} = JSON.parse(readFileSync(usage, 'utf8'));
  return {wall, cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS * 1024};
}

/** The least of each figure over some runs: neighbours on the machine only add. */
function best(rounds, run) {
  const done = Array.from({length: rounds}, run);
  return Object.fromEntries(Object.keys(done[0]).map((key) => [key, Math.min(...done.map((one) => one[key]))]));
}

function ms(seconds) {
  return `${Math.round(seconds * 1e3)} ms`;
}
