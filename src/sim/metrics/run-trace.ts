import {widened} from '../core/widened.js';

/** A transfer between memories as a trace shows it; times in ns. */
export interface TracedTransfer {
  readonly channel: string;
  readonly kind: 'load' | 'store' | 'prefetch';
  /** The memory that it loads from or stores to. */
  readonly tier: string;
  readonly blocks: number;
  readonly bytes: number;
  /** When it was asked for: waiting for a lane of its channel is part of it. */
  readonly from: number;
  readonly to: number;
}

/** Everything that one replica did, in order: what a trace for a timeline viewer is made of. */
export class ReplicaTrace {
  steps = 0;
  readonly transfers: TracedTransfer[] = [];
  /** By step: ns, and what was computed. */
  start = new Float64Array(1024);
  end = new Float64Array(1024);
  decodes = new Int32Array(1024);
  chunkTokens = new Int32Array(1024);

  /** A step ended. */
  step(start: number, end: number, decodes: number, chunkTokens: number): void {
    const i = this.steps++;
    if (i === this.start.length) {
      this.start = widened(this.start, 2 * i);
      this.end = widened(this.end, 2 * i);
      this.decodes = widened(this.decodes, 2 * i);
      this.chunkTokens = widened(this.chunkTokens, 2 * i);
    }
    this.start[i] = start;
    this.end[i] = end;
    this.decodes[i] = decodes;
    this.chunkTokens[i] = chunkTokens;
  }
}
