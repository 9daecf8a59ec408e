import {BatchSums, type CostModel, Prediction} from '../../src/models/cost/cost.js';
import type {ReplicaConfig} from '../../src/sim/serving/config.js';
import type {Arrival} from '../../src/sim/workload/workload.js';
import {fcfs, leastGenerated, type MakeOrder} from './naive-orders.js';

interface Block {
  /** Id it is known by, or null. */
  name: number | null;
  users: number;
}

/** A request of the naive engine. */
export interface Job {
  id: number;
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
  /** For orders with a memory. */
  level: number;
  levelFrom: number;
  entry: number;
  since: number;
  admittedWith: number;
}

/** What the naive engine says of a request; times in ns. */
export type NaiveRow = Pick<Job, 'hit' | 'scheduled' | 'first' | 'tokens' | 'finished' | 'preemptions'>;

/**
 * vLLM V1's scheduler as its documents describe it, written the slow and obvious way: lists of requests, lists of blocks, one free queue; with other orders of the queue by `order`.
 *
 * The reference that the fast engine must equal. Independent arrivals only.
 */
export function naiveEngine(config: ReplicaConfig, cost: CostModel, arrivals: readonly Arrival[], makeOrder: MakeOrder = fcfs): NaiveRow[] {
  const {scheduler, kv, inFlight} = config;
  const size = kv.blockSize;
  const free: Block[] = Array.from({length: kv.blocks}, () => ({name: null, users: 0}));
  const known = new Map<number, Block>();
  const jobs: Job[] = arrivals.map((arrival, id) => ({
    id,
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
    level: 0,
    levelFrom: 0,
    entry: 0,
    since: 0,
    admittedWith: 0,
  }));
  const waiting: Job[] = [];
  let running: Job[] = [];
  const steps: {
    end: number;
    emits: {job: Job; epoch: number; last: boolean}[];
    computed: {job: Job; epoch: number; tokens: number}[];
  }[] = [];
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
  const publish = (job: Job, computed = job.computed): void => {
    for (; job.published < Math.floor(computed / size); job.published++) {
      const i = job.published;
      const id = idOf(job, i);
      if (id === null || job.blocks[i].name !== null || known.has(id)) continue; // an equal block is there: this one stays nameless
      job.blocks[i].name = id;
      known.set(id, job.blocks[i]);
    }
  };
  const release = (job: Job, named: boolean): void => {
    if (named) publish(job);
    for (const block of job.blocks.reverse()) {
      if (--block.users > 0) continue;
      if (block.name === null) free.unshift(block);
      else free.push(block);
    }
    job.blocks = [];
    job.published = 0;
  };
  const preempt = (job: Job, now: number, retracted: boolean): void => {
    release(job, !retracted);
    running.splice(running.indexOf(job), 1);
    for (const step of steps) for (const emit of step.emits) if (emit.job === job && emit.epoch === job.epoch) job.planned--;
    job.epoch++;
    job.preemptions++;
    job.computed = 0;
    job.target = job.arrival.input + job.planned;
    order.back(job, now);
    if (retracted) waiting.push(job);
    else waiting.unshift(job);
  };
  const hitsOf = (job: Job): Block[] => {
    const hit: Block[] = [];
    for (let i = 0; i < Math.floor((job.target - 1) / size); i++) {
      const id = idOf(job, i);
      if (id === null || !known.has(id)) break;
      if (kv.publishes === 'end' && known.get(id)!.users > 0) break;
      hit.push(known.get(id)!);
    }
    return hit;
  };
  const seconds = (fill: (sums: BatchSums) => void): number => {
    const sums = new BatchSums();
    fill(sums);
    cost.predict(sums, prediction);
    return prediction.seconds;
  };
  const one = seconds((sums) => {
    sums.decodes = sums.decodeContext = sums.decodeContextClipped = sums.decodeLongest = sums.emitting = 1;
  });
  const order = makeOrder({
    lostTokens: inFlight - 1,
    hits: (job) => hitsOf(job).length,
    prefillSteps: (tokens) => seconds((sums) => sums.addChunk(0, tokens, cost.window)) / one,
  });
  const apart = scheduler.steps === 'prefill-first';
  /** Who may still join a batch that is being formed. */
  let joining = 0;

  const plan = (now: number): boolean => {
    const sums = new BatchSums();
    const emits: {job: Job; epoch: number; last: boolean}[] = [];
    const computed: {job: Job; epoch: number; tokens: number}[] = [];
    let preempted = false;
    const decoding = () => running.filter((job) => job.computed >= job.target && job.planned < job.arrival.output);
    const prompts = () => running.filter((job) => job.computed < job.target).slice(0, scheduler.promptsPerStep);
    let planned = false;
    const budget = () => scheduler.maxNumBatchedTokens - sums.chunkTokens - (apart ? 0 : planned ? sums.decodes : decoding().length);
    const compute = (job: Job, tokens: number) => {
      const decode = job.computed >= job.target;
      if (decode) {
        sums.decodes++;
        sums.decodeContext += job.computed + 1;
        sums.decodeLongest = Math.max(sums.decodeLongest, job.computed + 1);
        sums.decodeContextClipped += Math.min(job.computed + 1, cost.window);
      } else sums.addChunk(job.computed, tokens, cost.window);
      job.computed += tokens;
      if (!decode) {
        if (kv.publishes === 'plan') publish(job);
        else if (kv.publishes === 'step') computed.push({job, epoch: job.epoch, tokens: job.computed});
      }
      if (job.computed < job.target) return;
      sums.emitting++;
      job.planned++;
      emits.push({job, epoch: job.epoch, last: job.planned === job.arrival.output});
    };
    const victim = (): Job => (scheduler.preemption === 'retract' && !order.preempts ? leastGenerated(running) : order.victim(running));
    const giveWay = () => {
      preempted = true;
      preempt(victim(), now, scheduler.preemption === 'retract');
    };
    const grantDecodes = () => {
      let retracting = false;
      for (let i = 0; i < decoding().length; i++) {
        const job = decoding()[i];
        if (allocate(job, 1)) continue;
        giveWay();
        retracting = scheduler.preemption === 'retract';
        i = -1;
      }
      while (retracting && decoding().length > 1 && free.length < decoding().length * Math.ceil(20 / size)) {
        if (!decoding().includes(victim())) break;
        giveWay();
      }
    };
    const grantChunks = () => {
      again: for (;;) {
        let left = budget();
        for (const job of prompts()) {
          const tokens = Math.min(job.target - job.computed, left);
          left -= tokens;
          if (allocate(job, tokens)) continue;
          giveWay();
          continue again;
        }
        return;
      }
    };
    const computeDecodes = () => {
      for (const job of decoding()) compute(job, 1);
      planned = true;
    };
    const computeChunks = () => {
      for (const job of prompts()) if (budget() > 0) compute(job, Math.min(job.target - job.computed, budget()));
    };
    const fits = (job: Job): boolean => {
      const hit = hitsOf(job);
      return Math.ceil(job.target / size) - hit.length + hit.filter((block) => block.users === 0).length <= free.length;
    };
    const admit = () => {
      while (
        joining > 0 &&
        waiting.length > 0 &&
        budget() > 0 &&
        running.length < scheduler.maxNumSeqs &&
        sums.chunks < scheduler.promptsPerStep
      ) {
        const job = order.head(waiting);
        if (!fits(job)) {
          if (running.length > 0 && scheduler.batching !== 'continuous') joining = 0;
          return;
        }
        const hit = hitsOf(job);
        waiting.splice(waiting.indexOf(job), 1);
        running.push(job);
        job.admittedWith = job.planned;
        joining--;
        for (const block of hit) {
          if (block.users++ === 0) free.splice(free.indexOf(block), 1);
          job.blocks.push(block);
        }
        job.computed = hit.length * size;
        job.published = hit.length;
        if (job.hit === null) {
          job.hit = job.computed;
          job.scheduled = now;
        }
        const tokens = Math.min(job.target - job.computed, budget());
        allocate(job, tokens);
        compute(job, tokens);
      }
    };

    order.refresh(waiting, now);
    if (scheduler.batching === 'continuous') joining = Number.POSITIVE_INFINITY;
    else if (running.length === 0) joining = Math.min(waiting.length, scheduler.batching === 'static' ? scheduler.maxNumSeqs : 1);
    while (joining > 0 && waiting.length > 0 && !(running.length < scheduler.maxNumSeqs && fits(order.head(waiting)))) {
      const job = order.yields(waiting, running);
      if (job === null) break;
      preempt(job, now, false);
    }
    if (apart) {
      grantChunks();
      computeChunks();
      if (!preempted) admit();
      if (sums.chunks === 0) {
        grantDecodes();
        computeDecodes();
      }
    } else {
      grantDecodes();
      grantChunks();
      computeDecodes();
      computeChunks();
      if (!preempted) admit();
    }
    if (sums.decodes + sums.chunks === 0) return preempted && steps.length === 0 ? plan(now) : false;
    cost.predict(sums, prediction);
    const start = steps.length === 0 ? now : steps[steps.length - 1].end;
    steps.push({end: start + Math.max(1, Math.round(prediction.seconds * 1e9)), emits, computed});
    return true;
  };

  let next = 0;
  for (;;) {
    const now = Math.min(steps[0]?.end ?? Infinity, jobs[next]?.arrival.time ?? Infinity);
    if (now === Infinity) break;
    if (steps[0]?.end === now) {
      const {emits, computed} = steps.shift()!;
      for (const {job, epoch, tokens} of computed) if (epoch === job.epoch) publish(job, tokens);
      for (const {job, epoch} of emits) {
        if (epoch !== job.epoch) continue;
        if (Number.isNaN(job.first)) job.first = now;
        job.tokens.push(now);
      }
      for (const {job, epoch, last} of emits) {
        if (!last || epoch !== job.epoch) continue;
        release(job, true);
        running = running.filter((other) => other !== job);
        job.finished = now;
      }
    }
    while (jobs[next]?.arrival.time === now) {
      order.arrive(jobs[next], now);
      waiting.push(jobs[next++]);
    }
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
