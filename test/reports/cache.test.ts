import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {AxeBuilder} from '@axe-core/playwright';
import type {Browser} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {renderHits} from '../../reports/cache/index.js';
import {factoryOf} from '../../src/policies/eviction/eviction.js';
import {evictionPolicies} from '../../src/policies/eviction/index.js';
import {hitDocument} from '../../src/sim/memory/hit-document.js';
import {studyHits} from '../../src/sim/memory/hit-study.js';
import {parseCandidates} from '../../src/sim/memory/parse-candidates.js';
import {tierHits} from '../../src/sim/memory/tier-hits.js';
import {loadTrace} from '../../src/sim/traces/load.js';
import {inBrowser, launchBrowser, noBrowser} from '../support/browser.js';
import {pageParts} from '../support/page-parts.js';

const folder = mkdtempSync(join(tmpdir(), 'tiercast-cache-page-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));

const {trace} = loadTrace('scenarios/examples/synthetic-chat.jsonl');
const study = studyHits(trace, parseCandidates('lru,leaf-lru,arc,s3-fifo,ewma,predicted,lirs,belady', ''), [20, 50, 100, 200], 30);

function pageOf(file = 'synthetic-chat.jsonl'): string {
  const subject = {
    file,
    format: trace.format,
    requests: trace.rows,
    accesses: trace.ids.length,
    distinct_blocks: trace.distinct,
    block_tokens: 512,
    partial_blocks: true,
  };
  const tiers = {policy: 'lru', hits: tierHits(trace, factoryOf('lru', evictionPolicies.lru), [50, 200]), names: null};
  return renderHits(hitDocument('0.1.0', subject, study, tiers), pageParts());
}

const text = (page: string) =>
  page
    .replace(/<(script|style)[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\u00a0/g, ' ')
    .replace(/\s+/g, ' ');

describe('the page of hits', () => {
  const page = pageOf();

  it('begins with what a cache could do, and with how much room', () => {
    const {ceiling} = study;
    expect(text(page)).toContain(
      `67.8 % of block accesses could hit. With ${ceiling.predictorBlocks} blocks a perfect predictor has them all, LRU`,
    );
    expect(text(page)).toContain(`A perfect predictor ${ceiling.predictorBlocks} blocks for the ceiling LRU ${ceiling.lruBlocks} blocks`);
  });

  it('draws curves of the first six policies, reuse distances and the working set, and tables with all of them', () => {
    expect([...page.matchAll(/data-chart="([^"]+)"/g)].map(([, id]) => id)).toEqual(['hit-curves', 'reuse-distance', 'working-set']);
    expect(text(page)).toContain('The first 6 policies are drawn; the table below has all.');
    expect(page).toContain('<th scope="row">lirs</th>');
    expect(text(page)).toContain('belady (bound)');
  });

  it('says what the best policy closes of the gap, and what each memory answers', () => {
    expect(text(page)).toMatch(/At \d+ blocks a perfect predictor is worth [\d.]+ points; [a-z0-9-]+ closes [\d.]+ % of them\./);
    expect(text(page)).toContain('The nearest memory answers 59.6 % of accesses, those below 8.2 % more.');
  });

  it('is the same bytes for the same document', () => expect(pageOf()).toBe(page));
});

describe.skipIf(noBrowser)(inBrowser, () => {
  let browser: Browser;
  beforeAll(async () => {
    writeFileSync(join(folder, 'page.html'), pageOf());
    writeFileSync(join(folder, 'hostile.html'), pageOf('</script><img src=x onerror=alert(1)>'));
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  it.each([
    ['page.html', 1280, 'light'],
    ['page.html', 375, 'dark'],
    ['hostile.html', 375, 'light'],
  ] as const)(
    '%s at %i px, %s: one request, nothing sideways, no accessibility fault',
    async (name, width, colorScheme) => {
      const context = await browser.newContext({viewport: {width, height: 900}, colorScheme});
      const page = await context.newPage();
      const seen: string[] = [];
      page.on('request', (request) => seen.push(request.url()));
      page.on('console', (message) => seen.push(message.text()));
      page.on('pageerror', (error) => seen.push(String(error)));
      const url = pathToFileURL(join(folder, name)).href;
      await page.goto(url);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      const [wanted, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      expect(wanted).toBe(there);
      const {violations} = await new AxeBuilder({page}).analyze();
      expect(violations.map(({id, nodes}) => `${id}: ${nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`)).toEqual([]);
      expect(seen).toEqual([url]);
      await context.close();
    },
    120_000,
  );

  it('puts a mark where its share is: half the ceiling is half the height', async () => {
    const page = await browser.newPage({viewport: {width: 1280, height: 900}});
    await page.goto(pathToFileURL(join(folder, 'page.html')).href);
    const at = (i: number) =>
      page
        .locator(`#chart-hit-curves [data-item="${i}"] .form`)
        .evaluate((form) => form.getBoundingClientRect().top + form.getBoundingClientRect().height / 2);
    const lru = study.policies.find(({policy}) => policy === 'lru')!.hits.map((hits) => hits / study.accesses);
    const places = await Promise.all([0, 1, 2].map(at));
    expect((places[0]! - places[1]!) / (places[0]! - places[2]!)).toBeCloseTo((lru[1]! - lru[0]!) / (lru[2]! - lru[0]!), 1);
    await page.close();
  });
});
