import type {SimTime} from './time.js';
import {widened} from './widened.js';

/** What a flow uses of one resource while it runs at full speed, in the resource's unit per second. */
export interface Use {
  readonly resource: number;
  readonly rate: number;
}

const MAX_PATH = 8;
const ROUNDS = 40;

const FREE = 0;
const DELAYED = 1;
const ACTIVE = 2;

/**
 * Everything that moves bytes or computes, as flows over shared resources.
 *
 * A flow is a delay, which uses nothing and is never slowed, followed by work: its solo duration and what it uses of each resource on its path.
 * On an oversubscribed resource no flow gets more than its weighted equal part of that resource, and what smaller flows leave goes to the others; a flow's speed is the least over its path.
 * A flow's anchor moves only when its own speed does, so an undisturbed flow ends exactly at start + delay + work.
 *
 * No event is queued: compare `next` with the queue's head, and call `advance`.
 */
export class Fluid {
  readonly #capacity: number[] = [];
  /** By resource: Σ rate of the active flows at full speed. */
  readonly #load: number[] = [];
  /** By resource: used so far, in its unit; booked when a flow ends. */
  readonly #moved: number[] = [];
  /** By resource: what active flows use of it a second, while `#flowingIsKnown`. */
  readonly #flowing: number[] = [];
  #flowingIsKnown = false;
  #state = new Uint8Array(16);
  #tag = new Int32Array(16);
  #weight = new Float64Array(16);
  /** ns of solo work left at `anchor`. */
  #left = new Float64Array(16);
  #work = new Float64Array(16);
  #anchor = new Float64Array(16);
  #speed = new Float64Array(16);
  #end = new Float64Array(16);
  #hops = new Uint8Array(16);
  #path = new Int32Array(16 * MAX_PATH);
  #rate = new Float64Array(16 * MAX_PATH);
  #limit = new Float64Array(16 * MAX_PATH);
  /** By hop: what it would use of the resource that is being shared out, and the hops that share it. */
  #wants = new Float64Array(16 * MAX_PATH);
  readonly #users: number[] = [];
  /** Flows in use, in order of their start. */
  readonly #flows: number[] = [];
  readonly #free: number[] = [];
  #slots = 0;
  /** Resources whose load exceeds their capacity. */
  #crowded = 0;
  #next: SimTime = Number.POSITIVE_INFINITY;

  /** Adds a resource of `capacity` units per second and returns its number. */
  resource(capacity: number): number {
    if (!(capacity > 0)) throw new RangeError(`a resource needs a capacity above 0, got ${capacity}`);
    this.#capacity.push(capacity);
    this.#load.push(0);
    this.#moved.push(0);
    this.#flowing.push(0);
    return this.#capacity.length - 1;
  }

  /** When the next flow ends or passes from delay to work; Infinity when none runs. */
  get next(): SimTime {
    return this.#next;
  }

  /** Flows that are under way. */
  get size(): number {
    return this.#flows.length;
  }

  /** What ended flows used of a resource, in its unit. */
  moved(resource: number): number {
    return this.#moved[resource];
  }

