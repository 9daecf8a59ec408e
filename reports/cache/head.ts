import type {HitDocument} from '../../src/sim/memory/hit-document.js';
import {count, share, unbroken} from '../format.js';
import {html, type Markup} from '../markup.js';
import {ceilingGap, policyOf} from './part.js';

/** The head of the page: what a cache could do for the trace in one sentence, then at most five figures. */
export function head(document: HitDocument): Markup {
  const {trace, ceiling} = document;
  return html`<header>
<div class="name"><h1>${trace.file}</h1><p class="badge">${trace.format} · blocks of ${count(trace.block_tokens)} tokens · tiercast cache</p></div>
<p class="verdict">${unbroken(verdict(document))}</p>
<p class="also">${unbroken(`Hits are block accesses in ${trace.partial_blocks ? 'file order' : 'order of arrival'}, each a hit or brought in at once, without a clock; ${trace.partial_blocks ? 'a partial last block counts as one' : 'whole blocks of prompts count, answers come at once and are kept'}. ${count(trace.accesses)} accesses of ${count(trace.requests)} requests.`)}</p>
<dl class="figures">${[
    figure('Ceiling', share(ceiling.share), 'an infinite cache'),
    figure('Different blocks', count(trace.distinct_blocks), `of ${count(trace.accesses)} accesses`),
    ...(ceiling.predictor_blocks === null
      ? []
      : [figure('A perfect predictor', count(ceiling.predictor_blocks), 'blocks for the ceiling')]),
    ...(ceiling.lru_blocks === null ? [] : [figure('LRU', count(ceiling.lru_blocks), 'blocks for the ceiling')]),
  ]}</dl>
</header>`;
}

function verdict(document: HitDocument): string {
  const {ceiling} = document;
  if (ceiling.hits === 0) return 'No block is read twice: no cache could help.';
  const gap = ceilingGap(document);
  const best = `${share(ceiling.share)} of block accesses could hit`;
  if (gap === null)
    return `${best}${policyOf(document, 'belady') === null ? '.' : '; LRU needs no more room for it than a perfect predictor.'}`;
  const lru = policyOf(document, 'lru')!.sizes[gap.at]!.share;
  return `${best}. With ${count(gap.blocks)} blocks a perfect predictor has them all, LRU ${share(lru)}.`;
}

function figure(label: string, value: string, below: string): Markup {
  return html`<div><dt>${label}</dt><dd>${value}<small>${below}</small></dd></div>\n`;
}
