import {describe, expect, it} from 'vitest';
import {headline} from '../../../src/sim/scenario/headline.js';
import {load, refusal} from '../../support/scenario-text.js';

const head = 'model: llama-3.1-8b\nhardware: h100-sxm\nengine: vllm\nworkload:\n';
const streams = `${head}  streams:
    chat: {kind: chat, arrivals: 2 session/s}
    bulk: {kind: lengths, class: background, arrivals: {process: closed-loop, sessions: 4}, input_tokens: 1000, output_tokens: 100}
`;

describe('mixed traffic', () => {
  it('is a workload a stream, with its class, and chat’s defaults where nothing is said', async () => {
    const {workload, assumptions} = await load({'a.yaml': streams});
    expect(workload).toMatchObject({
      kind: 'streams',
      streams: [
        {name: 'chat', class: 'chat', traffic: {kind: 'chat', arrivals: {rate: 2, of: 'session'}, turns: {value: 5}}},
        {name: 'bulk', class: 'background', traffic: {kind: 'lengths', inputTokens: {value: 1000}}},
      ],
    });
    expect(assumptions[0]).toMatchObject({path: 'workload.streams.chat.turns', value: '5', grade: 'assumed'});
  });

  it('is told in the headline, stream by stream', async () => {
    expect(headline(await load({'a.yaml': streams}))).toContain('chat 2 session/s + lengths 4 sessions in a closed loop');
  });

  it('is the same when its resolved file is loaded again', async () => {
    const first = await load({'a.yaml': streams});
    const again = await load({'a.yaml': first.yaml});
    expect(again.workload).toEqual(first.workload);
    expect(again.sha256).toBe(first.sha256);
  });

  it('changes with --set below the stream', async () => {
    const {workload} = await load({'a.yaml': streams}, ['workload.streams.chat.arrivals=4 session/s', 'workload.streams.bulk=null']);
    expect(workload).toMatchObject({streams: [{name: 'chat', traffic: {arrivals: {rate: 4}}}]});
  });

  it('lasts 2,000 requests of all streams unless the run says otherwise', async () => {
    expect((await load({'a.yaml': streams})).run.requests).toBe(2000);
  });
});

it('a class may be named without streams too', async () => {
  const {workload} = await load({'a.yaml': `${head}  {kind: chat, class: gold, arrivals: 1 session/s}\n`});
  expect(workload).toMatchObject({kind: 'chat', class: 'gold'});
});

it.each([
  [`${streams}  kind: chat\n`, 'a.yaml:8:9 workload.kind: belongs into a stream, because workload.streams is written'],
  [`${head}  streams: {}\n`, 'a.yaml:5:12 workload.streams: is empty; e.g. "streams: {chat: {kind: chat, arrivals: 1 session/s}}"'],
  [`${head}  streams:\n    chat: {arrivals: 1 session/s}\n`, /^a\.yaml:6:11 workload\.streams\.chat: says no "kind"; known: agent, /],
  [`${head}  streams:\n    chat: {kind: chat}\n`, 'a.yaml:6:5 workload.streams.chat.arrivals: missing; e.g. "arrivals: 2 session/s"'],
  [
    `${head}  streams:\n    chat: {kind: chat, arrivals: 1 session/s, think_tim: 3 s}\n`,
    'a.yaml:6:47 workload.streams.chat.think_tim: unknown key (did you mean "think_time"?)',
  ],
])('refuses %j', async (text, message) => {
  const told = await refusal({'a.yaml': text});
  if (typeof message === 'string') expect(told).toBe(message);
  else expect(told).toMatch(message);
});
