import type {Linked, LinkedList} from '../../sim/core/linked-list.js';
import type {Random} from '../../sim/core/random.js';
import type {SimTime} from '../../sim/core/time.js';

/** A request as policies see it. What stands below the line is theirs to write. */
export interface Job<J> extends Linked<J> {
  /** Order of arrival. */
  readonly id: number;
  /** Tokens of the prompt. */
  readonly input: number;
  /** Tokens that it will generate: no engine knows it, so a policy that reads it says so. */
  readonly output: number;
  /** Index into the classes of the workload. */
  readonly class: number;

  /** The lowest is served first. */
  rank: number;
  /** Where it stands in an array of the policy. */
  place: number;
  /** Queue of a multi-level policy, and the service it had when it came there. */
  level: number;
  levelFrom: number;
  /** Tokens that it had generated when it was admitted. */
  admittedWith: number;
  /** Since when it waits. */
  waitsSince: SimTime;
}

/** What a policy may ask about its replica. */
export interface SchedulerView<J> {
  /** Tokens that the request has generated, those of planned steps among them. */
  generated(job: J): number;
  /** Tokens that a request loses at most when it gives way: those of steps under way. */
  readonly lostTokens: number;
  /** Prompt tokens, from the head, whose blocks are in HBM now. */
  cached(job: J): number;
  /** Changes whenever what `cached` answers may have changed. */
  readonly cacheVersion: number;
  /** How many decode steps of one sequence take as long as a prompt of so many tokens. */
  prefillSteps(tokens: number): number;
}

/**
 * The requests that wait, in the order in which they are to run, and who must give way.
 *
 * One instance serves one replica. A request is admitted with `remove`; a step's admissions stop at the first head that does not fit.
 */
export interface SchedulingPolicy<J extends Job<J>> {
  readonly size: number;
  /** Who runs next, or null; stands still between two calls of the methods below, and does not follow the clock by itself. */
  readonly head: J | null;
  /** A request reaches the engine. */
  push(job: J, now: SimTime): void;
  /** A request that ran gave way and starts again; the engine's own rule is to put it at that end of the queue. */
  putBack(job: J, now: SimTime, end: 'front' | 'back'): void;
  /** A waiting request is admitted, or leaves. */
  remove(job: J): void;
  /** A step is about to be planned: the order may follow what has changed. */
  refresh(now: SimTime): void;
  /** Until when `refresh` is sure to change nothing, if nobody comes or goes and only decodes run. */
  readonly steadyUntil: SimTime;
  /** Who gives its blocks up when they have run out: one of `running`, oldest admission first, at least one. Called seldom. */
  victim(running: LinkedList<J>): J;
  /** Null: what runs, runs on while blocks last. */
  readonly preemption: Preemption<J> | null;
}

/** A policy that takes places from running requests, although blocks would last. */
export interface Preemption<J extends Job<J>> {
  /** Who gives way to the head, which finds no room; null: nobody. */
  yields(running: LinkedList<J>): J | null;
  /** Decode steps that can be planned before `yields` would name somebody; 0 when it does now. */
  calmSteps(running: LinkedList<J>): number;
}

/** What a policy is made with. */
export interface SchedulingContext<J> {
  readonly view: SchedulerView<J>;
  /** Names of the workload's classes; a job's class is an index. */
  readonly classes: readonly string[];
}

export type SchedulingFactory = <J extends Job<J>>(context: SchedulingContext<J>) => SchedulingPolicy<J>;

/** A parameter that a scenario can write beside the policy's name; durations are in seconds. `assumed`: no source has the default. */
export type Parameter = {readonly about: string; readonly assumed?: true} & (
  | {readonly kind: 'name'; readonly names: readonly string[]; readonly default: string}
  | {readonly kind: 'count' | 'number' | 'duration'; readonly default: number}
  | {readonly kind: 'texts'; readonly says: string}
);

/** The parameters of a policy as resolved: quantities in SI. */
export type Chosen = Readonly<Record<string, unknown>>;

/** A scheduling policy as the registry has it. */
export interface Scheduling {
  /** One line for `tiercast list policies`. */
  readonly about: string;
  readonly params: Readonly<Record<string, Parameter>>;
  /** What its steps are made of, when that is what the policy is about: `prefill-first`, prompts before decodes; else the engine's. */
  readonly steps?: 'mixed' | 'prefill-first';
  /** `random` is the stream of this policy and run. */
  readonly create: (chosen: Chosen, random: Random) => SchedulingFactory;
}
