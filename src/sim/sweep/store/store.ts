import type {Outcome} from '../work.js';

/** A result worth keeping: figures, or the reason why there are none. */
export type Stored = Extract<Outcome, {kind: 'done'}>;

/** Results by address. What is put is kept even when the process is killed right after. */
export interface Store {
  get(key: string): Stored | null;
  put(key: string, result: Stored): void;
  close(): void;
}
