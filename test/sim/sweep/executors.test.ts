import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Executor} from '../../../src/sim/sweep/executors/executor.js';
import {executors} from '../../../src/sim/sweep/executors/index.js';
import {poolOf} from '../../../src/sim/sweep/executors/local.js';
import {changesOf} from '../../../src/sim/sweep/space.js';
import type {Outcome, Task} from '../../../src/sim/sweep/work.js';
import {folderWith, gpuStudy, studyOf} from '../../support/studies.js';

async function outcomesOf(executor: Executor, tasks: readonly Task[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  await executor.run(tasks, (index, outcome) => (outcomes[index] = outcome), new AbortController().signal);
  await executor.close();
  return outcomes;
}

async function tasksOf(kind: Task['kind']): Promise<Task[]> {
  const study = join(folderWith({'study.yaml': gpuStudy}), 'study.yaml');
  const {axes, points} = await studyOf(gpuStudy);
  return points.map((point) => ({kind, point: {study, set: [], changes: changesOf(axes, point)}, paths: []}));
}

describe.each(Object.entries(executors))('%s', (_name, make) => {
  it('tells every task by its index, errors as data', async () => {
    const tasks = await tasksOf('prepare');
    const bad: Task = {...tasks[0], point: {...tasks[0].point, set: ['hardware.device=h1000']}};
    const wide: Task = {...tasks[0], point: {...tasks[0].point, set: ['engine.parallel.tensor=3']}};
    const large: Task = {...tasks[0], point: {...tasks[0].point, set: ['model=llama-3.1-405b']}};
    const outcomes = await outcomesOf(await make(2), [...tasks, {...bad, point: {...bad.point, changes: []}}, wide, large]);
    expect(outcomes.map(({kind}) => kind)).toEqual([...tasks.map(() => 'ready'), 'refused', 'infeasible', 'infeasible']);
    expect(outcomes[6]).toMatchObject({faults: [expect.stringContaining('unknown device "h1000"')]});
    expect(outcomes[8]).toMatchObject({reason: expect.stringContaining('needs'), nearest: expect.arrayContaining([expect.any(String)])});
    const keys = outcomes.flatMap((outcome) => (outcome.kind === 'ready' ? [outcome.key] : []));
    expect(new Set(keys).size).toBe(tasks.length);
  });

  it('gives the same figures as any other', async () => {
    const tasks = (await tasksOf('simulate')).slice(0, 3);
    expect(await outcomesOf(await make(2), tasks)).toEqual(await outcomesOf(await executors['in-process'](1), tasks));
  });
});

describe('a worker that dies', () => {
  const dying = (body: string) => {
    const folder = folderWith({});
    const worker = join(folder, 'worker.mjs');
    writeFileSync(
      worker,
      `import {appendFileSync, existsSync, readFileSync} from 'node:fs';
const log = ${JSON.stringify(join(folder, 'log'))};
export default async function run(task) {
  const before = existsSync(log) ? readFileSync(log, 'utf8').split('\\n').filter((line) => line === task.kind).length : 0;
  appendFileSync(log, task.kind + '\\n');
  ${body}
  return {kind: 'done', figures: {tries: before + 1}};
}
`,
    );
    return {
      worker,
      tries: (kind: string) =>
        readFileSync(join(folder, 'log'), 'utf8')
          .split('\n')
          .filter((line) => line === kind).length,
    };
  };
  const point = {study: '', set: [], changes: []};
  const tasks: Task[] = [
    {kind: 'simulate', point, paths: []},
    {kind: 'prepare', point, paths: []},
  ];

  it('costs its task one more try, and no other task anything', async () => {
    const {worker} = dying("if (task.kind === 'simulate' && before === 0) process.exit(1);");
    expect(await outcomesOf(await poolOf(worker, 1), tasks)).toEqual([
      {kind: 'done', figures: {tries: 2}},
      {kind: 'done', figures: {tries: 1}},
    ]);
  });

  it('twice leaves a failure for that task only', async () => {
    const {worker, tries} = dying("if (task.kind === 'simulate') process.exit(1);");
    const [dead, alive] = await outcomesOf(await poolOf(worker, 1), tasks);
    expect(dead.kind).toBe('failed');
    expect(tries('simulate')).toBe(2);
    expect(alive).toEqual({kind: 'done', figures: {tries: 1}});
  });
});
