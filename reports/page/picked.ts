import type {Column} from '../charts/data.js';

/** The requests that a page can list: seconds, tokens; null: not applicable. */
export interface PickerData {
  /** How many the curves are drawn from. */
  readonly all: number;
  readonly columns: Readonly<Record<'id' | 'arrival' | 'ttft' | 'tpot' | 'e2e' | 'input' | 'output' | 'hit', Column>>;
}
