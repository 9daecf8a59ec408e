import {Nothing} from './none.js';
import type {Prefetch, Prompt} from './policy.js';

/**
 * Fetches what a waiting request's prompt has beyond the nearest memory into that memory, as SGLang HiCache's L3 → L2 prefetch does, with its words and defaults (FORMATS §8.2).
 *
 * It begins when the request enters the queue, and takes places for all that is missing. When the request is to run, what has come is used; the rest is computed, for HiCache reads L3 in no other way.
 */
export const queue: Prefetch = {
  about: "fetches into the nearest memory what a waiting request's prompt has beyond it (SGLang HiCache)",
  params: {
    stop: {
      kind: 'name',
      default: 'best-effort',
      names: ['best-effort', 'wait-complete', 'timeout'],
      about: 'whether the request waits for it: not at all, until all has come, or for timeout_base + timeout_per_ki_token',
    },
    threshold: {kind: 'count', default: 256, about: 'tokens that must be missing, and be found beyond, for it to begin'},
    capacity: {kind: 'share', default: 0.8, about: "most that is under way: share of the nearest memory's size less HBM's"},
    timeout_base: {kind: 'duration', default: 1, about: 'timeout: longest wait, and'},
    timeout_per_ki_token: {kind: 'duration', default: 0.25, about: 'timeout: for each 1,024 tokens so much more'},
    rest: {
      kind: 'name',
      default: 'compute',
      names: ['compute', 'load'],
      about: 'what did not come in time is computed, or loaded from where it lies',
    },
  },
  needs: null,
  placing: () => ({to: 'near', insert: 'used'}),
  queue({stop, threshold, capacity, timeout_base: base, timeout_per_ki_token: perKi, rest}) {
    const least = threshold as number;
    return {
      begins: ({missing, found, underWay, extra}) => missing >= least && found >= least && underWay < (capacity as number) * extra,
      patience: (tokens) => patience(stop as string, base as number, perKi as number, tokens),
      rest: rest as 'compute' | 'load',
    };
  },
  create: <P extends Prompt>() => new Nothing<P>(),
};

function patience(stop: string, base: number, perKi: number, tokens: number): number {
  if (stop === 'best-effort') return 0;
  return stop === 'timeout' ? Math.round((base + (perKi * tokens) / 1024) * 1e9) : Number.POSITIVE_INFINITY;
}
