import {spawn} from 'node:child_process';

/** A line of calib-bench. */
export type Line = Readonly<Record<string, unknown>> & {readonly kind: string};

interface Install {
  readonly build: () => Promise<{bench: string | null; addon: string | null}>;
  readonly built: {readonly bench: string; readonly addon: string};
}

const {build, built} = (await import('../../native/install.mjs' as string)) as Install;

/** Builds what is missing; a reason for each that cannot be built here, else null. */
export const missing = await build();
export const {bench, addon} = built;

/** Runs calib-bench and reads its lines; each of them is whole. */
export async function runBench(
  argv: readonly string[],
  env: NodeJS.ProcessEnv = {},
  input = '',
): Promise<{code: number | null; lines: Line[]; err: string}> {
  return runProgram(bench, argv, env, input);
}

/** Runs a program that prints JSON Lines. */
export async function runProgram(
  program: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  input = '',
): Promise<{code: number | null; lines: Line[]; err: string}> {
  const child = spawn(program, argv, {env: {...process.env, ...env}});
  // One that refuses its arguments does not read what it is sent.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const texts = {out: '', err: ''};
  child.stdout.on('data', (data) => {
    texts.out += data;
  });
  child.stderr.on('data', (data) => {
    texts.err += data;
  });
  const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject));
  const lines = texts.out.split('\n').slice(0, -1);
  return {code, lines: lines.map((line) => JSON.parse(line) as Line), err: texts.err};
}
