import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {publint} from 'publint';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {version} from '../src/sim/core/version.js';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const MEGABYTE = 1e6;

it('states one version in package.json, the source and the command line', () => {
  expect(version).toBe(manifest.version);
  expect(execFileSync('dist/main.js', ['--version'], {encoding: 'utf8', cwd: '.'})).toBe(`${version}\n`);
});

it('passes publint: entry points, types and files are where package.json says', async () => {
  const {messages} = await publint({strict: true});
  expect(messages).toEqual([]);
});

it('pins every dependency to one version, so that today’s results can be made again', () => {
  const ranges = Object.entries<string>({...manifest.dependencies, ...manifest.devDependencies});
  expect(ranges.filter(([, range]) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
});

it('ships the licence of every package whose code is in the bundle', () => {
  const sections = readFileSync('dist/THIRD_PARTY_LICENSES.txt', 'utf8').split(`\n${'-'.repeat(80)}\n`);
  const packages = sections.map((text) => {
    const [, name = '', licence = ''] = /^(\S+) \d\S* \((.+)\)$/m.exec(text) ?? [];
    return {name, licence, text};
  });
  expect(packages.map(({name}) => name)).toEqual(expect.arrayContaining(['d3-scale', 'mathjs', 'seedrandom', 'yargs', 'zod']));
  const allowed = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense'];
  expect(packages.filter(({licence}) => !allowed.includes(licence)).map(({name}) => name)).toEqual([]);
  // Names only its author, who gave no text.
  const bare = packages.filter(({text}) => !/permission|redistribution|apache license|public domain/i.test(text));
  expect(bare.map(({name}) => name)).toEqual(['javascript-natural-sort']);
});

it('does not die of a reader that closes the pipe early', () => {
  const {stderr} = spawnSync('bash', ['-c', 'dist/main.js schema | head -c 1'], {encoding: 'utf8'});
  expect(stderr).toBe('');
});

describe('the packed tarball in an empty folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tiercast-package-'));
  const bin = join(folder, 'node_modules/.bin/tiercast');
  const installed = join(folder, 'node_modules/tiercast');

  beforeAll(() => {
    const [{filename}] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], '.'));
    npm(['init', '-y'], folder);
    npm(['install', '--omit=dev', '--ignore-scripts', '--prefer-offline', join(folder, filename)], folder);
  }, 180_000);
  afterAll(() => rmSync(folder, {recursive: true, force: true}));

  it('installs a command that runs', () => {
    expect(execFileSync(bin, ['--version'], {cwd: folder, encoding: 'utf8'})).toBe(`${version}\n`);
  });

  it('runs the example that comes with it', () => {
    const scenario = join(installed, 'scenarios/examples/h100-chat.yaml');
    const output = execFileSync(bin, ['run', scenario, '--out', 'out'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(output).toContain('h100-chat');
    expect(readdirSync(join(folder, 'out'))).toEqual(
      expect.arrayContaining(['report.html', 'requests.csv', 'result.json', 'timeline.csv']),
    );
  });

  it('is a library too', () => {
    const script = "import {loadScenario, planMemory} from 'tiercast'; console.log(typeof loadScenario, typeof planMemory);";
    expect(execFileSync('node', ['--input-type=module', '-e', script], {cwd: folder, encoding: 'utf8'})).toBe('function function\n');
  });

  it('takes at most 60 MB with everything that it needs', () => {
    expect(sizeOf(join(folder, 'node_modules'))).toBeLessThan(60 * MEGABYTE);
  });

  it('holds no tests and no results, and of sources only those that a machine compiles for itself', () => {
    const entries = readdirSync(installed).sort();
    expect(entries).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'calibrate', 'dist', 'docs', 'native', 'package.json', 'scenarios']);
  });
});

function npm(args: string[], cwd: string): string {
  return execFileSync('npm', args, {cwd: resolve(cwd), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']});
}

function sizeOf(folder: string): number {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'}).reduce((sum, name) => {
    const entry = statSync(join(folder, name), {throwIfNoEntry: false});
    return sum + (entry?.isFile() ? entry.size : 0);
  }, 0);
}
