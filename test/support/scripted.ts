import {IdPool} from '../../src/sim/workload/block-ids.js';
import type {Chain} from '../../src/sim/workload/chain.js';
import type {Arrival, IdRange, Workload} from '../../src/sim/workload/workload.js';

/** Requests as a test states them: times in ns; equal `text` letters are equal blocks. */
export interface Scripted {
  readonly at: number;
  readonly input: number;
  readonly output: number;
  /** One letter a block from the head of the prompt on, or none: nothing to share. */
  readonly text?: string;
  /** Whose it is; then no session of the script ends. Each its own unless said. */
  readonly session?: number;
  /** Index of its class; default 0. */
  readonly class?: number;
}

/** A workload of exactly these requests, each a session of its own; every prefix of a text gets one id. */
export class ScriptedWorkload implements Workload {
  readonly shares: boolean;
  readonly classes = ['a', 'b', 'c'];
  readonly leastGap = {withinSession: Infinity, toAnother: Infinity};
  readonly ids = new IdPool();
  readonly barrier?: {goesOn(): boolean};
  readonly #arrivals: Arrival[];
  #next = 0;

  constructor(script: readonly Scripted[]) {
    const known = new Map<string, number>();
    if (script.some(({session}) => session !== undefined)) this.barrier = {goesOn: () => true};
    this.shares = script.some((request) => request.text !== undefined);
    this.#arrivals = script.map(({at, input, output, text, session: own, class: of = 0}, session) => ({
      time: at,
      session: own ?? session,
      turn: script.slice(0, session).filter((one) => own !== undefined && one.session === own).length,
      class: of,
      input,
      output,
      chain: this.shares ? this.#chain(text ?? '', known) : null,
    }));
  }

  next(): Arrival | null {
    return this.#arrivals[this.#next++] ?? null;
  }

  follow(): Arrival | null {
    return null;
  }

  released(): IdRange {
    return {base: 0, count: 0};
  }

  #chain(text: string, known: Map<string, number>): Chain {
    const bases = Array.from(text, (_, i) => {
      const prefix = text.slice(0, i + 1);
      if (!known.has(prefix)) known.set(prefix, this.ids.share(1));
      return known.get(prefix)!;
    });
    return {bases, counts: bases.map(() => 1), blocks: bases.length};
  }
}
