import {describe, expect, it} from 'vitest';
import {renderReport} from '../../../reports/index.js';
import {readDocument} from '../../../reports/read/schema.js';
import {canonicalJson} from '../../../src/sim/scenario/canonical.js';
import {withoutPrefetches} from '../../../src/sim/scenario/prefetch-worth.js';
import {reportData} from '../../../src/sim/scenario/report-data.js';
import {simulate} from '../../../src/sim/scenario/simulate.js';
import {summarise} from '../../../src/sim/scenario/summarise.js';
import {pageParts} from '../../support/page-parts.js';
import {chat, load, refusal} from '../../support/scenario-text.js';
import {tierChats} from '../../support/tier-chats.js';

const tiers = `${chat}hardware: {device: h100-sxm, memory: {dram: 1 TiB, ssd: nvme-gen4-4tb}}
kv: {tiers: {dram: 512 GiB, ssd: 3 TiB}}
`.replace('hardware: h100-sxm\n', '');

describe('kv.prefetch', () => {
  it('is a name, or a policy with what differs from its defaults', async () => {
    expect((await load({'a.yaml': tiers})).kv.prefetch).toBeNull();
    expect((await load({'a.yaml': tiers}, ['kv.prefetch=oracle'])).kv.prefetch).toEqual({
      policy: 'oracle',
      params: {lookahead: 4, to: 'hbm', insert: 'used', lead: 1e6},
    });
    const {prefetch} = (await load({'a.yaml': tiers}, ['kv.prefetch={policy: session, lookahead: 2, lead: 500 ms}'])).kv;
    expect(prefetch).toMatchObject({policy: 'session', params: {lookahead: 2, lead: 0.5, alpha: 0.2}});
  });

  it.each([
    [
      'an unknown parameter',
      ['kv.prefetch={policy: session, lookahed: 2}'],
      'unknown parameter of session "lookahed" (did you mean "lookahead"?)',
    ],
    ['no DRAM to fetch into', ['kv.prefetch=queue', 'kv.tiers.dram=null'], 'queue fetches into DRAM, and KV has none'],
    ['nothing beyond DRAM', ['kv.prefetch=queue', 'kv.tiers.ssd=null'], 'queue fetches from beyond DRAM, and nothing lies there'],
    [
      'arrivals nobody can place',
      ['kv.prefetch=oracle', 'cluster={replicas: 2, router: round-robin}'],
      'oracle must know where a request will go',
    ],
  ])('refuses %s', async (_what, set, message) => {
    expect(await refusal({'a.yaml': tiers}, set)).toContain(message);
  });
});

describe('a run with prefetches', () => {
  const {scenario: plain, plan} = tierChats({hbm: 60, dram: 600, ssd: 6000});
  const params = {lookahead: 8, to: 'hbm', insert: 'used', think: 'ewma', alpha: 0.2, lead: 30};
  const scenario = {...plain, kv: {...plain.kv, prefetch: {policy: 'session' as const, params}}};
  const record = simulate(scenario, plan, {replication: 0, audit: true});
  const unfetched = [simulate(withoutPrefetches(scenario)!, plan, {replication: 0})];
  const document = summarise(scenario, plan, [record], {unfetched});

  it('tells bytes that were asked for from bytes that were fetched ahead, and these by what they were good for', () => {
    const {reads_bytes: reads, moved_bytes: moved} = document.tiers['dram']!;
    const {load, prefetch_useful: useful = 0, prefetch_late: late = 0, prefetch_wasted: wasted = 0} = moved!;
    expect(useful).toBeGreaterThan(0);
    expect(load + useful + late + wasted).toBe(reads);
  });

  it('has a twin that is the same scenario without them, and only where there are any', () => {
    expect(withoutPrefetches(scenario)).toEqual(plain);
    expect(withoutPrefetches(plain)).toBeNull();
  });

  it('stands beside the same requests without prefetches: they wait longer for loads', () => {
    const {load_mean_s: waits, read_bytes: read} = document.prefetch!;
    expect(read.without).toBe(unfetched[0]!.tiers.reduce((sum, tier) => sum + tier.readBytes, 0));
    expect(read.with).toBe(record.tiers.reduce((sum, tier) => sum + tier.readBytes, 0));
    const {load: ns, rows} = unfetched[0]!.requests;
    expect(waits.without).toBeCloseTo((ns.subarray(0, rows).reduce((sum, one) => sum + one, 0) * 1e-9) / rows, 9);
    expect(waits.with).toBeLessThan(waits.without);
    expect(document.verdict.map(({code}) => code)).toContain('prefetch_worth');
  });

  it('is read back whole, and its page has the bytes that were fetched ahead', () => {
    expect(readDocument(canonicalJson(document), 'result.json')).toEqual(JSON.parse(canonicalJson(document)));
    const page = renderReport(reportData(scenario, plan, [record], document), pageParts());
    expect(page).toContain('ahead of being asked for');
    expect(page).toContain('prefetch useful DRAM to HBM');
  });

  it('refuses a result whose prefetched bytes are no numbers', () => {
    const text = canonicalJson(document).replace(/"prefetch_useful":\s*\d+/, '"prefetch_useful": "much"');
    expect(() => readDocument(text, 'r.json')).toThrow('r.json: tiers.dram.moved_bytes.prefetch_useful');
  });
});
