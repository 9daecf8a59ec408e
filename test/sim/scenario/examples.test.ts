import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {Worker} from 'node:worker_threads';
import {expect, it, vi} from 'vitest';

vi.setConfig({testTimeout: 120_000});

const folder = 'scenarios/examples';
const library = pathToFileURL(resolve('dist/index.js')).href;
const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

/** Examples that take minutes in their full size. */
const reduced: Readonly<Record<string, readonly string[]>> = {
  'agents-hicache.yaml': ['kv.block_size=64', 'run.sessions=48'], // SGLang's own pages of one token are 64 times as many
};

/** Loads, plans, simulates and summarises with the built library; gives the canonical result. */
const body = `async ({loadScenario, planMemory, simulate, summarise, canonicalJson}, path, set) => {
  const scenario = await loadScenario(path, {set, allowCode: true});
  const plan = planMemory(scenario);
  return canonicalJson(summarise(scenario, plan, [simulate(scenario, plan, {replication: 0})]));
}`;

async function here(path: string, set: readonly string[]): Promise<string> {
  const run = new Function(`return ${body}`)() as (library: object, path: string, set: readonly string[]) => Promise<string>;
  return run((await import(library)) as object, path, set);
}

function inWorker(path: string, set: readonly string[]): Promise<string> {
  const code = `import(${JSON.stringify(library)})
    .then((library) => (${body})(library, ${JSON.stringify(path)}, ${JSON.stringify(set)}))
    .then((result) => require('node:worker_threads').parentPort.postMessage(result));`;
  return new Promise((done, failed) => new Worker(code, {eval: true}).on('message', done).on('error', failed));
}

it('finds the examples', () => {
  expect(names.length).toBeGreaterThanOrEqual(5);
});

for (const name of names) {
  const path = resolve(folder, name);
  const trace = /trace: +(\S+)/.exec(readFileSync(path, 'utf8'))?.[1];
  const absent = trace !== undefined && !existsSync(resolve(dirname(path), trace));
  it.skipIf(absent)(`${name} gives equal bytes twice, and inside a worker${absent ? ` (skipped: ${trace} is absent)` : ''}`, async () => {
    const set = reduced[name] ?? [];
    const first = await here(path, set);
    expect(JSON.parse(first).status).toBe('ok');
    expect(await here(path, set)).toBe(first);
    expect(await inWorker(path, set)).toBe(first);
  });
}
