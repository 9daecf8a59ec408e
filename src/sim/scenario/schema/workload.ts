import {distribution, popularity} from './forms.js';
import {family, group, later} from './node.js';
import {count, name, path, quantity, ratio, text, tokens} from './values.js';

/** Kinds of traffic that this version simulates, and the keys that each of them uses. */
export const kinds: Readonly<Record<'chat' | 'lengths' | 'replay', readonly string[]>> = {
  chat: ['arrivals', 'turns', 'think_time', 'user_tokens', 'output_tokens', 'shared_prefixes'],
  lengths: ['arrivals', 'input_tokens', 'output_tokens', 'shared_prefixes'],
  replay: ['arrivals', 'trace', 'format', 'rate_scale', 'dequantise', 'limit'],
};

const arrivals = group(
  'when requests or sessions come',
  {
    process: name(
      'arrival process',
      ['poisson', 'gamma', 'constant', 'closed-loop'],
      'open at a rate, or closed with a number of sessions',
    ),
    rate: quantity('rate', 'offered to the whole deployment; the unit says what arrives: req/s or session/s', {positive: true}),
    cv: ratio('gamma: standard deviation ÷ mean of the gaps', {zero: true}),
    sessions: count('closed-loop: sessions that are always open'),
  },
  {says: 'required but for batch and replay', kindKey: 'process', short: {key: () => 'rate', with: {process: 'poisson'}}},
);

const keys = {
  kind: name('workload', ['chat', 'lengths', 'replay'], 'sessions, independent requests, or a recorded trace', {
    later: ['agent', 'document-qa', 'batch'],
    says: 'required',
  }),
  arrivals,
  input_tokens: distribution('tokens', 'prompt of a request (required by lengths, batch)'),
  output_tokens: distribution('tokens', 'tokens that are generated (required by lengths, batch)', {says: '240 for chat'}),
  turns: distribution('count', 'chat: turns of a session', {says: '5'}),
  think_time: distribution('duration', 'chat: from the end of an answer to the next question', {says: '30 s'}),
  user_tokens: distribution('tokens', 'chat: tokens that the user adds a turn', {says: '200'}),
  steps: distribution('count', 'agent: calls of a session', {since: 'later'}),
  tool_time: distribution('duration', 'agent: time of a tool', {since: 'later'}),
  tool_result_tokens: distribution('tokens', 'agent: tokens that a tool returns', {since: 'later'}),
  context_limit: later(
    group(
      'agent: the context is compacted beyond it',
      {
        tokens: tokens('longest context'),
        keep_tokens: tokens('what is kept of the prefix', {least: 0}),
      },
      {short: {key: () => 'tokens', cited: 'as-written'}},
    ),
  ),
  documents: later(
    group('document-qa: the documents', {count: count('how many'), popularity}, {short: {key: () => 'count', cited: 'as-written'}}),
  ),
  document_tokens: distribution('tokens', 'document-qa: tokens of a document', {since: 'later'}),
  questions: distribution('count', 'document-qa: questions to a document', {since: 'later'}),
  question_tokens: distribution('tokens', 'document-qa: tokens of a question', {since: 'later'}),
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
