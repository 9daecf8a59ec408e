import type {Job} from './naive-engine.js';

/** What a naive order may ask. */
export interface NaiveView {
  readonly hits: (job: Job) => number;
  readonly prefillSteps: (tokens: number) => number;
  readonly lostTokens: number;
}

/** An order of the queue, written the slow and obvious way: it looks at all that wait whenever it is asked. */
export interface Order {
  /** Whether it takes places from those that run. */
  readonly preempts: boolean;
  head(waiting: readonly Job[]): Job;
  victim(running: readonly Job[]): Job;
  arrive(job: Job, now: number): void;
  back(job: Job, now: number): void;
  refresh(waiting: readonly Job[], now: number): void;
  yields(waiting: readonly Job[], running: readonly Job[]): Job | null;
}

export type MakeOrder = (view: NaiveView) => Order;

const nothing = {preempts: false, arrive() {}, back() {}, refresh() {}, yields: () => null};
const youngest = (running: readonly Job[]) => running[running.length - 1];

/** First come, first served; who gave way stands at the front. */
export const fcfs: MakeOrder = () => ({...nothing, head: (waiting) => waiting[0], victim: youngest});

/** The lowest rank first, arrivals in order among equals. */
export function byRank(rank: (job: Job) => number, victim = youngest): MakeOrder {
  const before = (a: Job, b: Job) => rank(a) - rank(b) || a.id - b.id;
  return () => ({...nothing, head: (waiting) => [...waiting].sort(before)[0], victim});
}

/** The least urgent class goes, the last to arrive among equals. */
export function byClass(): MakeOrder {
  const rank = (job: Job) => job.arrival.class;
  return byRank(rank, (running) => [...running].sort((a, b) => rank(a) - rank(b) || a.id - b.id).pop()!);
}

/** The longest cached prefix first, as it was when the step began to be planned; first come, first served beyond 128. */
export const longestPrefix: MakeOrder = ({hits}) => {
  let planned = new Map<Job, number>();
  return {
    ...nothing,
    refresh(waiting) {
      planned = new Map(waiting.length > 128 ? [] : waiting.map((job) => [job, hits(job)]));
    },
    head: (waiting) => {
      const rank = (job: Job) => planned.get(job) ?? 0;
      return [...waiting].sort((a, b) => rank(b) - rank(a) || waiting.indexOf(a) - waiting.indexOf(b))[0];
    },
    victim: youngest,
  };
};

/** Multi-level feedback queues: each request's level is worked out anew from what it got. */
export function feedbackQueues({quantum, levels, starvation}: {quantum: number; levels: number; starvation: number}): MakeOrder {
  return ({prefillSteps, lostTokens}) => {
    let entries = 0;
    const quota = (level: number) => quantum * 2 ** level;
    const service = (job: Job) => (job.planned === 0 ? 0 : prefillSteps(job.arrival.input) + job.planned - 1);
    const sink = (job: Job) => {
      for (; job.level < levels - 1 && service(job) - job.levelFrom >= quota(job.level); job.level++) job.levelFrom += quota(job.level);
    };
    const enter = (job: Job, now: number) => {
      job.entry = entries++;
      job.since = now;
    };
    const lowest = (running: readonly Job[], won: number): Job | null => {
      const going = running.filter((job) => job.planned < job.arrival.output && job.planned - job.admittedWith > won);
      for (const job of going) sink(job);
      return [...going].reverse().sort((a, b) => b.level - a.level)[0] ?? null;
    };
    const head = (waiting: readonly Job[]) => [...waiting].sort((a, b) => a.level - b.level || a.entry - b.entry)[0];
    return {
      preempts: true,
      head,
      victim: (running) => lowest(running, Number.NEGATIVE_INFINITY) ?? youngest(running),
      arrive(job, now) {
        while (job.level < levels - 1 && prefillSteps(job.arrival.input) > quota(job.level)) job.level++;
        enter(job, now);
      },
      back(job, now) {
        sink(job);
        enter(job, now);
      },
      refresh(waiting, now) {
        for (const job of [...waiting].sort((a, b) => a.since - b.since || a.entry - b.entry)) {
          if (now < job.since + starvation) return;
          job.level = 0;
          job.levelFrom = service(job);
          enter(job, now);
        }
      },
      yields(waiting, running) {
        const job = lowest(running, lostTokens);
        return job !== null && job.level > head(waiting).level ? job : null;
      },
    };
  };
}

/** Whom SGLang retracts: who generated least, the longest prompt among equals. */
export function leastGenerated(running: readonly Job[]): Job {
  return [...running].reverse().sort((a, b) => a.planned - b.planned || b.arrival.input - a.arrival.input)[0];
}
