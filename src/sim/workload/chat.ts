import {InputError} from '../core/errors.js';
import {stream} from '../core/random.js';
import {fromSeconds} from '../core/time.js';
import {NEVER} from './arrivals.js';
import {Conversations, type Write} from './conversations.js';
import {counts, draws, leastOf, many} from './distributions.js';
import {NO_PREFIX, Prefixes} from './prefixes.js';
import {Rounds} from './rounds.js';
import {Written} from './script.js';
import type {Stream, StreamOptions} from './stream.js';
import {supplyOf} from './supply.js';
import type {Arrivals, Distribution, Traffic} from './workload.js';

type Config = Extract<Traffic, {kind: 'chat'}>;

/** Conversations: each prompt is the shared prefix, all that was said before, and new user text; the next one comes a think time after the answer. */
export function chat(config: Config, options: StreamOptions): Stream {
  const {seed, replication, blockSize, path, ids} = options;
  const turnsOf = counts(config.turns, `${path}.turns`);
  const user = counts(config.userTokens, `${path}.user_tokens`);
  const output = counts(config.outputTokens, `${path}.output_tokens`);
  const think = draws(config.thinkTime, `${path}.think_time`);
  const random = stream(seed, `${replication}/${path}/turns`);
  const prefixes = config.sharedPrefixes && new Prefixes(config.sharedPrefixes, ids, options);
  const shares = prefixes !== null || !isOneTurn(config);
  const write: Write = (index, session) => {
    const own = (what: string) => stream(seed, `${replication}/${path}/${what}/${index}`);
    const turns = turnsOf(random);
    const prefix = prefixes?.next() ?? NO_PREFIX;
    const users = many(turns, user, own('user_tokens'));
    const outputs = many(turns, output, own('output_tokens'));
    const gaps = turns === 1 ? [] : many(turns - 1, think, own('think_time')).map(fromSeconds);
    const inputs = spoken(prefix.tokens, users, outputs);
    return new Written({prefix, inputs, outputs, gaps, starts: null, blockSize}, shares ? (count) => ids.allocate(session, count) : null);
  };
  const {arrivals} = config;
  if (arrivals.process === 'rounds') return new Rounds(arrivals, options, shares, write);
  const supply = supplyOf(arrivals, options, requestsPerSession(arrivals, config.turns, path));
  return new Conversations(options, supply, shares, write, isOneTurn(config) ? NEVER : fromSeconds(leastOf(config.thinkTime)));
}

/** The prompts of a conversation: each holds all that was said before. */
export function spoken(prefix: number, users: readonly number[], outputs: readonly number[]): number[] {
  let context = prefix;
  return users.map((user, turn) => {
    const input = context + user;
    context = input + outputs[turn];
    return input;
  });
}

function isOneTurn({turns}: Config): boolean {
  return turns.dist === 'constant' && turns.value < 1.5;
}

/** How many arrivals of the kind that the rate counts make a session. */
function requestsPerSession(arrivals: Arrivals, turns: Distribution, path: string): number {
  if (!('of' in arrivals) || arrivals.of === 'session') return 1;
  if (turns.dist === 'constant') return Math.max(1, Math.round(turns.value));
  throw new InputError(
    `${path}.arrivals.rate: ${arrivals.rate} req/s does not say how many sessions start, because their turns vary; write "… session/s"`,
  );
}
