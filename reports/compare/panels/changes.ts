import type {Pair} from '../../../src/sim/compare/comparison.js';
import {derivedFigureText, factorText} from '../../../src/sim/compare/text.js';
import {html, type Markup} from '../../markup.js';
import {table} from '../../page/table.js';
import type {ComparePanel} from '../panel.js';

/** What differs between the resolved scenarios, and what follows from it. */
export const changes: ComparePanel = {
  name: 'What changed',

  title({document: {comparisons}}) {
    const parts = comparisons.map(({after, changed}) => `${keys(changed.length)} in ${after}`);
    return comparisons.every(({changed}) => changed.length === 0)
      ? 'The scenarios are the same.'
      : `${parts.join(', ')}; all other keys are equal.`;
  },

  render({document: {comparisons}}) {
    return html`${comparisons.map((pair) => html`${comparisons.length > 1 ? html`<h3>${pair.after}</h3>` : null}${rows(pair)}`)}`;
  },
};

function keys(n: number): string {
  return n === 1 ? '1 key differs' : `${n} keys differ`;
}

function rows(pair: Pair): Markup {
  const code = (text: string) => ({markup: html`<code>${text}</code>`, text});
  return table({
    caption: `What differs between ${pair.before} and ${pair.after}`,
    head: [{label: 'key'}, {label: pair.before}, {label: pair.after}, {label: 'factor'}],
    rows: [
      ...pair.changed.map(({path, before, after}) => [code(path), before ?? '–', after ?? '–', '']),
      ...pair.derived.map((one) => [one.label, derivedFigureText(one, one.before), derivedFigureText(one, one.after), factorText(one)]),
    ],
  });
}
