import {FrequencySketch} from '../../src/policies/eviction/frequency-sketch.js';
import type {EvictionPolicyName} from '../../src/policies/eviction/index.js';
import type {BlockFacts} from '../../src/policies/eviction/policy.js';

/** A cache as one would write it from the paper: plain arrays, searched from end to end. Reads a block; says who left for it, or null. */
export type NaiveCache = (block: number) => number | null;

type Facts = Required<BlockFacts>;

/** Every policy as a naive model. `random` has none: what it draws is tested for being fair. */
export const naiveCaches: Record<Exclude<EvictionPolicyName, 'random'>, (room: number, facts: Facts) => NaiveCache> = {
  lru: (room) => byRecency(room, (list) => list[0]),
  predicted: (room) => byRecency(room, (list) => list[0]),
  fifo: (room) => {
    const list: number[] = [];
    return (block) => {
      if (list.includes(block)) return null;
      list.push(block);
      return list.length > room ? list.shift()! : null;
    };
  },
  lfu: (room) => byWorth(room, ({reads}) => reads),
  'lfu-aging': (room) => byWorth(room, ({reads}, _block, age) => age + reads),
  gdsf: (room, {recompute, bytes}) => byWorth(room, ({reads}, block, age) => age + (reads * recompute(block)) / bytes(block)),
  priority: (room, {priority}) => byRecency(room, (list) => least(list, (block) => priority(block))),

  ttl: (room, {now}) => {
    const expiry = new Map<number, number>();
    const cache = byRecency(room, (list) => {
      const expired = list.filter((block) => expiry.get(block)! <= now());
      expired.sort((a, b) => a - b);
      return expired.length > 0 ? least(expired, (block) => expiry.get(block)!) : list[0];
    });
    const inside = new Set<number>();
    return (block) => {
      if (!inside.has(block)) expiry.set(block, now() + TTL);
      inside.add(block);
      const left = cache(block);
      if (left !== null) inside.delete(left);
      return left;
    };
  },

  'leaf-lru': (room, {parent}) => {
    const leaf = (list: readonly number[], block: number) => !list.some((other) => parent(other) === block);
    return byRecency(room, (list) => list.find((block) => leaf(list, block))!);
  },

  'tail-lru': (room, {session, depth, recompute}) => {
    const lost = new Set<number>();
    const used = new Map<number, number>();
    let reads = 0;
    const lacking = (one: number) => [...lost].filter((block) => session(block) === one).reduce((sum, block) => sum + recompute(block), 0);
    const cache = byRecency(room, (list) => {
      const deepest = [...new Set(list.map((block) => session(block)))]
        .filter((one) => one >= 0)
        .map((one) =>
          least(
            list.filter((block) => session(block) === one),
            (block) => -depth(block),
          ),
        )
        .filter((block) => lacking(session(block)) + recompute(block) <= TTFT);
      return deepest.length > 0 ? least(deepest, (block) => used.get(session(block))!) : list[0];
    });
    return (block) => {
      const left = cache(block);
      lost.delete(block);
      if (left !== null) lost.add(left);
      used.set(session(block), reads++);
      return left;
    };
  },

  ewma: (room, {now}) => {
    const last = new Map<number, number>();
    const gaps = new Map<number, number>();
    const expected = new Map<number, number>();
    let [sum, count] = [0, 0];
    const cache = byRecency(room, (list) => least(list, (block) => -expected.get(block)!));
    return (block) => {
      const gap = now() - (last.get(block) ?? now());
      if (gap > 0) {
        sum += gap;
        count++;
        gaps.set(block, gaps.has(block) ? 0.2 * gap + 0.8 * gaps.get(block)! : gap);
      }
      last.set(block, now());
      const left = cache(block);
      expected.set(block, now() + (gaps.get(block) ?? (count === 0 ? 0 : sum / count)));
      return left;
    };
  },

  clock: (room) => {
    const list: {block: number; bit: number}[] = [];
    return (block) => {
      const found = list.find((one) => one.block === block);
      if (found !== undefined) {
        found.bit = 1;
        return null;
      }
      let left: number | null = null;
      if (list.length === room) {
        while (list[0].bit === 1) list.push({...list.shift()!, bit: 0});
        left = list.shift()!.block;
      }
      list.push({block, bit: 0});
      return left;
    };
  },

  sieve: (room) => {
    const list: {block: number; bit: number}[] = [];
    let hand = 0;
    return (block) => {
      const found = list.find((one) => one.block === block);
      if (found !== undefined) {
        found.bit = 1;
        return null;
      }
      let left: number | null = null;
      if (list.length === room) {
        for (; list[hand % room].bit === 1; hand++) list[hand % room].bit = 0;
        hand %= room;
        left = list[hand].block;
        list.splice(hand, 1);
        if (hand === list.length) hand = 0;
      }
      list.push({block, bit: 0});
      return left;
    };
  },

  '2q': (room) => {
    const [fresh, main, gone]: number[][] = [[], [], []];
    return (block) => {
      if (fresh.includes(block)) return null;
      if (main.includes(block)) {
        toEnd(main, block);
        return null;
      }
      const returns = take(gone, block);
      let left: number | null = null;
      if (fresh.length + main.length === room) {
        const fromFresh = fresh.length > Math.floor(room * 0.25) || main.length === 0;
        left = (fromFresh ? fresh : main).shift()!;
        if (fromFresh) gone.push(left);
        if (gone.length > Math.floor(room * 0.5)) gone.shift();
      }
      (returns ? main : fresh).push(block);
      return left;
    };
  },

  slru: (room) => {
    const count = Math.min(4, room);
    const segments: number[][] = Array.from({length: count}, () => []);
    const each = Math.floor(room / count);
    return (block) => {
      const at = segments.findIndex((segment) => segment.includes(block));
      if (at >= 0) {
        take(segments[at], block);
        const up = Math.min(at + 1, count - 1);
        segments[up].push(block);
        for (let i = up; i > 0 && segments[i].length > each; i--) segments[i - 1].push(segments[i].shift()!);
        return null;
      }
      const full = segments.flat().length === room;
      const left = full ? segments.find((segment) => segment.length > 0)!.shift()! : null;
      (segments.find((segment) => segment.length < each) ?? segments[0]).push(block);
      return left;
    };
  },

  // The paper's cases I to IV (figure 4).
  arc: (room) => {
    const [t1, t2, b1, b2]: number[][] = [[], [], [], []];
    let p = 0;
    const replace = (inB2: boolean): number => {
      const one = t1.length > 0 && (t1.length > p || (inB2 && t1.length === p) || t2.length === 0);
      const left = (one ? t1 : t2).shift()!;
      (one ? b1 : b2).push(left);
      return left;
    };
    return (block) => {
      if (take(t1, block) || take(t2, block)) {
        t2.push(block);
        return null;
      }
      if (b1.includes(block) || b2.includes(block)) {
        const inB2 = b2.includes(block);
        p = inB2 ? Math.max(0, p - Math.max(1, b1.length / b2.length)) : Math.min(room, p + Math.max(1, b2.length / b1.length));
        const left = t1.length + t2.length === room ? replace(inB2) : null;
        take(b1, block);
        take(b2, block);
        t2.push(block);
        return left;
      }
      let left: number | null = null;
      if (t1.length + b1.length === room) {
        if (t1.length < room) {
          b1.shift();
          if (t1.length + t2.length === room) left = replace(false);
        } else left = t1.shift()!;
      } else if (t1.length + t2.length + b1.length + b2.length >= room && t1.length + t2.length === room) {
        if (t1.length + t2.length + b1.length + b2.length === 2 * room) b2.shift();
        left = replace(false);
      }
      t1.push(block);
      return left;
    };
  },

  lirs: (room) => {
    let stack: number[] = []; // oldest first; LIR, HIR and blocks that left
    const kind = new Map<number, 'lir' | 'hir'>(); // of what is there
    const rest: number[] = [];
    const gone: number[] = [];
    const most = room - Math.max(1, Math.floor(room * 0.01));
    const lirs = () => [...kind.values()].filter((one) => one === 'lir').length;
    const prune = () => {
      const first = stack.findIndex((block) => kind.get(block) === 'lir');
      stack = first === -1 ? [] : stack.slice(first);
      for (const block of [...gone]) if (!stack.includes(block)) take(gone, block);
    };
    const promote = (block: number) => {
      kind.set(block, 'lir');
      stack.push(block);
      if (lirs() <= most) return;
      prune();
      const down = stack.shift()!;
      kind.set(down, 'hir');
      rest.push(down);
      prune();
    };
    return (block) => {
      if (kind.get(block) === 'lir') {
        toEnd(stack, block);
        prune();
        return null;
      }
      const there = kind.has(block);
      let left: number | null = null;
      if (!there && kind.size === room) {
        left = rest.length > 0 ? rest.shift()! : stack.shift()!;
        kind.delete(left);
        prune();
        if (stack.includes(left)) gone.push(left);
      }
      take(gone, block);
      take(rest, block);
      const inStack = take(stack, block);
      prune();
      if (inStack || (!there && lirs() < most)) promote(block);
      else {
        kind.set(block, 'hir');
        stack.push(block);
        rest.push(block);
        prune();
      }
      // The stack remembers at most twice the room; who left first is forgotten first.
      while (stack.length > 2 * room && gone.length > 0) take(stack, gone.shift()!);
      return left;
    };
  },

  's3-fifo': (room) => {
    const [small, main, ghost]: number[][] = [[], [], []];
    const reads = new Map<number, number>();
    const smallRoom = Math.floor(room * 0.1);
    const evictOne = (): number => {
      for (;;) {
        if (main.length > room - smallRoom || small.length === 0) {
          for (;;) {
            const block = main.shift()!;
            if (reads.get(block) === 0) return block;
            reads.set(block, Math.min(3, reads.get(block)!) - 1);
            main.push(block);
          }
        }
        while (small.length > 0) {
          const block = small.shift()!;
          if (reads.get(block)! < 2) {
            ghost.push(block);
            if (ghost.length > Math.floor(room * 0.9)) ghost.shift();
            return block;
          }
          reads.set(block, 0);
          main.push(block);
        }
      }
    };
    return (block) => {
      if (small.includes(block) || main.includes(block)) {
        reads.set(block, reads.get(block)! + 1);
        return null;
      }
      const returns = take(ghost, block);
      const left = small.length + main.length === room ? evictOne() : null;
      reads.set(block, 0);
      (returns ? main : small).push(block);
      return left;
    };
  },

  // With the product's own estimate of how often a block was seen, which has a test of its own.
  'w-tinylfu': (room) => {
    const seen = new FrequencySketch(room);
    const [window, probation, safe]: number[][] = [[], [], []];
    const windowRoom = Math.max(1, Math.floor(room * 0.01));
    const safeRoom = Math.floor((room - windowRoom) * 0.8);
    return (block) => {
      const all = window.length + probation.length + safe.length;
      if (window.includes(block)) {
        seen.add(block);
        toEnd(window, block);
        return null;
      }
      if (take(probation, block) || take(safe, block)) {
        seen.add(block);
        safe.push(block);
        if (safe.length > safeRoom) probation.push(safe.shift()!);
        return null;
      }
      let left: number | null = null;
      if (all === room) {
        const held = probation[0] ?? safe[0];
        const windowLoses = held === undefined || (window.length >= windowRoom && seen.count(window[0]) <= seen.count(held));
        left = windowLoses ? window.shift()! : held;
        take(probation, left);
        take(safe, left);
      }
      seen.add(block);
      window.push(block);
      if (window.length > windowRoom) probation.push(window.shift()!);
      return left;
    };
  },
};

