import type {ResultDocument} from '../../src/sim/scenario/result.js';
import {place} from '../charts/bar.js';
import {coordinate} from '../charts/frame.js';
import {bytes, count, unbroken} from '../format.js';
import {html, type Markup} from '../markup.js';
import {swatch} from '../page/figure.js';
import {memoryParts} from './memory.js';

/** Whether it fits, at a glance: one thin bar a memory, with its parts, and the longest request that there is room for. */
export function fits({plan}: ResultDocument): Markup | null {
  const memories = Object.entries(plan.memories).filter(([, {size_bytes: size}]) => size > 0);
  if (memories.length === 0) return null;
  const answer =
    plan.kv_blocks > 0 ? `One request may use up to ${count(plan.max_context_tokens)} tokens.` : 'No room is left for the KV cache.';
  return html`<div class="fits"><p><strong>${plan.kv_blocks > 0 ? 'It fits.' : 'It does not fit.'}</strong> ${answer}</p><ul>${memories.map(([name, m]) => row(name, m))}</ul></div>`;
}

function row(name: string, m: ResultDocument['plan']['memories'][string]): Markup {
  const placed = place(memoryParts(m), m.size_bytes);
  const rects = placed.map(
    ({series, from, to}) =>
      html`<rect class="segment s${series}" x="${coordinate(from / 10)}%" width="${coordinate((to - from) / 10)}%" height="14"/>`,
  );
  return html`<li><span>${name.toUpperCase()} ${unbroken(bytes(m.size_bytes))}</span><svg width="100%" height="14" aria-hidden="true" focusable="false">${rects}</svg><span class="parts">${placed.map(
    ({label, series, value}) => html`<span>${swatch(series, 'area')}${unbroken(`${label} ${bytes(value)}`)}</span> `,
  )}</span></li>`;
}
