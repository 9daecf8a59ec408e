import {spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

/** A command that a document shows. */
export interface Example {
  readonly line: number;
  readonly command: string;
  /** Exit code that the block promises: ```sh exit=3. */
  readonly exit: number;
  /** What the ```text block after it shows, or null when there is none. */
  readonly output: string | null;
}

/** The commands of every ```sh block of a Markdown text, each with the ```text block that follows its block's last command. */
export function examplesOf(markdown: string): Example[] {
  const examples: Example[] = [];
  const lines = markdown.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const opening = /^```sh(?: exit=(\d+))?$/.exec(lines[i]);
    if (opening === null) continue;
    const end = lines.indexOf('```', i);
    const commands = joined(lines.slice(i + 1, end), i + 2);
    const output = textBlock(lines, end + 1);
    commands.forEach(({command, line}, n) => {
      const last = n === commands.length - 1;
      examples.push({line, command, exit: last ? Number(opening[1] ?? 0) : 0, output: last ? output : null});
    });
    i = end;
  }
  return examples;
}

/** Commands, one a line, continued after a backslash; comments and empty lines are left out. */
function joined(lines: readonly string[], first: number): {command: string; line: number}[] {
  const commands: {command: string; line: number}[] = [];
  let open = false;
  lines.forEach((text, n) => {
    if (open) commands.at(-1)!.command += ` ${text.trim().replace(/\s*\\$/, '')}`;
    else if (text.trim() !== '' && !text.startsWith('#')) commands.push({command: text.replace(/\s*\\$/, ''), line: first + n});
    else return;
    open = text.endsWith('\\');
  });
  return commands;
}

function textBlock(lines: readonly string[], from: number): string | null {
  let at = from;
  while (lines[at]?.trim() === '') at++;
  if (lines[at] !== '```text') return null;
  return lines.slice(at + 1, lines.indexOf('```', at)).join('\n');
}

/** Whether `output` is what `shown` says; `…` stands for any text within a line, a line of `…` alone for any lines. */
export function matches(output: string, shown: string): boolean {
  const pattern = shown
    .trimEnd()
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*' : `${line.trimEnd().split('…').map(escaped).join('.*')}[ ]*\\n`))
    .join('');
  return new RegExp(`^${pattern}$`).test(`${output.trimEnd()}\n`);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** What a newcomer types to set up; it is run by `.ci/run`, not from within the tests that it starts. */
export function withoutSetUp(command: string): {setUp: string[]; rest: string} {
  const steps = command.split(' && ');
  const setUp = steps.filter((step) => /^npm (ci|test|run \w+)$/.test(step));
  return {setUp, rest: steps.filter((step) => !setUp.includes(step)).join(' && ')};
}

/** A folder as a user has it after the build: scenarios, and `tiercast` on the path. Nothing that runs in it touches the repository. */
export class Playground {
  readonly folder = mkdtempSync(join(tmpdir(), 'tiercast-docs-'));

  constructor() {
    if (!existsSync('dist/main.js')) throw new Error('dist/main.js is missing: run `npm run build` first');
    cpSync('scenarios', join(this.folder, 'scenarios'), {recursive: true});
    symlinkSync(resolve('dist'), join(this.folder, 'dist'));
    mkdirSync(join(this.folder, 'bin'));
    symlinkSync(resolve('dist/main.js'), join(this.folder, 'bin/tiercast'));
  }

  run(command: string): {exit: number | null; stdout: string; stderr: string} {
    const env = {...process.env, PATH: `${join(this.folder, 'bin')}:${process.env['PATH']}`, NO_COLOR: '1', COLUMNS: '100'};
    const done = spawnSync('bash', ['-o', 'pipefail', '-c', command], {cwd: this.folder, env, encoding: 'utf8', maxBuffer: 2 ** 28});
    return {exit: done.status, stdout: done.stdout, stderr: done.stderr};
  }

  remove(): void {
    rmSync(this.folder, {recursive: true, force: true});
  }
}
