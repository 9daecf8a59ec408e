import type {Pair} from '../../../src/sim/compare/comparison.js';
import {comparedMetricNames} from '../../../src/sim/compare/metrics.js';
import {unbroken} from '../../format.js';
import {html, type Markup} from '../../markup.js';
import {type ComparePanel, markOf} from '../panel.js';

/** One sentence a figure: better, worse, or no difference shown. */
export const verdicts: ComparePanel = {
  name: 'Verdict by figure',

  title({document: {comparisons}}) {
    return comparisons
      .map((pair) => `${pair.after}: ${counts(pair)}`)
      .join('; ')
      .concat('.');
  },

  render({document: {comparisons, replications}}) {
    return html`${comparisons.map((pair) => html`${comparisons.length > 1 ? html`<h3>${pair.after}</h3>` : null}<ul class="verdicts">${sentences(pair)}</ul>`)}
<p class="note">All scenarios met the same random streams in ${replications} replications, so chance cancels in each pair. In brackets: 95 % interval of the difference. No difference is shown where the interval holds 0.</p>`;
  },
};

function counts({metrics}: Pair): string {
  const known = comparedMetricNames.flatMap((name) => (metrics[name] === null ? [] : [metrics[name].verdict]));
  const of = (verdict: string) => known.filter((one) => one === verdict).length;
  return `${of('better')} of ${known.length} figures better, ${of('worse')} worse, ${of('no difference shown')} without a difference shown`;
}

function sentences({verdict, metrics}: Pair): Markup[] {
  const byCode = new Map(verdict.map(({code, text}) => [code, text]));
  return comparedMetricNames.flatMap((name) => {
    const metric = metrics[name];
    const text = byCode.get(name);
    return metric === null || text === undefined ? [] : [html`<li data-mark="${markOf(metric.verdict)}">${unbroken(text)}</li>\n`];
  });
}
