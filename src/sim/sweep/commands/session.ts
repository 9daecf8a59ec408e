import {jobsOf} from '../../scenario/commands/jobs.js';
import {stemOf} from '../../scenario/file/paths.js';
import type {Executor} from '../executors/executor.js';
import {executors} from '../executors/index.js';
import {loadPoint, loadStudy} from '../load.js';
import {type PlannedPoint, type Progress, planPoints, refuseUnknownFigures, type SweepSource} from '../sweep.js';
import type {SweepArguments} from './sweep.js';

/** A study with its points planned, and what will run them. */
export interface Session {
  readonly source: SweepSource;
  readonly name: string;
  readonly points: readonly PlannedPoint[];
  readonly executor: Executor;
  readonly jobs: number;
}

/** Loads a study, starts the executor and plans every point. Closes the executor when something is wrong. */
export async function startSession(
  {study: path, set, jobs: wanted, executor: kind, allowCode}: SweepArguments,
  signal: AbortSignal,
  progress: (progress: Progress) => void,
): Promise<Session> {
  const source = {study: await loadStudy(path), path, set, allowCode};
  const jobs = kind === 'in-process' ? 1 : Math.max(1, Math.min(jobsOf(wanted), source.study.points.length));
  const executor = await executors[kind](jobs);
  try {
    const points = await planPoints(source, {executor, signal, progress});
    await refuseUnknownFigures(source, points, {executor, signal, progress});
    return {source, name: await nameOf(source, points), points, executor, jobs};
  } catch (error) {
    await executor.close();
    throw error;
  }
}

/** The name that the study's scenario has. */
async function nameOf({path}: SweepSource, points: readonly PlannedPoint[]): Promise<string> {
  const loadable = points.find(({outcome}) => outcome !== null && outcome.kind !== 'failed');
  return loadable === undefined ? stemOf(path) : (await loadPoint(loadable.source)).name;
}
