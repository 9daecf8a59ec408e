import type {Report} from '../../src/sim/scenario/result.js';
import {packExact} from '../charts/data.js';
import {embeddedJson, html, type Markup} from '../markup.js';
import type {PickerData} from '../page/picked.js';

/** So many requests are all on the page; of more, so many of the slowest by each metric. */
const mostWhole = 4000;
const slowest = 1000;

/** A table of the requests that a part of the latency curves, or a moment of the run, is made of. The page's script fills and shows it. */
export function requestPicker({sample}: Report): Markup | null {
  const n = sample.arrival.length;
  if (n === 0) return null;
  const rows = n <= mostWhole ? Array.from({length: n}, (_, i) => i) : slowestOf(sample);
  const pick = (column: Float64Array) => packExact(rows.map((row) => column[row]!));
  const data: PickerData = {
    all: n,
    columns: {
      id: pick(sample.id),
      arrival: pick(sample.arrival),
      ttft: pick(sample.ttft),
      tpot: pick(sample.tpot),
      e2e: pick(sample.e2e),
      input: pick(sample.inputTokens),
      output: pick(sample.outputTokens),
      hit: pick(sample.hitTokens),
    },
  };
  const heads = ['request', 'arrival', 'TTFT', 'TPOT', 'E2E', 'input tokens', 'output tokens', 'found in cache'];
  return html`<div class="chosen" hidden><h3>Requests behind the curves</h3>
<p class="chosen-tools"><label>Requests by <select><option value="ttft">TTFT</option><option value="tpot">TPOT</option><option value="e2e">E2E</option></select></label> <label>from <input class="from" type="number" min="0" step="any"> s</label> <label>to <input class="to" type="number" min="0" step="any"> s</label> <button type="button">the slowest 5 %</button></p>
<p class="note">Drag over the curves above to choose a range; choose a moment by a click in a chart over time. Where they came is marked there.</p>
<p><output></output></p>
<div class="scroll" role="group" aria-label="Chosen requests" tabindex="0"><table><caption class="unseen">Chosen requests</caption><thead><tr>${heads.map((head, i) => html`<th scope="col"${i > 0 ? html` class="number"` : null}>${head}</th>`)}</tr></thead><tbody></tbody></table></div>
<script type="application/json" class="chosen-data">${embeddedJson(data)}</script></div>`;
}

/** Rows of the slowest requests by TTFT, TPOT and E2E, in order of arrival. */
function slowestOf(sample: Report['sample']): number[] {
  const chosen = new Set<number>();
  for (const column of [sample.ttft, sample.tpot, sample.e2e]) {
    const known = Array.from(column, (value, row) => ({value, row})).filter(({value}) => !Number.isNaN(value));
    known.sort((a, b) => b.value - a.value || a.row - b.row);
    for (const {row} of known.slice(0, slowest)) chosen.add(row);
  }
  return [...chosen].sort((a, b) => a - b);
}
