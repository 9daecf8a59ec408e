import {expect, it} from 'vitest';
import {headline} from '../../../src/sim/scenario/headline.js';
import {starter, starterKinds} from '../../../src/sim/scenario/starters.js';
import {load, refusal} from '../../support/scenario-text.js';

const head = 'model: llama-3.1-8b\nhardware: h100-sxm\nengine: vllm\nworkload:\n';
const agent = `${head}  {kind: agent, arrivals: 1 session/s, steps: 9, tool_time: 3 s, tool_result_tokens: 500}\n`;
const document = `${head}  {kind: document-qa, arrivals: 1 session/s, documents: 40, document_tokens: 9000, questions: 3, question_tokens: 50}\n`;
const batch = `${head}  {kind: batch, input_tokens: 100, output_tokens: 10}\n`;

it('an agent has steps, tools, and what nobody wrote is assumed', async () => {
  const {workload, assumptions} = await load({'a.yaml': agent}, ['workload.context_limit=8000']);
  expect(workload).toMatchObject({
    kind: 'agent',
    steps: {value: 9},
    toolTime: {value: 3},
    toolResultTokens: {value: 500},
    userTokens: {value: 200},
    outputTokens: {value: 240},
    contextLimit: {tokens: 8000, keepTokens: 0},
    sharedPrefixes: null,
  });
  expect(assumptions.slice(0, 2).map(({path}) => path)).toEqual(['workload.user_tokens', 'workload.output_tokens']);
});

it('documents may be a number, all equally popular', async () => {
  const {workload} = await load({'a.yaml': document});
  const documents = {count: 40, tokens: {dist: 'constant', value: 9000}, popularity: {dist: 'uniform'}};
  expect(workload).toMatchObject({kind: 'document-qa', documents, questions: {value: 3}, thinkTime: {value: 30}});
});

it('a batch needs no arrivals, has no warm-up, and is 2,000 requests unless the run says otherwise', async () => {
  const scenario = await load({'a.yaml': batch});
  expect(scenario.workload).toMatchObject({kind: 'batch', arrivals: null});
  expect(scenario.run.requests).toBe(2000);
  expect(headline(scenario)).toContain('batch, all at once');
});

it.each([agent, document, batch])('is the same when its resolved file is loaded again: %#', async (text) => {
  const first = await load({'a.yaml': text});
  const again = await load({'a.yaml': first.yaml});
  expect(again.workload).toEqual(first.workload);
  expect(again.sha256).toBe(first.sha256);
});

it.each(starterKinds.filter((kind) => kind !== 'replay'))('the starter for %s is a scenario of that kind', async (kind) => {
  const {workload, warnings} = await load({'a.yaml': starter(kind, 'llama-3.1-8b', 'h100-sxm', '')});
  expect([workload.kind, warnings]).toEqual([kind, []]);
});

it.each([
  [agent.replace(', steps: 9', ''), /^a\.yaml:4:1 workload\.steps: missing; agent needs it, e\.g\. /],
  [agent.replace('steps: 9', 'steps: 0'), /workload\.steps: 0 steps; a session has at least 1/],
  [
    agent.replace('steps: 9', 'steps: 9, context_limit: {keep_tokens: 5}'),
    /workload\.context_limit\.tokens: missing; how long may a prompt be\?/,
  ],
  [
    agent.replace('steps: 9', 'steps: 9, context_limit: {tokens: 50, keep_tokens: 50}'),
    /keep_tokens: 50 tokens are kept of 50; that compacts nothing/,
  ],
  [document.replace(' documents: 40,', ''), /^a\.yaml:4:1 workload\.documents: missing; document-qa needs it, e\.g\. /],
])('refuses %j', async (text, message) => {
  expect(await refusal({'a.yaml': text})).toMatch(message);
});
