import type {Comparison} from '../../src/sim/compare/comparison.js';
import type {Markup} from '../markup.js';

/** One part of the page of a comparison. Pure: equal comparisons give equal markup. */
export interface ComparePanel {
  /** What it is about, in a few words. */
  readonly name: string;
  /** One sentence that says what the panel shows in this comparison. */
  title(comparison: Comparison): string;
  /** Everything below the title. */
  render(comparison: Comparison): Markup;
}

/** The colour and dash of a scenario, the same through the whole page; the base is 1. */
export function seriesOf({document}: Comparison, label: string): number {
  return document.labels.indexOf(label) + 1;
}

const marks = {better: '✓', worse: '✕', 'no difference shown': '='} as const;

/** A sign for a verdict; the text beside it says the same in words. */
export function markOf(verdict: keyof typeof marks): string {
  return marks[verdict];
}