/** ns, and seconds: the defaults of ttl and tail-lru. */
const TTL = 300e9;
const TTFT = 0.5;

/** A list in order of the last read, oldest first; `leaves` picks from it. */
function byRecency(room: number, leaves: (list: readonly number[]) => number): NaiveCache {
  const list: number[] = [];
  return (block) => {
    if (take(list, block)) {
      list.push(block);
      return null;
    }
    let left: number | null = null;
    if (list.length === room) take(list, (left = leaves(list)));
    list.push(block);
    return left;
  };
}

/** A list in order of entry; the first with the least worth leaves. */
function byWorth(room: number, worthOf: (entry: {reads: number}, block: number, age: number) => number): NaiveCache {
  const list: {block: number; reads: number; worth: number}[] = [];
  let age = 0;
  return (block) => {
    let entry = list.find((one) => one.block === block);
    let left: number | null = null;
    if (entry === undefined) {
      if (list.length === room) {
        const victim = list.reduce((best, one) => (one.worth < best.worth ? one : best));
        age = victim.worth;
        left = victim.block;
        list.splice(list.indexOf(victim), 1);
      }
      list.push((entry = {block, reads: 0, worth: 0}));
    }
    entry.reads++;
    entry.worth = worthOf(entry, block, age);
    return left;
  };
}

function least(list: readonly number[], worth: (block: number) => number): number {
  return list.reduce((best, block) => (worth(block) < worth(best) ? block : best));
}

function take(list: number[], block: number): boolean {
  const at = list.indexOf(block);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

function toEnd(list: number[], block: number): void {
  take(list, block);
  list.push(block);
}
