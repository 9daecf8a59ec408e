import {resolve} from 'node:path';
import type {ResultFile} from '../../scenario/commands/result-folder.js';
import {printable} from '../../scenario/text.js';
import {figureText} from '../figure-text.js';
import {loadPoint} from '../load.js';
import type {SweepResult} from './files.js';

/** A scenario file for every point of the Pareto set, with nothing left to the study: `tiercast run` gives the figures of its row again. */
export async function recommendations({session, document, folder}: SweepResult): Promise<ResultFile[]> {
  const place = `${forwardSlashes(resolve(folder))}/recommendations`;
  const files: ResultFile[] = [];
  for (const {rank, point, axes, objectives, scenario: name} of document.pareto) {
    const {source} = session.points.find((one) => one.point === point)!;
    const own = `${document.name}-${String(rank).padStart(3, '0')}`;
    // Paths of the files that it names count from where it will lie.
    const absolute = {...source, study: forwardSlashes(resolve(source.study))};
    const scenario = await loadPoint(absolute, [`name=${own}`], place);
    const lines = [
      `# ${rank} of ${document.pareto.length} in the Pareto set of ${document.name}: ${Object.entries(axes)
        .map(([axis, label]) => `${axis} ${label}`)
        .join(', ')}`,
      `# ${Object.entries(objectives)
        .map(([path, value]) => `${path} ${figureText(path, value)}`)
        .join(', ')}`,
    ];
    files.push({name, text: [`${lines.map(printable).join('\n')}\n${scenario.yaml}`]});
  }
  return files;
}

function forwardSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}
