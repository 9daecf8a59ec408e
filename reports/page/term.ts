import {html, type Markup} from '../markup.js';

/** What the page's words mean, in one sentence each. */
export const definitions = {
  TTFT: 'Time to first token: from the arrival of a request to its first output token, waiting included.',
  TPOT: 'Time per output token: (E2E − TTFT) / (output tokens − 1); answers of one token have none.',
  ITL: 'Inter-token latency: every gap between two tokens of a request, each weighing the same.',
  E2E: 'End-to-end latency: from the arrival of a request to its last token.',
  output: 'Output tokens that left the deployment, per second of measured time.',
  cost: 'Price of everything for the time that a million output tokens take. The prices are inputs.',
  kv: 'Mean share of the KV cache that running requests held. What is kept for reuse takes the rest and gives way.',
  goodput: 'Requests that finished within all goals, per second of measured time.',
  attainment: 'Share of measured requests that finished within all goals.',
  queue: 'From the arrival of a request to its first step.',
} as const;
export type Term = keyof typeof definitions;

/** A word with its definition, shown on hover and on focus, also without script. */
export function term(word: Term, label: string = word): Markup {
  return html`<span class="term" tabindex="0">${label}<span class="definition" role="note">${definitions[word]}</span></span>`;
}
