import type {Traffic} from '../../workload/workload.js';
import {distribution, popularity} from './forms.js';
import {family, group, later} from './node.js';
import {count, name, path, quantity, ratio, text, tokens} from './values.js';

/** Kinds of traffic that this version simulates, and the keys that each of them uses. */
export const kinds: Readonly<Record<Traffic['kind'], readonly string[]>> = {
  agent: ['arrivals', 'steps', 'user_tokens', 'tool_time', 'tool_result_tokens', 'output_tokens', 'context_limit', 'shared_prefixes'],
  batch: ['input_tokens', 'output_tokens', 'shared_prefixes'],
  chat: ['arrivals', 'turns', 'think_time', 'user_tokens', 'output_tokens', 'shared_prefixes'],
  'document-qa': ['arrivals', 'documents', 'document_tokens', 'questions', 'question_tokens', 'output_tokens', 'think_time'],
  lengths: ['arrivals', 'input_tokens', 'output_tokens', 'shared_prefixes'],
  replay: ['arrivals', 'trace', 'format', 'rate_scale', 'dequantise', 'limit'],
};

const arrivals = group(
  'when requests or sessions come',
  {
    process: name(
      'arrival process',
      ['poisson', 'gamma', 'constant', 'closed-loop', 'rounds'],
      'open at a rate, closed with a number of sessions, or closed in rounds: one turn of every session each',
    ),
    rate: quantity('rate', 'offered to the whole deployment; the unit says what arrives: req/s or session/s', {positive: true}),
    cv: ratio('gamma: standard deviation ÷ mean of the gaps', {zero: true}),
    sessions: count('closed-loop: sessions that are always open; rounds: sessions'),
    in_flight: count('rounds: most requests at once'),
  },
  {says: 'required but for batch and replay', kindKey: 'process', short: {key: () => 'rate', with: {process: 'poisson'}}},
);

const keys = {
  kind: name('workload', Object.keys(kinds), 'sessions, independent requests, a batch at time 0, or a recorded trace', {says: 'required'}),
  arrivals,
  input_tokens: distribution('tokens', 'prompt of a request (required by lengths, batch)'),
  output_tokens: distribution('tokens', 'tokens that are generated (required by lengths, batch)', {
    says: '240 for chat, agent, document-qa',
  }),
  turns: distribution('count', 'chat: turns of a session', {says: '5'}),
  think_time: distribution('duration', 'chat, document-qa: from the end of an answer to the next question', {says: '30 s'}),
  user_tokens: distribution('tokens', 'chat: tokens that the user adds a turn; agent: the task', {says: '200'}),
  steps: distribution('count', 'agent: requests of a task (required)'),
  tool_time: distribution('duration', 'agent: from the end of an answer to the next request (required)'),
  tool_result_tokens: distribution('tokens', 'agent: tokens that a tool returns (required)'),
  context_limit: group(
    'agent: a longer prompt is compacted: behind the shared prefix other text replaces what stood there, so that nothing of it is found in the cache',
    {
      tokens: tokens('longest prompt'),
      keep_tokens: tokens('tokens that are left of what stood before, the shared prefix included; at least that prefix', {least: 0}),
    },
    {says: 'none', short: {key: () => 'tokens', cited: 'as-written'}},
  ),
  documents: group(
    'document-qa: the documents (required)',
    {count: count('how many'), popularity},
    {short: {key: () => 'count', cited: 'as-written'}},
  ),
  document_tokens: distribution('tokens', 'document-qa: tokens of a document (required)'),
  questions: distribution('count', 'document-qa: questions of a session, to one document (required)'),
  question_tokens: distribution('tokens', 'document-qa: tokens of a question (required)'),
  shared_prefixes: group('system prompts and tool schemas that sessions share', {
    count: count('different prefixes'),
    tokens: distribution('tokens', 'length of a prefix'),
    popularity,
  }),
  trace: path('replay: the recorded requests; JSON lines or CSV, also .gz'),
  format: text('replay: name of the trace format', {says: 'by content', listing: 'traces'}),
  rate_scale: ratio('replay: 0.5 is half the recorded rate', {default: 1}),
  dequantise: name('spreading', ['none', 'uniform'], 'replay: spread rows of one timestamp up to the next', {default: 'none'}),
  limit: count('replay: first requests only', {says: 'all', unit: 'requests'}),
  class: text('class of these requests: what slo.classes and priorities name', {says: "the stream's name, else default"}),
  tenant: later(text('tenant of these requests')),
};

/** Keys about what is asked of the deployment. */
export const workload = group('what is asked of the deployment', {
  ...keys,
  streams: family('several kinds of traffic at once, each written like a workload of its own', '<s>', group('one stream', keys)),
});
