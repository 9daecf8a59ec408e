import {spawnSync} from 'node:child_process';
import {expect, it} from 'vitest';

/** Runs the built command line as a user does. */
function tiercast(...args: string[]): {status: number | null; stdout: string; stderr: string} {
  return spawnSync('dist/main.js', args, {encoding: 'utf8'});
}

it.each([
  [[], 'name a command → tiercast --help'],
  [['tracee', 'a.csv'], 'unknown command "tracee" (did you mean "trace"?) → tiercast --help'],
  [['xyzzy'], 'unknown command "xyzzy" → tiercast --help'],
  [['trace'], 'what to work on is missing → tiercast trace --help'],
  [['run', 'a.yaml', '--seed'], '--seed needs a value → tiercast run --help'],
  [['run', 'a.yaml', '--bounds', 'x'], '--bounds: "x" is none of "off", "hits", "full" → tiercast run --help'],
  [['run', '-'], '- is no file: nothing is read from standard input; name a file'],
  [['trace', 'a.csv', '--nope'], 'Unknown argument: nope → tiercast trace --help'],
])('answers wrong usage %j with one line, nothing on stdout, and exit code 2', (args, line) => {
  expect(tiercast(...args)).toMatchObject({status: 2, stdout: '', stderr: `${line}\n`});
});

it('prints help and version on stdout and exits with 0', () => {
  expect(tiercast('--help')).toMatchObject({status: 0, stderr: '', stdout: expect.stringMatching(/^tiercast <command>/)});
  expect(tiercast('--version')).toMatchObject({status: 0, stderr: ''});
});

it('speaks English in every locale, so that scripts and documents can rely on its words', () => {
  const german = spawnSync('dist/main.js', ['--help'], {
    encoding: 'utf8',
    env: {...process.env, LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8'},
  });
  expect(german.stdout).toContain('Show help');
});
