import {count} from '../format.js';
import {type PageParts, pageDocument} from '../page/document.js';
import {type Part, pageBody, sectionsOf} from '../page/sections.js';
import {compared, comparedTitle} from './compared.js';
import {head} from './head.js';
import {heatMaps, heatTitle} from './heat-map.js';
import {identical, identicalTitle} from './identical.js';
import {levers, leversTitle} from './levers.js';
import {most, mostTitle} from './most.js';
import {leftOut, points} from './points.js';
import {scatter} from './scatter.js';
import type {SweepView} from './view.js';

const parts: Readonly<Record<string, Part<SweepView>>> = {
  pareto: {
    name: 'Pareto set',
    title: paretoTitle,
    render: scatter,
  },
  levers: {name: 'What moves it', title: leversTitle, render: levers},
  most: {name: 'How far', title: mostTitle, render: most},
  compared: {name: 'Who is best', title: comparedTitle, render: compared},
  identical: {name: 'The same', title: identicalTitle, render: identical},
  heat: {name: 'Two axes at a time', title: heatTitle, render: heatMaps},
  points: {
    name: 'All points',
    title: ({document: {counts}}) => `${count(counts.done)} points ran, ${count(counts.good)} of them meet the constraints.`,
    render: points,
  },
  'left-out': {
    name: 'Left out',
    title: ({document: {counts}}) =>
      `${count(counts.infeasible)} points do not fit, ${count(counts.skipped)} are skipped, ${count(counts.failed)} failed.`,
    render: leftOut,
  },
};

function paretoTitle({document: {pareto, counts}}: SweepView): string {
  if (pareto.length === 0)
    return `No point ${counts.good === 0 ? 'meets the constraints' : 'has a figure for every objective'}, so there is nothing to choose from.`;
  return `${pareto.length === 1 ? 'One point is' : `${count(pareto.length)} points are`} worth a choice; every other one is beaten.`;
}

/** Draws the page of a sweep: one file that works offline and runs no script but its own. Pure: equal views give equal bytes. */
export function renderSweep(view: SweepView, page: PageParts): string {
  const made = `Simulated by tiercast ${view.document.tiercast.version}, not measured.`;
  const body = pageBody(head(view), 'Parts', sectionsOf(parts, view), made);
  return pageDocument(page, `${view.document.name} · tiercast sweep`, body);
}
