import {describe, expect, it} from 'vitest';
import {Everything} from '../../../src/policies/admission/all.js';
import type {BlockAdmissionName} from '../../../src/policies/admission/index.js';
import type {TierConfig} from '../../../src/sim/memory/hierarchy-config.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {linearCost} from '../../support/linear-cost.js';
import {simulated} from '../../support/replica-config.js';
import {digest} from '../../support/run-checks.js';
import {type Scripted, ScriptedWorkload} from '../../support/scripted.js';
import {tierChats} from '../../support/tier-chats.js';
import {hierarchyConfig, type TierShape} from '../../support/tiers.js';

const MS = 1e6;

/** Requests against memories of blocks of 4 tokens and 1 MB, 1 ms a computed token, 8 blocks of HBM. */
function run(shape: TierShape, script: Scripted[]) {
  return simulated({kv: {blocks: 8}}, linearCost({token: 0.001}), new ScriptedWorkload(script), {
    below: {hierarchy: hierarchyConfig(shape), load: 'always'},
    audit: true,
  });
}

const ask = (at: number, text: string, tokens = 17): Scripted => ({at: at * MS, input: tokens, output: 1, text});
const admission = (policy: BlockAdmissionName, params: Record<string, number | string> = {}) => ({policy, params});
const written = (shape: TierShape, script: Scripted[]) => run(shape, script).tiers.map(({writtenBytes}) => writtenBytes / 1e6);

describe('the admission of a memory', () => {
  // a is used twice, b once; c and d push both out of HBM.
  const twiceAndOnce = [ask(0, 'abcd'), ask(50, 'abcd'), ask(100, 'mnop'), ask(150, 'qrst'), ask(200, 'uvwx')];

  it('lets in of what leaves HBM only what it admits', () => {
    const back = {dram: 100, write: {when: 'back'}} as const;
    expect(written(back, twiceAndOnce)[0]).toBeGreaterThan(4);
    expect(written({...back, admission: admission('after-touches', {k: 1, counts: 'hits'})}, twiceAndOnce)).toEqual([4]);
    expect(written({...back, admission: admission('after-touches', {k: 2, counts: 'hits'})}, twiceAndOnce)).toEqual([0]);
  });

  it('keeps places free ahead of write-back without writing what it does not admit', () => {
    const back = {dram: 100, write: {when: 'back'}, ahead: 4} as const;
    expect(written({...back, admission: admission('after-touches', {k: 1, counts: 'hits'})}, twiceAndOnce)).toEqual([4]);
  });

  it('is selective writing where it counts uses: the same bytes', () => {
    const again = [...twiceAndOnce, ask(250, 'abcd'), ask(300, 'abcd'), ask(350, 'abcd'), ask(400, 'mnop'), ask(450, 'mnop')];
    for (const counts of ['hits', 'lookups', 'stay'] as const) {
      const selective = run({dram: 100, write: {when: 'selective', afterTouches: 2, counts, generated: true}}, again);
      const through = run(
        {dram: 100, write: {when: 'through', generated: true}, admission: admission('after-touches', {k: 2, counts})},
        again,
      );
      expect(digest(through), counts).toBe(digest(selective));
      expect(through.tiers[0].writtenBytes, counts).toBeGreaterThan(0);
    }
  });

  it('refuses short prompts, or long ones, and takes a prompt that grows once it is long enough', () => {
    const grows = [ask(0, 'abcd', 16), ask(50, 'abcdefgh', 32)];
    const of = (policy: Record<string, number | string>) => written({dram: 100, admission: admission('by-size', policy)}, grows);
    expect(of({tokens: 32, of: 'longer'})).toEqual([8]); // 4 of them are offered again when they are found
    expect(of({tokens: 16, of: 'shorter'})).toEqual([4]);
    expect(of({tokens: 33, of: 'longer'})).toEqual([0]);
  });

  it('holds for what is promoted from a memory below', () => {
    // DRAM takes what nobody has found yet: a is written through to the SSD, leaves DRAM, is found on the SSD, and does not come back into DRAM.
    class Unfound extends Everything {
      readonly #found = new Set<number>();
      override found(block: number): void {
        this.#found.add(block);
      }
      override admits(block: number): boolean {
        return !this.#found.has(block);
      }
    }
    const script = [
      ...['abcd', 'mnop', 'uvwx', 'abcd'].map((text, i) => ask(100 * i, text)),
      {at: 400 * MS, input: 32, output: 1},
      ask(500, 'abcd'),
    ];
    const last = (admission: TierConfig['admission']) => {
      const hierarchy = hierarchyConfig({dram: 4, ssd: 100, promote: true});
      const tiers = hierarchy.tiers.map((tier, i) => (i === 0 ? {...tier, admission} : tier));
      const {requests} = simulated({kv: {blocks: 8}}, linearCost({token: 0.001}), new ScriptedWorkload(script), {
        below: {hierarchy: {...hierarchy, tiers}, load: 'always'},
      });
      return requests.hitBelow.map((column) => column[requests.id.indexOf(5)]);
    };
    expect(last(null)).toEqual([16, 0]);
    expect(last(() => new Unfound())).toEqual([0, 16]);
  });

  it('is told when sessions use their blocks and when they have their answers: who thinks longer than the time stays out', () => {
    // All think for 60 s; before the first has come back, nothing is known of that.
    const chats = (within: number | null) => {
      const {scenario, plan} = tierChats({hbm: 60, dram: 600, ssd: 0}, {write: {when: 'through', generated: true}});
      const tiers = scenario.kv.tiers.map((tier) => ({
        ...tier,
        ...(within === null ? {} : {admission: admission('predicted-use', {within, alpha: 0.2})}),
      }));
      return simulate({...scenario, kv: {...scenario.kv, tiers}}, plan, {replication: 0});
    };
    const bytes = (within: number | null) => chats(within).tiers[0].writtenBytes;
    expect(digest(chats(200))).toBe(digest(chats(null)));
    expect(bytes(30)).toBeLessThan(0.1 * bytes(null));
    expect(bytes(30)).toBeGreaterThan(0);
  });

  it('that lets in all, without a watermark, changes no byte', () => {
    const shape = {dram: 6, ssd: 20, promote: true};
    expect(digest(run({...shape, admission: admission('all')}, twiceAndOnce))).toBe(digest(run(shape, twiceAndOnce)));
  });
});

