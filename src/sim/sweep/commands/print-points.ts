import {columns} from '../../scenario/commands/columns.js';
import {printable} from '../../scenario/text.js';
import {labelsOf} from '../space.js';
import type {PlannedPoint} from '../sweep.js';
import {SweepProgress} from './progress.js';
import {startSession} from './session.js';
import type {SweepArguments} from './sweep.js';
import {summaryLine} from './table.js';

/** Prints every point of a study and what would become of it. */
export async function printPoints(args: SweepArguments): Promise<void> {
  const line = new SweepProgress(process.stderr.isTTY === true);
  const session = await startSession(args, new AbortController().signal, (progress) => line.planning(progress));
  line.clear();
  await session.executor.close();
  const {source, points, name, jobs} = session;
  const {axes} = source.study;
  if (args.json) {
    const list = points.map((one) => ({point: one.point, axes: labelsOf(axes, one.point), ...fateOf(one)}));
    process.stdout.write(`${JSON.stringify({name, points: list}, null, 2)}\n`);
    return;
  }
  const rows = points.map((one) => {
    const {status, reason} = fateOf(one);
    return [String(one.point), ...Object.values(labelsOf(axes, one.point)), reason === null ? status : `${status}: ${reason}`];
  });
  const lines = [summaryLine(name, source.study, points, jobs), '', ...columns([['point', ...axes.map((axis) => axis.name), ''], ...rows])];
  process.stdout.write(`${lines.map(printable).join('\n')}\n`);
}

function fateOf({skipped, outcome}: PlannedPoint): {status: string; reason: string | null; devices: string | null} {
  if (skipped !== null) return {status: 'skipped', reason: skipped, devices: null};
  if (outcome?.kind === 'ready') return {status: 'to run', reason: null, devices: outcome.devices};
  return {status: outcome?.kind === 'infeasible' ? 'does not fit' : 'failed', reason: outcome?.reason ?? null, devices: null};
}
