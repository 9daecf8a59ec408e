import {BatchSums, type CostModel, Prediction} from '../../src/models/cost/cost.js';
import type {ReplicaConfig} from '../../src/sim/serving/config.js';
import type {Arrival} from '../../src/sim/workload/workload.js';

interface Block {
  /** Id it is known by, or null. */
  name: number | null;
  users: number;
}

interface Job {
  arrival: Arrival;
  blocks: Block[];
  computed: number;
  published: number;
  planned: number;
  target: number;
  epoch: number;
  hit: number | null;
  scheduled: number;
  first: number;
  /** When each token that was kept came. */
  tokens: number[];
  finished: number;
  preemptions: number;
}

/** What the naive engine says of a request; times in ns. */
export type NaiveRow = Pick<Job, 'hit' | 'scheduled' | 'first' | 'tokens' | 'finished' | 'preemptions'>;

/**
 * vLLM V1's scheduler as its documents describe it, written the slow and obvious way: lists of requests, lists of blocks, one free queue.
 *
 * The reference that the fast engine must equal. Independent arrivals only.
 */
export function naiveEngine(config: ReplicaConfig, cost: CostModel, arrivals: readonly Arrival[]): NaiveRow[] {
  const {scheduler, kv, inFlight} = config;
  const size = kv.blockSize;
  const free: Block[] = Array.from({length: kv.blocks}, () => ({name: null, users: 0}));
  const known = new Map<number, Block>();
  const jobs: Job[] = arrivals.map((arrival) => ({
    arrival,
    blocks: [],
    computed: 0,
    published: 0,
    planned: 0,
    target: arrival.input,
    epoch: 0,
    hit: null,
    scheduled: Number.NaN,
    first: Number.NaN,
    tokens: [],
    finished: Number.NaN,
    preemptions: 0,
  }));
  const waiting: Job[] = [];
  let running: Job[] = [];
  const steps: {end: number; emits: {job: Job; epoch: number; last: boolean}[]}[] = [];
  const prediction = new Prediction(cost.terms.length);

  const idOf = (job: Job, index: number): number | null => {
    const chain = job.arrival.chain;
    if (chain === null || !kv.prefixCache) return null;
    for (let run = 0, first = 0; run < chain.bases.length; first += chain.counts[run++]) {
      if (index < first + chain.counts[run]) return chain.bases[run] + index - first;
    }
    return null;
  };
  const allocate = (job: Job, tokens: number): boolean => {
    const need = Math.ceil((job.computed + tokens) / size) - job.blocks.length;
    if (need > free.length) return false;
    for (let i = 0; i < need; i++) {
      const block = free.shift()!;
      if (block.name !== null) known.delete(block.name);
      block.name = null;
      block.users = 1;
      job.blocks.push(block);
    }
    return true;
  };
  const publish = (job: Job): void => {
    for (; job.published < Math.floor(job.computed / size); job.published++) {
      const i = job.published;
      const id = idOf(job, i);
      if (id === null || job.blocks[i].name !== null || known.has(id)) continue; // an equal block is there: this one stays nameless
      job.blocks[i].name = id;
      known.set(id, job.blocks[i]);
    }
  };
  const release = (job: Job): void => {
    publish(job);
    for (const block of job.blocks.reverse()) {
      if (--block.users > 0) continue;
      if (block.name === null) free.unshift(block);
      else free.push(block);
    }
    job.blocks = [];
    job.published = 0;
  };
  const preempt = (job: Job): void => {
    release(job);
    running.splice(running.indexOf(job), 1);
    for (const step of steps) for (const emit of step.emits) if (emit.job === job && emit.epoch === job.epoch) job.planned--;
    job.epoch++;
    job.preemptions++;
    job.computed = 0;
    job.target = job.arrival.input + job.planned;
    waiting.unshift(job);
  };

  const plan = (now: number): boolean => {
    const sums = new BatchSums();
    const emits: {job: Job; epoch: number; last: boolean}[] = [];
    let budget = scheduler.maxNumBatchedTokens;
    let preempted = false;
    const compute = (job: Job, tokens: number) => {
      budget -= tokens;
      const decode = job.computed >= job.target;
      if (decode) {
        sums.decodes++;
        sums.decodeContext += job.computed + 1;
        sums.decodeLongest = Math.max(sums.decodeLongest, job.computed + 1);
        sums.decodeContextClipped += Math.min(job.computed + 1, cost.window);
      } else sums.addChunk(job.computed, tokens, cost.window);
      job.computed += tokens;
      if (!decode) publish(job);
      if (job.computed < job.target) return;
      sums.emitting++;
      job.planned++;
      emits.push({job, epoch: job.epoch, last: job.planned === job.arrival.output});
    };
    for (let i = 0; i < running.length; i++) {
      const job = running[i];
      if (job.planned >= job.arrival.output) continue; // its last token is in flight
      const tokens = job.computed >= job.target ? 1 : Math.min(job.target - job.computed, budget);
      if (tokens === 0) continue;
      let fits = allocate(job, tokens);
      while (!fits) {
        preempted = true;
        const victim = running[running.length - 1];
        preempt(victim);
        if (victim === job) break;
        fits = allocate(job, tokens);
      }
      if (fits) compute(job, tokens);
    }
    while (!preempted && waiting.length > 0 && budget > 0 && running.length < scheduler.maxNumSeqs) {
      const job = waiting[0];
      let hits = 0;
      for (; hits < Math.floor((job.target - 1) / size); hits++) {
        const id = idOf(job, hits);
        if (id === null || !known.has(id)) break;
      }
      const hit = Array.from({length: hits}, (_, i) => known.get(idOf(job, i)!)!);
      const idle = hit.filter((block) => block.users === 0).length;
      if (Math.ceil(job.target / size) - hits + idle > free.length) break;
      waiting.shift();
      running.push(job);
      for (const block of hit) {
        if (block.users++ === 0) free.splice(free.indexOf(block), 1);
        job.blocks.push(block);
      }
      job.computed = hits * size;
      if (job.hit === null) {
        job.hit = job.computed;
        job.scheduled = now;
      }
      const tokens = Math.min(job.target - job.computed, budget);
      allocate(job, tokens);
      compute(job, tokens);
    }
    if (sums.decodes + sums.chunks === 0) return false;
    cost.predict(sums, prediction);
    const start = steps.length === 0 ? now : steps[steps.length - 1].end;
    steps.push({end: start + Math.max(1, Math.round(prediction.seconds * 1e9)), emits});
    return true;
  };

  let next = 0;
  for (;;) {
    const now = Math.min(steps[0]?.end ?? Infinity, jobs[next]?.arrival.time ?? Infinity);
    if (now === Infinity) break;
    if (steps[0]?.end === now) {
      const {emits} = steps.shift()!;
      for (const {job, epoch} of emits) {
        if (epoch !== job.epoch) continue;
        if (Number.isNaN(job.first)) job.first = now;
        job.tokens.push(now);
      }
      for (const {job, epoch, last} of emits) {
        if (!last || epoch !== job.epoch) continue;
        release(job);
        running = running.filter((other) => other !== job);
        job.finished = now;
      }
    }
    while (jobs[next]?.arrival.time === now) waiting.push(jobs[next++]);
    while (steps.length < inFlight && plan(now));
  }
  return jobs.map(({hit, scheduled, first, tokens, finished, preemptions}) => ({
    hit: hit ?? 0,
    scheduled,
    first,
    tokens,
    finished,
    preemptions,
  }));
}
