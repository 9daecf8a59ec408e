import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {type Example, examplesOf, matches, Playground, withoutSetUp} from './support/examples.js';

const documents = ['README.md', 'CONTRIBUTING.md', ...markdownIn('docs')];
const ciSteps = readFileSync('.ci/run', 'utf8');

function markdownIn(folder: string): string[] {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .sort();
}

describe.each(documents)('%s', (path) => {
  const examples = examplesOf(readFileSync(path, 'utf8'));
  let playground: Playground;
  beforeAll(() => {
    playground = new Playground();
  });
  afterAll(() => playground.remove());

  for (const example of examples)
    it(`line ${example.line}: ${example.command}`, {timeout: 180_000}, () => check(path, playground, example));
  it('links only to files that exist', () => expect(brokenLinks(path)).toEqual([]));
});

it('docs/README.md lists every document', () => {
  const index = readFileSync('docs/README.md', 'utf8');
  const others = documents.filter((path) => path.startsWith('docs/') && path !== 'docs/README.md');
  expect(others.filter((path) => !index.includes(`](${path.slice('docs/'.length)})`))).toEqual([]);
});

/** Runs what a document shows and compares what it prints: the output, or the errors where an error is promised. `REFRESH=1 npm run docs` writes what is printed into the document instead; read the difference. */
function check(path: string, playground: Playground, {command, exit, output}: Example): void {
  const {setUp, rest} = withoutSetUp(command);
  for (const step of setUp) expect(ciSteps, `.ci/run does not run "${step}"`).toContain(step);
  if (rest === '') return;
  const done = playground.run(rest);
  expect(done.exit, done.stderr).toBe(exit);
  if (output === null) return;
  const printed = exit === 0 ? done.stdout : done.stdout + done.stderr;
  if (matches(printed, output)) return;
  if (process.env['REFRESH'] !== '1') expect(printed).toBe(output); // shows the difference
  const block = (text: string) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(block(output), () => block(printed.replace(/ +$/gm, ''))),
  );
}

/** Relative links of a document whose target is missing. */
function brokenLinks(path: string): string[] {
  const links = [...readFileSync(path, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link);
  return links.filter((link) => !/^https?:/.test(link) && !existsSync(join(path, '..', link)));
}

describe('--help', () => {
  const playground = new Playground();
  afterAll(() => playground.remove());
  const commands = helpCommands(playground.run('tiercast --help').stdout);

  it('lists the commands', () => expect(commands.length).toBeGreaterThan(5));

  describe.each(commands)('of %s', (command) => {
    const examples = helpExamples(playground.run(`tiercast ${command} --help`).stdout);
    it('ends with examples', () => expect(examples).not.toEqual([]));
    for (const example of examples) {
      const measures = /^tiercast calibrate(?= -|$)/.test(example);
      // Takes minutes, a GPU or the peer; test/calibrate and test/native run the same commands with small plans.
      it.skipIf(measures && !example.includes('--quick'))(example, {timeout: 180_000}, () => {
        const done = playground.run(example);
        // What a measurement says of the machine is no fault of the example: no good sample (2), rejected (4), partial (5).
        expect(measures ? [0, 2, 4, 5] : [0], done.stderr).toContain(done.exit);
        if (done.exit !== 0) expect(done.stderr.trim().split('\n').at(-1)).toMatch(/REJECTED|no sample|partial|too few/i);
      });
    }
  });
});

/** `  tiercast run SCENARIO…   Simulate …` → `run`. */
function helpCommands(help: string): string[] {
  return [...help.matchAll(/^ {2}tiercast ([a-z]+)/gm)].map(([, name]) => name);
}

/** The lines after `Examples:`, without the explanation that stands two or more spaces behind. */
function helpExamples(help: string): string[] {
  const after = help.split(/^Examples:?\n/m)[1] ?? '';
  return [...after.matchAll(/^ {2}(tiercast .+?)(?: {2,}.*)?$/gm)].map(([, command]) => command);
}

describe('the runner of examples', () => {
  it('finds commands, their exit code and the output shown after them', () => {
    const text = [
      '```sh exit=3',
      'tiercast plan a.yaml \\',
      '  --json',
      '```',
      '',
      '```text',
      'no room',
      '```',
      '```sh',
      '# why',
      'a',
      'b',
      '```',
      'end',
    ];
    expect(examplesOf(text.join('\n'))).toEqual([
      {line: 2, command: 'tiercast plan a.yaml --json', exit: 3, output: 'no room'},
      {line: 11, command: 'a', exit: 0, output: null},
      {line: 12, command: 'b', exit: 0, output: null},
    ]);
  });

  it.each([
    ['equal text', 'a\nb\n', 'a\nb', true],
    ['another number', 'TTFT 181 ms\n', 'TTFT 182 ms', false],
    ['a missing line', 'a\n', 'a\nb', false],
    ['a line too many', 'a\nb\nc\n', 'a\nb', false],
    ['the rest of a line', 'in 0.9 s\n', 'in …', true],
    ['the middle of a line', 'in 0.9 s\n', 'in … s', true],
    ['any lines', 'a\nb\nc\nd\n', 'a\n…\nd', true],
    ['no line', 'a\nd\n', 'a\n…\nd', true],
    ['pattern signs as text', 'a.b (c)\n', 'a.b (c)', true],
    ['a sign that is no pattern', 'axb\n', 'a.b', false],
  ])('compares %s', (_what, printed, shown, equal) => {
    expect(matches(printed, shown)).toBe(equal);
  });

  it('tells what sets up from what is run', () => {
    expect(withoutSetUp('npm ci && npm run build && node dist/main.js run a.yaml')).toEqual({
      setUp: ['npm ci', 'npm run build'],
      rest: 'node dist/main.js run a.yaml',
    });
  });
});