  /** What flows use of a resource a second, as they stand. */
  flowing(resource: number): number {
    if (!this.#flowingIsKnown) this.#addUpFlowing();
    return this.#flowing[resource];
  }

  #addUpFlowing(): void {
    const flows = this.#flows;
    this.#flowing.fill(0);
    for (let n = 0; n < flows.length; n++) {
      const f = flows[n];
      if (this.#state[f] !== ACTIVE) continue;
      for (let i = f * MAX_PATH; i < f * MAX_PATH + this.#hops[f]; i++) this.#flowing[this.#path[i]] += this.#rate[i] * this.#speed[f];
    }
    this.#flowingIsKnown = true;
  }

  /**
   * Starts a flow and returns its number, which is free again when it has ended.
   *
   * `start` may lie before `now`, for work that ran alone until now; then `delay` and `work` count from there.
   */
  start(flow: {tag: number; now: SimTime; start?: SimTime; delay: SimTime; work: SimTime; path: readonly Use[]; weight?: number}): number {
    const {tag, now, start = now, delay, work, path, weight = 1} = flow;
    const f = this.#free.pop() ?? this.#slots++;
    if (f === this.#state.length) this.#grow();
    this.#tag[f] = tag;
    this.#weight[f] = weight;
    this.#work[f] = this.#left[f] = work;
    this.#speed[f] = 1;
    this.#hops[f] = path.length;
    for (let i = 0; i < path.length; i++) {
      this.#path[f * MAX_PATH + i] = path[i].resource;
      this.#rate[f * MAX_PATH + i] = path[i].rate;
    }
    this.#flows.push(f);
    this.#anchor[f] = start + delay;
    if (start + delay > now) {
      this.#state[f] = DELAYED;
      this.#end[f] = start + delay;
      if (this.#end[f] < this.#next) this.#next = this.#end[f];
    } else this.#activate(f, now);
    return f;
  }

  /** Takes a flow out before its end; what it has used is booked. Returns the share of its work that was done. */
  cancel(f: number, now: SimTime): number {
    const left = this.#state[f] === ACTIVE ? Math.max(0, this.#left[f] - (now - this.#anchor[f]) * this.#speed[f]) : this.#work[f];
    const done = this.#work[f] > 0 ? 1 - left / this.#work[f] : 1;
    this.#remove(f, done, now);
    return done;
  }

  /** Brings the flows to `now`, which is `next`: collects into `ended` the tags of those that end, in order of their start. */
  advance(now: SimTime, ended: number[]): void {
    for (let i = 0; i < this.#flows.length; i++) {
      const f = this.#flows[i];
      if (this.#end[f] > now) continue;
      if (this.#state[f] === DELAYED) {
        this.#activate(f, now);
        if (this.#end[f] > now) continue;
      }
      ended.push(this.#tag[f]);
      this.#remove(f, 1, now);
      i = -1; // others may have become faster, even end now
    }
    this.#findNext();
  }

  #activate(f: number, now: SimTime): void {
    this.#state[f] = ACTIVE;
    this.#flowingIsKnown = false;
    const crowdedBefore = this.#crowded > 0;
    for (let i = f * MAX_PATH; i < f * MAX_PATH + this.#hops[f]; i++) this.#addLoad(this.#path[i], this.#rate[i]);
    this.#end[f] = this.#anchor[f] + Math.ceil(this.#left[f] - 1e-6);
    if (crowdedBefore || this.#crowded > 0) this.#solve(now);
    this.#findNext();
  }

  #remove(f: number, done: number, now: SimTime): void {
    const crowded = this.#crowded > 0;
    if (this.#state[f] === ACTIVE) {
      for (let i = f * MAX_PATH; i < f * MAX_PATH + this.#hops[f]; i++) {
        this.#addLoad(this.#path[i], -this.#rate[i]);
        this.#moved[this.#path[i]] += this.#rate[i] * this.#work[f] * 1e-9 * done;
      }
    }
    this.#state[f] = FREE;
    this.#flowingIsKnown = false;
    this.#flows.splice(this.#flows.indexOf(f), 1);
    this.#free.push(f);
    if (this.#flows.length === 0) this.#load.fill(0); // sheds what rounding left
    if (crowded) this.#solve(now);
    this.#findNext();
  }

  #addLoad(resource: number, rate: number): void {
    const before = this.#load[resource] > this.#capacity[resource] * FULL;
    this.#load[resource] += rate;
    const after = this.#load[resource] > this.#capacity[resource] * FULL;
    if (before !== after) this.#crowded += after ? 1 : -1;
  }

  #findNext(): void {
    let next = Number.POSITIVE_INFINITY;
    const flows = this.#flows;
    for (let n = 0; n < flows.length; n++) if (this.#end[flows[n]] < next) next = this.#end[flows[n]];
    this.#next = next;
  }

  /** Shares each crowded resource out until nothing changes, then gives the flows whose speed changed a new anchor. */
  #solve(now: SimTime): void {
    const flows = this.#flows;
    this.#limit.fill(1);
    for (let round = 0; round < ROUNDS; round++) {
      let change = 0;
      for (let r = 0; r < this.#capacity.length; r++) {
        if (this.#load[r] > this.#capacity[r] * FULL) change = Math.max(change, this.#fill(r));
      }
      if (change < 1e-12) break;
      if (round === ROUNDS - 1) this.#scale();
    }
    for (let n = 0; n < flows.length; n++) {
      const f = flows[n];
      if (this.#state[f] !== ACTIVE) continue;
      const speed = this.#speedOf(f, -1);
      if (Math.abs(speed - this.#speed[f]) <= 1e-12 * speed) continue;
      this.#left[f] = Math.max(0, this.#left[f] - (now - this.#anchor[f]) * this.#speed[f]);
      this.#anchor[f] = now;
      this.#speed[f] = speed;
      this.#end[f] = now + Math.ceil(this.#left[f] / speed - 1e-6);
    }
  }

  /** Where the sharing did not settle, slows what still asks for too much: no resource gives more than it has. */
  #scale(): void {
    for (let r = 0; r < this.#capacity.length; r++) {
      let used = 0;
      this.#eachHop(r, (f, hop) => {
        used += this.#rate[hop] * this.#speedOf(f, -1);
      });
      const excess = used / this.#capacity[r];
      if (excess > 1)
        this.#eachHop(r, (f, hop) => {
          this.#limit[hop] = this.#speedOf(f, -1) / excess;
        });
    }
  }

  #eachHop(r: number, visit: (flow: number, hop: number) => void): void {
    for (const f of this.#flows) {
      if (this.#state[f] !== ACTIVE) continue;
      for (let i = f * MAX_PATH; i < f * MAX_PATH + this.#hops[f]; i++) if (this.#path[i] === r && this.#rate[i] > 0) visit(f, i);
    }
  }

  /** Shares resource r among its flows, each at most as fast as its other resources let it; returns the largest change of a limit. */
  #fill(r: number): number {
    const users = this.#users;
    users.length = 0;
    let weights = 0;
    for (let n = 0; n < this.#flows.length; n++) {
      const f = this.#flows[n];
      if (this.#state[f] !== ACTIVE) continue;
      for (let hop = f * MAX_PATH; hop < f * MAX_PATH + this.#hops[f]; hop++) {
        if (this.#path[hop] !== r || !(this.#rate[hop] > 0)) continue;
        this.#wants[hop] = this.#rate[hop] * this.#speedOf(f, hop);
        this.#insert(hop);
        weights += this.#weight[f];
      }
    }
    let room = this.#capacity[r];
    let change = 0;
    for (let n = 0; n < users.length; n++) {
      const hop = users[n];
      const weight = this.#weight[(hop / MAX_PATH) | 0];
      const wants = this.#wants[hop];
      const part = (room * weight) / weights;
      const gets = Math.min(wants, part);
      const limit = gets < wants ? gets / this.#rate[hop] : 1;
      change = Math.max(change, Math.abs(limit - this.#limit[hop]));
      this.#limit[hop] = limit;
      room -= gets;
      weights -= weight;
    }
    return change;
  }

  /** Puts a hop among the users, the smallest want per weight first: who wants less than its part gets what it wants. */
  #insert(hop: number): void {
    const users = this.#users;
    let at = users.length;
    users.push(hop);
    while (at > 0 && this.#isBefore(hop, users[at - 1])) users[at] = users[--at];
    users[at] = hop;
  }

  #isBefore(a: number, b: number): boolean {
    const ofA = this.#wants[a] / this.#weight[(a / MAX_PATH) | 0];
    const ofB = this.#wants[b] / this.#weight[(b / MAX_PATH) | 0];
    return ofA < ofB || (ofA === ofB && a < b);
  }

  /** The least limit over the flow's path, but for one hop. */
  #speedOf(f: number, without: number): number {
    let speed = 1;
    for (let i = f * MAX_PATH; i < f * MAX_PATH + this.#hops[f]; i++) if (i !== without && this.#limit[i] < speed) speed = this.#limit[i];
    return speed;
  }

  #grow(): void {
    const length = this.#state.length * 2;
    this.#state = widened(this.#state, length);
    this.#tag = widened(this.#tag, length);
    this.#weight = widened(this.#weight, length);
    this.#left = widened(this.#left, length);
    this.#work = widened(this.#work, length);
    this.#anchor = widened(this.#anchor, length);
    this.#speed = widened(this.#speed, length);
    this.#end = widened(this.#end, length);
    this.#hops = widened(this.#hops, length);
    this.#path = widened(this.#path, length * MAX_PATH);
    this.#rate = widened(this.#rate, length * MAX_PATH);
    this.#limit = widened(this.#limit, length * MAX_PATH);
    this.#wants = widened(this.#wants, length * MAX_PATH);
  }
}

/** Loads within rounding of the capacity are not crowded. */
const FULL = 1 + 1e-9;
