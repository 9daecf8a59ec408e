import {policy} from './forms.js';
import {group} from './node.js';
import {count, duration, flag, name, tokens} from './values.js';

/** Keys about the order and size of batches. */
export const scheduler = group('which requests run together, and when', {
  policy: policy('scheduling policy', ['fcfs'], ['priority', 'sjf', 'mlfq', 'lpm'], 'order of the queue', {says: 'fcfs'}),
  batching: name('batching', ['continuous'], 'static and request batching are baselines', {
    later: ['static', 'request'],
    default: 'continuous',
  }),
  max_num_seqs: count('most sequences in a step', {says: "preset's by memory"}),
  max_num_batched_tokens: tokens('most tokens in a step', {says: "preset's by memory"}),
  chunked_prefill: flag('whether a prompt may be computed over several steps', {default: true}),
  long_prefill_token_threshold: tokens('longest chunk of one prompt a step; 0 is no limit', {default: 0, least: 0}),
  prefill_interval: count('prompts start or go on only every n-th step', {default: 1, unit: 'steps'}),
  preemption: name(
    'preemption',
    ['recompute', 'none'],
    'what happens when KV runs out: a victim starts again, or none is admitted that may not fit',
    {
      later: ['retract'],
      default: 'recompute',
    },
  ),
  admission: policy('admission policy', [], [], 'pressure, quota', {since: 'later', says: 'none'}),
  queue_limit: count('requests that may wait; an arrival beyond is rejected', {says: 'none', least: 0}),
  timeout: duration('longest wait before a request is first scheduled; then it leaves', {says: 'none'}),
});
