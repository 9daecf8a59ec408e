import type {Report, ResultDocument} from '../../src/sim/scenario/result.js';
import {count, duration, secondsTick} from '../format.js';
import {html} from '../markup.js';
import {logPlot} from '../page/log-plot.js';
import type {Panel} from './panel.js';
import {tierName, tierSeries} from './tiers.js';

/** From which length on loading a prefix is sooner than computing it: both alone, by memory. */
export const loadOrCompute: Panel = {
  name: 'Load or compute',
  needs: [],
  applies: ({document}: Report) => document.load_or_compute !== undefined,
  title: ({document}) => byAnswer(document).map(sentence).join(' '),

  render({document: {load_or_compute: both}}) {
    const {tokens, compute_s: compute, load_s: load} = both!;
    const points = (seconds: readonly number[]) => seconds.map((y, i) => ({x: tokens[i]!, y, note: duration(y)}));
    return html`${logPlot({
      id: 'load-or-compute',
      title: 'Time to have the KV of a prefix, by its length: computed in one step, or loaded',
      x: {title: 'tokens of the prefix', format: count, tick: count},
      y: {title: 'time', format: duration, tick: secondsTick},
      series: [
        {label: 'compute', points: points(compute), joined: true, series: 1},
        ...Object.entries(load).map(([tier, seconds]) => ({
          label: `load from ${tierName(tier)}`,
          points: points(seconds),
          joined: true,
          series: tierSeries(tier),
        })),
      ],
      guides: [],
      note: 'Each alone: no queue, and nothing else on the links, the memories and the device. What they take from each other is in the run.',
    })}`;
  },
};

/** One sentence for all memories with the same answer. */
function sentence([from, tiers]: [number | null, string[]]): string {
  const what = `Loading a prefix from ${tiers.map((tier) => tierName(tier)).join(' or ')}`;
  return from === null
    ? `${what} is never sooner than computing it.`
    : `${what} is sooner than computing it from ${count(from)} tokens on.`;
}

function byAnswer(document: ResultDocument): [number | null, string[]][] {
  const answers = new Map<number | null, string[]>();
  for (const [tier, from] of Object.entries(document.break_even_tokens)) answers.set(from, [...(answers.get(from) ?? []), tier]);
  return [...answers];
}
