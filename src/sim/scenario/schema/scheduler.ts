import {admissionPolicies} from '../../../policies/admission/index.js';
import {schedulingPolicies} from '../../../policies/scheduling/index.js';
import type {Parameter} from '../../../policies/scheduling/policy.js';
import {group, type Key} from './node.js';
import {count, duration, flag, name, ratio, share, texts, tokens} from './values.js';

/** The parameters of all scheduling policies by name, each with the policies that have it. */
const parameters = new Map<string, {parameter: Parameter; of: string[]}>();
for (const [policy, {params: own}] of Object.entries(schedulingPolicies)) {
  for (const [key, parameter] of Object.entries(own)) {
    const known = parameters.get(key);
    if (known === undefined) parameters.set(key, {parameter, of: [policy]});
    else known.of.push(policy);
  }
}

function keyOf(parameter: Parameter, of: readonly string[]): Key {
  const why = `${of.join(', ')}: ${parameter.about}`;
  if (parameter.kind === 'texts') return texts(why, {says: parameter.says});
  const says = {says: `${parameter.default}${parameter.kind === 'duration' ? ' s' : ''}${parameter.assumed ? ', assumed' : ''}`};
  if (parameter.kind === 'name') return name('choice', parameter.names, why, says);
  if (parameter.kind === 'count') return count(why, says);
  if (parameter.kind === 'number') return ratio(why, {...says, zero: true});
  return duration(why, says);
}

const {parameter: kvShare} = admissionPolicies['kv-pressure'];

/** Keys about the order and size of batches. */
export const scheduler = group('which requests run together, and when', {
  policy: group(
    'order of the queue, and what steps are made of',
    {
      policy: name('scheduling policy', Object.keys(schedulingPolicies), 'the policy'),
      ...Object.fromEntries([...parameters].map(([key, {parameter, of}]) => [key, keyOf(parameter, of)])),
    },
    {says: 'fcfs', kindKey: 'policy', short: {key: () => 'policy', cited: 'as-written'}},
  ),
  batching: name(
    'batching',
    ['continuous', 'static', 'request'],
    'continuous: requests join whenever they fit; static: those who wait when nobody runs are a batch, until its last one ends, without padding; request: one at a time',
    {default: 'continuous'},
  ),
  max_num_seqs: count('most sequences in a step', {says: "preset's by memory"}),
  max_num_batched_tokens: tokens('most tokens in a step', {says: "preset's by memory"}),
  chunked_prefill: flag('whether a prompt may be computed over several steps', {default: true}),
  long_prefill_token_threshold: tokens('longest chunk of one prompt a step; 0 is no limit', {default: 0, least: 0}),
  prefill_interval: count('prompts start or go on only every n-th step', {default: 1, unit: 'steps'}),
  preemption: name(
    'preemption',
    ['recompute', 'retract', 'none'],
    'what happens when KV runs out: whom the policy names starts again; who generated least does, at the end of the queue; or none is admitted that may not fit',
    {says: "preset's"},
  ),
  admission: group(
    'who may join while others run',
    {
      policy: name('admission policy', Object.keys(admissionPolicies), 'the policy'),
      [kvShare!.name]: share(`kv-pressure: ${kvShare!.about}`, {says: `${kvShare!.default}, assumed`}),
    },
    {says: 'none', kindKey: 'policy', short: {key: () => 'policy', cited: 'as-written'}},
  ),
  queue_limit: count('requests that may wait; an arrival beyond is rejected', {says: 'none', least: 0}),
  timeout: duration('longest wait before a request is first scheduled; then it leaves', {says: 'none'}),
});
