import type {BlockFacts} from '../../policies/eviction/policy.js';
import {NO_BLOCK} from '../core/ids.js';
import type {Trace} from '../traces/trace.js';

/** What a recorded trace tells of its blocks: chains, sessions, where it does not name them as far as prompts show them, and the time of the row being read. */
export class TraceFacts implements BlockFacts {
  /** The row being read; whoever reads sets it. */
  row = 0;
  readonly now: () => number;
  readonly parent: (block: number) => number;
  readonly depth: (block: number) => number;
  readonly session: (block: number) => number;

  constructor(trace: Pick<Trace, 'times'> & Rows) {
    const {parents, depths} = chains(trace);
    const sessions = sessionsOf(trace);
    this.now = () => trace.times[this.row];
    this.parent = (block) => parents[block];
    this.depth = (block) => depths[block];
    this.session = (block) => sessions[block];
  }
}

type Rows = Pick<Trace, 'rows' | 'inputs' | 'offsets' | 'ids' | 'distinct' | 'blockSize' | 'sessions'>;

/** Where each block stands in the first prompt that has it. */
function chains({rows, offsets, ids, distinct}: Rows): {parents: Int32Array; depths: Int32Array} {
  const parents = new Int32Array(distinct).fill(NO_BLOCK);
  const depths = new Int32Array(distinct).fill(-1);
  for (let row = 0; row < rows; row++) {
    for (let i = offsets[row]; i < offsets[row + 1]; i++) {
      if (depths[ids[i]] !== -1) continue;
      depths[ids[i]] = i - offsets[row];
      parents[ids[i]] = i === offsets[row] ? NO_BLOCK : ids[i - 1];
    }
  }
  return {parents, depths};
}

const NOBODY = -2;
const SEVERAL = -1;

/** The session that alone uses each block, or -1. Where the trace names none, a prompt that holds all whole blocks of an earlier one goes on with its session. */
function sessionsOf({rows, inputs, offsets, ids, distinct, blockSize, sessions: named}: Rows): Int32Array {
  const users = new Int32Array(distinct).fill(NOBODY);
  /** By block: the session of the latest prompt whose last whole block it was. */
  const ends = new Int32Array(distinct).fill(NOBODY);
  let sessions = 0;
  for (let row = 0; row < rows; row++) {
    const start = offsets[row];
    const whole = start + Math.floor(inputs[row] / blockSize);
    let at = whole - 1;
    while (at >= start && ends[ids[at]] === NOBODY) at--;
    const session = named !== null ? named[row] : at >= start ? ends[ids[at]] : sessions++;
    for (let i = start; i < offsets[row + 1]; i++) {
      const user = users[ids[i]];
      users[ids[i]] = user === NOBODY || user === session ? session : SEVERAL;
    }
    if (whole > start) ends[ids[whole - 1]] = session;
  }
  return users;
}
