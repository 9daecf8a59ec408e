import type {Report} from '../../src/sim/scenario/result.js';
import type {Markup} from '../markup.js';

/** What a panel can be drawn from, and what the page says where it is missing. */
export const needs = {
  plan: {
    met: ({document}: Report) => Object.keys(document.plan.memories).length > 0,
    missing: 'No memory was planned.',
  },
  latency: {
    met: ({document}: Report) => Object.values(document.metrics).some((m) => m.n > 0),
    missing: 'No request finished, so there is no latency to show.',
  },
  timeline: {
    met: ({timeline}: Report) => timeline.time_s.length > 0,
    missing: 'Nothing ran, so there is nothing to show over time.',
  },
  steps: {
    met: ({document}: Report) => document.time.busy_s > 0,
    missing: 'No step ran, so nothing was bound by anything.',
  },
  prompts: {
    met: ({document}: Report) => document.hits.computed_tokens + tokensHit(document.hits.by_tier_tokens) > 0,
    missing: 'No prompt was looked up, so there is no hit to show.',
  },
} as const satisfies Record<string, {met(report: Report): boolean; missing: string}>;
export type Need = keyof typeof needs;

function tokensHit(byTier: Readonly<Record<string, number>>): number {
  return Object.values(byTier).reduce((sum, n) => sum + n, 0);
}

/** One part of the page. Pure: equal reports give equal markup. */
export interface Panel {
  /** What it is about, in a few words. */
  readonly name: string;
  /** Without these the page prints what is missing in place of the panel. */
  readonly needs: readonly Need[];
  /** Whether the page has this panel at all; absent: always. */
  applies?(report: Report): boolean;
  /** One sentence that says what the panel shows in this report. */
  title(report: Report): string;
  /** Everything below the title. */
  render(report: Report): Markup;
}