describe('a watermark', () => {
  // Each prompt brings 4 blocks into a DRAM of 10.
  const four = ['abcd', 'efgh', 'ijkl', 'mnop'].map((text, i) => ask(100 * i, text, 16));
  const tier = (watermark: TierShape['watermark'], script: Scripted[]) =>
    run({dram: 10, ...(watermark === undefined ? {} : {watermark})}, script).tiers[0];

  it('frees places in bulk once it is reached, down to the lower one; else one leaves when one is needed', () => {
    // 8 of 10 are taken with the second prompt: down to 4. The third makes it 8 again.
    expect([2, 3, 4].map((n) => tier({high: 0.8, low: 0.4}, four.slice(0, n)).evictions)).toEqual([4, 8, 12]);
    expect([2, 3, 4].map((n) => tier(undefined, four.slice(0, n)).evictions)).toEqual([0, 2, 6]);
  });

  it('is reached by the share, not passed: 7 of 10 places are below 0.8', () => {
    const three = [ask(0, 'abcd', 16), ask(100, 'efg', 12)];
    expect(tier({high: 0.8, low: 0.4}, three).evictions).toBe(0);
    expect(tier({high: 0.7, low: 0.4}, three).evictions).toBe(3);
  });

  it('lets the least recently used leave, and writes them on where the memory below is written back', () => {
    const shape = {
      dram: 10,
      ssd: 100,
      write: {when: 'through', generated: true},
      onDisk: {when: 'back'},
      watermark: {high: 0.8, low: 0.4},
    } as const;
    // The SSD has the first four blocks while DRAM still has room: it was drained.
    expect(written(shape, four.slice(0, 2))).toEqual([8, 4]);
    const {requests} = run(shape, [...four.slice(0, 2), {at: 300 * MS, input: 32, output: 1}, ask(400, 'abcd')]);
    expect(requests.hitBelow.map((column) => column[requests.id.indexOf(3)])).toEqual([0, 16]);
  });

  it('lets nothing leave that a transfer reads', () => {
    // 40 ms a load over 100 MB/s: while a is loaded, b is written and reaches the mark.
    const script = [ask(0, 'abcd', 16), {at: 100 * MS, input: 32, output: 1}, ask(200, 'abcd'), ask(205, 'efgh', 16)];
    const {tiers, requests} = run({dram: 8, host: 1e8, watermark: {high: 0.9, low: 0.1}}, script);
    expect(requests.computed[requests.id.indexOf(2)]).toBe(1);
    expect(tiers[0].evictions).toBeGreaterThan(0);
  });
});
