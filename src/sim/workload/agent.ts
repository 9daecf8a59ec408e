import {stream} from '../core/random.js';
import {fromSeconds} from '../core/time.js';
import {Conversations} from './conversations.js';
import {counts, draws, leastOf, many} from './distributions.js';
import {NO_PREFIX, type Prefix, Prefixes} from './prefixes.js';
import {Written} from './script.js';
import type {Stream, StreamOptions} from './stream.js';
import {supplyOf} from './supply.js';
import type {ContextLimit, Traffic} from './workload.js';

type Config = Extract<Traffic, {kind: 'agent'}>;

/** Tasks of an agent: each prompt is the shared prefix, all that was said before, and what a tool returned; the next one comes when the tool is done. */
export function agent(config: Config, options: StreamOptions): Stream {
  const {seed, replication, blockSize, path, ids} = options;
  const stepsOf = counts(config.steps, `${path}.steps`);
  const user = counts(config.userTokens, `${path}.user_tokens`);
  const result = counts(config.toolResultTokens, `${path}.tool_result_tokens`);
  const output = counts(config.outputTokens, `${path}.output_tokens`);
  const tool = draws(config.toolTime, `${path}.tool_time`);
  const random = stream(seed, `${replication}/${path}/steps`);
  const supply = supplyOf(config.arrivals, options);
  const prefixes = config.sharedPrefixes && new Prefixes(config.sharedPrefixes, ids, options);
  const write = (index: number, session: number) => {
    const own = (what: string) => stream(seed, `${replication}/${path}/${what}/${index}`);
    const steps = stepsOf(random);
    const prefix = prefixes?.next() ?? NO_PREFIX;
    const added = [user(own('user_tokens')), ...many(steps - 1, result, own('tool_result_tokens'))];
    const outputs = many(steps, output, own('output_tokens'));
    const gaps = many(steps - 1, tool, own('tool_time')).map(fromSeconds);
    const {inputs, starts} = compacted(prefix, added, outputs, config.contextLimit, blockSize);
    return new Written({prefix, inputs, outputs, gaps, starts, blockSize}, (count) => ids.allocate(session, count));
  };
  return new Conversations(options, supply, true, write, fromSeconds(leastOf(config.toolTime)));
}

/**
 * The prompts of a task, and where the text of each begins among its own blocks.
 *
 * A prompt that would be longer than the limit is compacted: of all that stood before, the shared prefix stays as it is, and other text stands for the rest, so that the two together have the tokens that are kept. Nothing behind the prefix is found in the cache then.
 */
export function compacted(
  prefix: Prefix,
  added: readonly number[],
  outputs: readonly number[],
  limit: ContextLimit | null,
  blockSize: number,
): {inputs: number[]; starts: number[]} {
  const inputs: number[] = [],
    starts: number[] = [];
  let context = prefix.tokens,
    start = 0;
  for (let step = 0; step < added.length; step++) {
    let input = context + added[step];
    if (limit !== null && input > limit.tokens) {
      if (step > 0) start += Math.ceil(context / blockSize) - prefix.blocks; // other text, so other blocks
      const kept = step === 0 ? prefix.tokens : Math.max(prefix.tokens, limit.keepTokens);
      input = Math.max(prefix.tokens + 1, Math.min(limit.tokens, kept + added[step]));
    }
    inputs.push(input);
    starts.push(start);
    context = input + outputs[step];
  }
  return {inputs, starts};
}
