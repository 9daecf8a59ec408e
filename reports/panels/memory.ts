import type {PlanDocument} from '../../src/sim/scenario/result.js';
import {type Segment, stackedBar} from '../charts/bar.js';
import {bytes, count, share} from '../format.js';
import {html} from '../markup.js';
import {type Chart, figure} from '../page/figure.js';
import {grade} from '../page/grade.js';
import {number, table} from '../page/table.js';
import type {Panel} from './panel.js';
import {tiersBelow} from './tiers.js';

type Memory = PlanDocument['memories'][string];

/** Where memory goes: one bar a memory, and how each part of it was derived. */
export const memory: Panel = {
  name: 'Where memory goes',
  needs: ['plan'],

  title({document}) {
    const {plan} = document;
    if (plan.kv_blocks <= 0) return 'Nothing is left for the KV cache: it does not fit.';
    const below = tiersBelow(document)
      .map((tier) => `, ${tier.toUpperCase()}${sharers(plan, tier, ' of ')} for ${count(plan.tiers[tier]!.kv_tokens)}`)
      .join('');
    const from = {derived: '', measured: ' (a measured number, not derived)', capped: ' (capped by the scenario)'}[plan.blocks_from];
    return `The KV cache gets room for ${count(plan.kv_tokens)} tokens${from}${below}; one request may use up to ${count(plan.max_context_tokens)}.`;
  },

  render({document}) {
    const {plan} = document;
    return html`${Object.entries(plan.memories).map(([name, m]) => figure(bar(name, m, plan)))}
<h3>How it was derived, on one device</h3>
${derivation(plan)}
<p class="note">${blocksLine(plan)}</p>`;
  },
};

/** Who shares a memory, after a word; '' where each replica has its own. */
function sharers({tiers, replicas}: PlanDocument, name: string, word: string): string {
  return tiers[name]?.scope === undefined ? '' : `${word}all ${count(replicas)} replicas`;
}

function bar(name: string, m: Memory, plan: PlanDocument): Chart {
  const segments = memoryParts(m);
  const use = Object.hasOwn(plan.tiers, name) ? `KV may use ${bytes(m.kv_bytes)}` : `the engine may use ${bytes(m.usable_bytes)}`;
  const title = `${name.toUpperCase()}${m.devices > 1 ? ` of ${m.devices} devices` : ''}${sharers(plan, name, ', one for ')}: ${bytes(m.size_bytes)}, of which ${use}`;
  return {
    id: `memory-${name.replace(/[^\w-]+/g, '-')}`,
    title,
    svg: stackedBar(`${title}. ${segments.map((s) => `${s.label} ${bytes(s.value)}`).join(', ')}.`, segments, m.size_bytes, bytes),
    legend: segments
      .filter((s) => s.value > 0)
      .map((s) => ({series: s.series, label: `${s.label} ${bytes(s.value)}`, mark: 'area' as const})),
    data: {
      kind: 'items',
      valueLabel: 'bytes',
      format: 'bytes',
      items: segments
        .filter((s) => s.value > 0)
        .map((s) => ({label: s.label, value: s.value, note: `${share(s.value / m.size_bytes)} of ${name.toUpperCase()}`})),
    },
    table: {
      caption: `Parts of ${name}`,
      head: [{label: 'part'}, {label: 'size', numeric: true}, {label: 'bytes', numeric: true}, {label: 'share', numeric: true}],
      rows: segments.map((s) => [
        s.label,
        number(s.value, bytes),
        number(s.value, count),
        number(m.size_bytes > 0 ? s.value / m.size_bytes : null, share),
      ]),
    },
  };
}

/** Parts of a memory, all devices together; they add up to its size. */
export function memoryParts(m: Memory): Segment[] {
  return [
    {label: 'Weights', series: 1, value: m.weights_bytes},
    {label: 'Work space', series: 6, value: m.overhead_bytes},
    {label: 'KV cache', series: 2, value: m.kv_bytes},
    {label: 'Free', series: 0, value: m.free_bytes},
    {label: 'Not for the engine', series: 0, value: m.size_bytes - m.usable_bytes},
  ];
}

function derivation({terms}: PlanDocument) {
  return table({
    caption: 'Derivation of the KV capacity',
    head: [{label: 'term'}, {label: 'formula'}, {label: 'size', numeric: true}, {label: 'bytes', numeric: true}, {label: 'grade'}],
    rows: terms.map((t) => [t.name, t.formula, number(t.bytes, bytes), number(t.bytes, count), grade(t.grade)]),
  });
}

function blocksLine(plan: PlanDocument): string {
  const blocks = `${count(plan.kv_blocks)} blocks of ${count(plan.block_tokens)} tokens, ${bytes(plan.block_bytes)} each (${count(plan.kv_bytes_per_token)} B a token)`;
  const derived = plan.blocks_from === 'derived' ? '' : ` Derived would be ${count(plan.derived_blocks)} blocks.`;
  return `${blocks}.${derived} A request may have ${count(plan.max_model_len_tokens)} tokens; ${count(plan.max_batch)} of that length ${plan.max_batch === 1 ? 'fits' : 'fit'} at once.`;
}
