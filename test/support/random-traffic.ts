import {type Random, stream} from '../../src/sim/core/random.js';
import {linearCost} from './linear-cost.js';
import type {Overrides} from './replica-config.js';
import type {Scripted} from './scripted.js';

/** A random small engine under random traffic, from plenty of room to thrashing; seed by seed the same. */
export function randomTraffic(seed: number) {
  const random = stream(seed, 'test/traffic');
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const grid = random() < 0.5 ? 1e6 : 1; // arrivals and steps on a coarse grid make ties
  const coarse = grid > 1;
  const cost = coarse
    ? linearCost({base: whole(1, 5) / 1000})
    : linearCost({
        base: random() * 0.005,
        token: random() * 1e-4,
        context: random() * 1e-6,
        window: random() < 0.3 ? whole(3, 40) : Number.POSITIVE_INFINITY,
      });
  const seqs = whole(1, 12);
  const longest = 64;
  const overrides: Overrides = {
    inFlight: whole(1, 2),
    scheduler: {maxNumSeqs: seqs, maxNumBatchedTokens: Math.max(seqs, whole(4, 60))},
    kv: {blocks: Math.ceil(longest / 4) + whole(0, 40), prefixCache: random() < 0.8},
    maxModelLen: longest,
  };
  let at = 0;
  const spread = random() * 2e7;
  const share = random();
  const script: Scripted[] = Array.from({length: whole(20, 80)}, () => {
    at += Math.round((random() * spread) / grid) * grid;
    const input = whole(1, 40);
    const text = random() < share ? word(random, Math.floor(input / 4) + whole(0, 2)) : '';
    return {at, input, output: whole(1, 24), text};
  });
  return {overrides, cost, script};
}

/** A word of few letters with long common prefixes. */
function word(random: Random, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += 'abc'[Math.floor(random() ** 3 * 3)];
  return text;
}
