import {describe, expect, it} from 'vitest';
import {figure, ranTierChats, tierChats} from '../../support/tier-chats.js';

/** Recomputing is dear, so that hits are time. */
function dear(parts: ReturnType<typeof tierChats>) {
  const scenario = {...parts.scenario, costModel: {kind: 'roofline'} as typeof parts.scenario.costModel};
  return {...parts, scenario: {...scenario, device: {...scenario.device, compute: {bf16: figure(2e8)}}}};
}

describe('a memory that costs TTFT', () => {
  it('keeps what it does not write from those below: the hits with and without it say so, and no load is blamed', () => {
    const {scenario, plan} = dear(tierChats({hbm: 60, dram: 4000, ssd: 8000}));
    const [dram, ssd] = scenario.kv.tiers;
    const picky = {...dram!, write: {when: 'selective', afterTouches: 3, counts: 'hits', generated: false} as const};
    const {document} = ranTierChats({plan, scenario: {...scenario, kv: {...scenario.kv, tiers: [picky, ssd!]}}});
    const worth = document.worth!.find(({tier}) => tier === 'dram')!;
    expect(worth.verdict).toBe('worse');
    const [, without, found] =
      /without it ([\d.]+) % of prompt tokens are found, with it ([\d.]+) %: the memories below get only what it writes\.$/
        .exec(worth.text)!
        .map(Number);
    expect(found! / 100).toBeCloseTo(1 - document.hits.share['computed']!, 3);
    expect(without!).toBeGreaterThan(found! + 10);
  });

  it('whose loads take longer than computing is said to do so', () => {
    const {scenario, plan} = tierChats({hbm: 60, dram: 4000, ssd: 0}, {step: 0.01});
    const slow = {...scenario.host.links.host!, bandwidth: figure(1e4)};
    const {document} = ranTierChats({plan, scenario: {...scenario, host: {...scenario.host, links: {...scenario.host.links, host: slow}}}});
    expect(document.worth![0]).toMatchObject({verdict: 'worse', text: expect.stringMatching(/: loading takes longer than it saves\.$/)});
  });
});
