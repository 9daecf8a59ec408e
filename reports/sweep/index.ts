import {count, unbroken} from '../format.js';
import {html, type Markup} from '../markup.js';
import {type PageParts, pageDocument} from '../page/document.js';
import {compared, comparedTitle} from './compared.js';
import {head} from './head.js';
import {heatMaps, heatTitle} from './heat-map.js';
import {identical, identicalTitle} from './identical.js';
import {levers, leversTitle} from './levers.js';
import {most, mostTitle} from './most.js';
import {leftOut, points} from './points.js';
import {scatter} from './scatter.js';
import type {SweepView} from './view.js';

/** A part of the page below its head; drawn as null it is left out. */
interface Part {
  readonly id: string;
  readonly name: string;
  title(view: SweepView): string;
  render(view: SweepView): Markup | null;
}

const parts: readonly Part[] = [
  {
    id: 'pareto',
    name: 'Pareto set',
    title: paretoTitle,
    render: scatter,
  },
  {id: 'levers', name: 'What moves it', title: leversTitle, render: levers},
  {id: 'most', name: 'How far', title: mostTitle, render: most},
  {id: 'compared', name: 'Who is best', title: comparedTitle, render: compared},
  {id: 'identical', name: 'The same', title: identicalTitle, render: identical},
  {id: 'heat', name: 'Two axes at a time', title: heatTitle, render: heatMaps},
  {
    id: 'points',
    name: 'All points',
    title: ({document: {counts}}) => `${count(counts.done)} points ran, ${count(counts.good)} of them meet the constraints.`,
    render: points,
  },
  {
    id: 'left-out',
    name: 'Left out',
    title: ({document: {counts}}) =>
      `${count(counts.infeasible)} points do not fit, ${count(counts.skipped)} are skipped, ${count(counts.failed)} failed.`,
    render: leftOut,
  },
];

function paretoTitle({document: {pareto}}: SweepView): string {
  if (pareto.length === 0) return 'No point meets the constraints, so there is nothing to choose from.';
  return `${pareto.length === 1 ? 'One point is' : `${count(pareto.length)} points are`} worth a choice; every other one is beaten.`;
}

/** Draws the page of a sweep: one file that works offline and runs no script but its own. Pure: equal views give equal bytes. */
export function renderSweep(view: SweepView, page: PageParts): string {
  const shown = parts.flatMap((part) => {
    const body = part.render(view);
    return body === null ? [] : [{part, body}];
  });
  const body = html`${head(view)}
<nav class="panels" aria-label="Parts"><ul>${shown.map(({part}) => html`<li><a href="#${part.id}">${part.name}</a></li>`)}</ul></nav>
<main id="main" tabindex="-1">
${shown.map(({part, body: inner}) => section(part, inner, view))}
</main>
<footer><p>Simulated by tiercast ${view.document.tiercast.version}, not measured. Nothing on this page is loaded from elsewhere.</p></footer>`;
  return pageDocument(page, `${view.document.name} · tiercast sweep`, body);
}

function section({id, name, title}: Part, body: Markup, view: SweepView): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<p class="eyebrow">${name}</p>
<h2 id="${id}-title">${unbroken(title(view))}</h2>
${body}
</section>
`;
}
