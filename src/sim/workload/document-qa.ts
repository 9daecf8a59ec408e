import {stream} from '../core/random.js';
import {fromSeconds} from '../core/time.js';
import {spoken} from './chat.js';
import {Conversations} from './conversations.js';
import {counts, draws, leastOf, many} from './distributions.js';
import {Prefixes} from './prefixes.js';
import {Written} from './script.js';
import type {Stream, StreamOptions} from './stream.js';
import {supplyOf} from './supply.js';
import type {Traffic} from './workload.js';

type Config = Extract<Traffic, {kind: 'document-qa'}>;

/** Questions to documents: each prompt is the document, the session's questions and answers before, and a question. Sessions that choose one document share it. */
export function documentQa(config: Config, options: StreamOptions): Stream {
  const {seed, replication, blockSize, path, ids} = options;
  const questionsOf = counts(config.questions, `${path}.questions`);
  const question = counts(config.questionTokens, `${path}.question_tokens`);
  const output = counts(config.outputTokens, `${path}.output_tokens`);
  const think = draws(config.thinkTime, `${path}.think_time`);
  const random = stream(seed, `${replication}/${path}/questions`);
  const supply = supplyOf(config.arrivals, options);
  const documents = new Prefixes(config.documents, ids, options, 'document');
  const write = (index: number, session: number) => {
    const own = (what: string) => stream(seed, `${replication}/${path}/${what}/${index}`);
    const count = questionsOf(random);
    const prefix = documents.next();
    const asked = many(count, question, own('question_tokens'));
    const outputs = many(count, output, own('output_tokens'));
    const gaps = many(count - 1, think, own('think_time')).map(fromSeconds);
    const inputs = spoken(prefix.tokens, asked, outputs);
    return new Written({prefix, inputs, outputs, gaps, starts: null, blockSize}, (blocks) => ids.allocate(session, blocks));
  };
  return new Conversations(options, supply, true, write, fromSeconds(leastOf(config.thinkTime)));
}
