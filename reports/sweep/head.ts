import {count, share, unbroken} from '../format.js';
import {html, type Markup} from '../markup.js';
import {formatOf, labelOf, nameOf, type SweepPareto, type SweepView} from './view.js';

/** The head of the page: what to take, in one sentence, then the knee, then at most five figures. */
export function head({document}: SweepView): Markup {
  const {name, counts, search, pareto, knee} = document;
  const [best] = pareto;
  return html`<header>
<div class="name"><h1>${name}</h1><p class="badge">${search} search · ${count(counts.points)} points</p></div>
<p class="verdict">${sign(best !== undefined)}${unbroken(best === undefined ? nothing(document) : sentence(best, document))}</p>
${knee !== null && knee !== 1 ? html`<p class="also">${unbroken(kneeSentence(pareto[knee - 1]!, document))}</p>` : null}
<dl class="figures">${figures(document)}</dl>
</header>`;
}

function sign(good: boolean): Markup {
  return html`<span class="mark ${good ? 'good' : 'bad'}" aria-hidden="true">${good ? '✓' : '✕'}</span>`;
}

function nothing({counts, constraints, lacking}: SweepView['document']): string {
  if (counts.done === 0) return 'No point could be run.';
  if (counts.good === 0) return `None of ${count(counts.done)} points meets ${constraints.join(' and ')}.`;
  const unknown = lacking.map(({objective, points}) => `${nameOf(objective)} is unknown in ${count(points)}`);
  return `${count(counts.good)} points are within the constraints, but none has a figure for every objective: ${unknown.join(', ')}.`;
}

function sentence(best: SweepPareto, document: SweepView['document']): string {
  const [first, ...rest] = document.objectives.map(({path}) => `${nameOf(path)} ${formatOf(path)(best.objectives[path]!)}`);
  const with_ = rest.length === 0 ? '' : `, with ${rest.join(', ')}`;
  return `Take ${labelOf(best.axes)}: ${first}${with_}${document.constraints.length > 0 ? ', within the constraints' : ''}.`;
}

function kneeSentence(point: SweepPareto, {objectives}: SweepView['document']): string {
  const values = objectives.map(({path}) => `${nameOf(path)} ${formatOf(path)(point.objectives[path]!)}`).join(', ');
  return `To weigh all objectives alike, take ${labelOf(point.axes)}: ${values}.`;
}

function figures({objectives, pareto, counts, levers}: SweepView['document']): Markup[] {
  const bests = objectives.slice(0, 2).flatMap(({path, goal}) => {
    const values = pareto.map((point) => point.objectives[path]!);
    if (values.length === 0) return [];
    const best = goal === 'minimise' ? Math.min(...values) : Math.max(...values);
    return [entry(`Best ${nameOf(path)}`, formatOf(path)(best), 'of the points within the constraints')];
  });
  const lever = levers[0]?.shares[0];
  return [
    ...bests,
    entry('Within the constraints', count(counts.good), `of ${count(counts.done)} points that ran`),
    entry('Pareto set', count(pareto.length), 'points that none beats in everything'),
    ...(lever === undefined ? [] : [entry('Biggest lever', share(lever.share), `${lever.axis}: its share of the spread`)]),
  ];
}

function entry(label: string, value: string, below: string): Markup {
  return html`<div><dt>${label}</dt><dd>${value}<small>${below}</small></dd></div>\n`;
}
