import type {SimTime} from '../core/time.js';
import {type Chain, chainOf} from './chain.js';
import type {Prefix} from './prefixes.js';

/** What one session asks: fixed when it starts, so how fast it is served changes when its turns come, never what they are. */
export interface Script {
  readonly turns: number;
  /** Prompt tokens of a turn, from 0. */
  input(turn: number): number;
  /** Tokens to generate. */
  output(turn: number): number;
  /** Which blocks can be shared; null: none. */
  chain(turn: number): Chain | null;
  /** When a turn after the first comes, if the session started at `started` and the answer before ended at `now`. */
  time(turn: number, started: SimTime, now: SimTime): SimTime;
}

/** What was drawn for a session. */
export interface Lines {
  readonly prefix: Prefix;
  /** By turn: prompt tokens, the prefix included, and tokens to generate. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** By turn after the first: ns from the answer before. */
  readonly gaps: readonly SimTime[];
  /** By turn: where its text stands among the session's own blocks; 0 until the text behind the prefix is replaced by another. */
  readonly starts: readonly number[] | null;
  /** Tokens of a block. */
  readonly blockSize: number;
}

/** A session whose prompts are a shared prefix and its own text behind it. */
export class Written implements Script {
  readonly #lines: Lines;
  readonly #base: number | null;

  /** `allocate` hands out the session's own blocks; null: nothing is shared. */
  constructor(lines: Lines, allocate: ((count: number) => number) | null) {
    this.#lines = lines;
    this.#base = allocate === null ? null : allocate(ownBlocks(lines));
  }

  get turns(): number {
    return this.#lines.inputs.length;
  }

  input(turn: number): number {
    return this.#lines.inputs[turn];
  }

  output(turn: number): number {
    return this.#lines.outputs[turn];
  }

  chain(turn: number): Chain | null {
    if (this.#base === null) return null;
    const {prefix, starts} = this.#lines;
    return chainOf(prefix.base, prefix.blocks, this.#base + (starts?.[turn] ?? 0), blocksOf(this.#lines, turn));
  }

  time(turn: number, _started: SimTime, now: SimTime): SimTime {
    return now + this.#lines.gaps[turn - 1];
  }
}

/** Blocks of prompt and answer of a turn, the prefix's included. */
export function blocksOf({inputs, outputs, blockSize}: Pick<Lines, 'inputs' | 'outputs' | 'blockSize'>, turn: number): number {
  return Math.ceil((inputs[turn] + outputs[turn]) / blockSize);
}

/** Text only grows until it is replaced, so the last turn reaches farthest. */
function ownBlocks(lines: Lines): number {
  const last = lines.inputs.length - 1;
  return (lines.starts?.[last] ?? 0) + blocksOf(lines, last) - lines.prefix.blocks;
}
