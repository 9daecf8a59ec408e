import {bounds as boundNames, type CostModel} from '../../models/cost/cost.js';
import type {Fluid} from '../core/fluid.js';
import {fromSeconds, type SimTime} from '../core/time.js';
import {Step} from './step.js';

/** What a fluid that several replicas share calls the executing step of one, and one of its own that of replica 0. */
export function stepTag(replica: number): number {
  return -1 - replica;
}

/** The replica whose step a tag stands for, or −1: it is a transfer. */
export function replicaOf(tag: number): number {
  return tag < 0 ? -1 - tag : -1;
}

const LAUNCH = boundNames.indexOf('launch');
const HOST = boundNames.indexOf('host');

/** The port of the device's memory in the fluid that steps share with transfers. */
export interface Port {
  readonly fluid: Fluid;
  /** What the fluid calls the executing step. */
  readonly tag: number;
  /** Flows that the step could be slowed by. */
  readonly others: {readonly size: number};
  readonly resource: number;
  /** B/s. */
  readonly capacity: number;
  /** Layers that a step and the loads of its blocks are pipelined by. */
  readonly layers: number;
}

/**
 * The steps in flight: the oldest one executes, the others wait behind it.
 *
 * A step that runs alone ends when its cost says. Beside transfers it is a flow, and the fluid says when it ends.
 */
export class Pipeline {
  /** Oldest first. */
  readonly steps: Step[] = [];
  readonly #depth: number;
  readonly #cost: CostModel;
  readonly #spare: Step[] = [];
  /** A step that is only asked what it would take. */
  readonly #trial: Step;
  #port: Port | null = null;
  #isStored: (gate: number) => boolean = () => true;

  /** At most `depth` steps are in flight. */
  constructor(depth: number, cost: CostModel) {
    this.#depth = depth;
    this.#cost = cost;
    this.#trial = new Step(cost.terms.length);
    for (let i = 0; i <= depth; i++) this.#spare.push(new Step(cost.terms.length));
  }

  /** From now on steps share the memory's port with transfers, and begin when what they wait for `isStored`. */
  connect(port: Port, isStored: (gate: number) => boolean): void {
    this.#port = port;
    this.#isStored = isStored;
  }

  get full(): boolean {
    return this.steps.length >= this.#depth;
  }

  /** When the executing step ends, if nothing disturbs it; Infinity while idle, or while the step is a flow and the fluid knows. */
  get nextEnd(): SimTime {
    return this.steps.length === 0 ? Number.POSITIVE_INFINITY : this.steps[0].end;
  }

  /** An empty step to plan into. */
  blank(): Step {
    const step = this.#spare.pop()!;
    step.clear();
    return step;
  }

  /** A step that is not needed, or no more. */
  discard(step: Step): void {
    this.#spare.push(step);
  }

  /** A planned step joins the pipeline; the first one executes at once. */
  commit(step: Step, now: SimTime): void {
    this.#cost.predict(step.sums, step.prediction);
    this.steps.push(step);
    if (this.steps.length === 1) this.#begin(step, now);
  }

  /** The executing step ends at `now` and the next one begins. The caller discards it when done. */
  end(now: SimTime): Step {
    const step = this.steps.shift()!;
    step.end = now;
    if (this.steps.length > 0) this.#begin(this.steps[0], now);
    return step;
  }

  /** A transfer is about to begin: the step that ran alone until now becomes a flow that began when it did. */
  enterFluid(now: SimTime): void {
    const step = this.steps[0];
    if (step === undefined || step.end === Number.POSITIVE_INFINITY || step.end <= now || !Number.isNaN(step.computed)) return;
    this.#flow(step, now);
  }

  /** Seconds that a chunk of `tokens` after `prefix` would take, alone in a step. */
  chunkSeconds(prefix: number, tokens: number): number {
    this.#trial.clear();
    this.#trial.sums.addChunk(prefix, tokens, this.#cost.window);
    this.#cost.predict(this.#trial.sums, this.#trial.prediction);
    return this.#trial.prediction.seconds;
  }

  /** Stores or the first layer of loads have ended: the first step begins if it waited for them. */
  retry(now: SimTime): void {
    const step = this.steps[0];
    if (step?.waits && this.#mayBegin(step)) this.#begin(step, now);
  }

  /** The flow of the executing step has ended. Returns whether the step has; else it waits for its loads, or for the layer after them. */
  computed(now: SimTime): boolean {
    const step = this.steps[0];
    if (step.loads === 0 && step.notBefore <= now) return true;
    step.computed = now;
    if (step.loads === 0) step.end = step.notBefore;
    return false;
  }

  /** The last of a step's loads has ended: one layer is left to compute. */
  loaded(step: Step, now: SimTime): void {
    step.notBefore = now + Math.round((step.prediction.seconds * 1e9) / this.#port!.layers);
    if (!Number.isNaN(step.computed)) step.end = step.notBefore;
  }

  #mayBegin(step: Step): boolean {
    return step.heads === 0 && this.#isStored(step.gate);
  }

  /** Seconds of a step that decodes one token of one short sequence. */
  decodeSeconds(): number {
    const {sums, prediction} = this.#trial;
    this.#trial.clear();
    sums.decodes = sums.decodeContext = sums.decodeContextClipped = sums.decodeLongest = sums.emitting = 1;
    this.#cost.predict(sums, prediction);
    return prediction.seconds;
  }

  #begin(step: Step, now: SimTime): void {
    step.waits = !this.#mayBegin(step);
    if (step.waits) {
      step.end = Number.POSITIVE_INFINITY;
      return;
    }
    step.start = now;
    step.end = now + Math.max(1, fromSeconds(step.prediction.seconds));
    if (this.#port !== null && this.#port.others.size > 0) this.#flow(step, now);
  }

  /** The port is used for the device's part of the step; launches and the host use nothing, and come first. */
  #flow(step: Step, now: SimTime): void {
    const {fluid, tag, resource, capacity} = this.#port!;
    const {bounds, bytes} = step.prediction;
    const whole = step.end - step.start;
    const delay = Math.min(whole - 1, fromSeconds(bounds[LAUNCH] + bounds[HOST]));
    const work = whole - delay;
    const rate = Math.min(capacity, Math.round(bytes / (work * 1e-9)));
    step.end = Number.POSITIVE_INFINITY;
    fluid.start({tag, now, start: step.start, delay, work, path: [{resource, rate}]});
  }
}
