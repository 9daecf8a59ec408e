import type {Prefetch, PrefetchPolicy, Prompt} from './policy.js';

/** Fetches nothing: what lies below is loaded when a request runs. */
export const none: Prefetch = {
  about: 'fetches nothing before it is asked for',
  params: {},
  needs: null,
  placing: () => ({to: 'hbm', insert: 'used'}),
  queue: () => null,
  create: <P extends Prompt>() => new Nothing<P>(),
};

/** Foresees nothing. */
export class Nothing<P extends Prompt> implements PrefetchPolicy<P> {
  queued(): void {}
  ended(): void {}
  foreseen(): void {}
  forget(): void {}
  wishes(): void {}

  wakeAt(): number {
    return Number.POSITIVE_INFINITY;
  }

  expected(): number {
    return Number.POSITIVE_INFINITY;
  }
}
