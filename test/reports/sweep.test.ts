import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {AxeBuilder} from '@axe-core/playwright';
import type {Browser, Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {renderSweep} from '../../reports/sweep/index.js';
import {inBrowser, launchBrowser, noBrowser} from '../support/browser.js';
import {pageParts} from '../support/page-parts.js';
import {exampleSweep} from '../support/sweep-view.js';

const folder = mkdtempSync(join(tmpdir(), 'tiercast-sweep-page-'));
const attack = '</script><img src=x onerror=alert(1)>';
const text = (page: string) =>
  page
    .replace(/<[^>]+>/g, ' ')
    .replace(/\u00a0/g, ' ')
    .replace(/\s+/g, ' ');

describe('the page of a sweep', () => {
  const page = renderSweep(exampleSweep(), pageParts());

  it('begins with what to take, then the knee', () => {
    expect(text(page)).toContain(
      'Take L4, max_num_seqs 64, 4 session/s: price per million output tokens $0.25, with TTFT p95 400 ms, within the constraints.',
    );
    expect(text(page)).toContain(
      'To weigh all objectives alike, take H100, max_num_seqs 64, 4 session/s: price per million output tokens $0.50, TTFT p95 100 ms.',
    );
  });

  it('says so when nothing meets the constraints', () => {
    const view = exampleSweep();
    const none = {
      ...view,
      document: {...view.document, counts: {...view.document.counts, good: 0}, pareto: [], knee: null, levers: []},
      rows: view.rows.map((row) => ({...row, misses: ['slo.attainment >= 0.95']})),
    };
    expect(text(renderSweep(none, pageParts()))).toContain('None of 17 points meets slo.attainment &gt;= 0.95.');
  });

  it('says which objective is unknown when points meet the constraints and none can be ranked', () => {
    const view = exampleSweep();
    const lacking = [{objective: 'ttft_s.p95', points: 16}];
    const unranked = text(renderSweep({...view, document: {...view.document, pareto: [], knee: null, lacking}}, pageParts()));
    expect(unranked).toContain(
      '16 points are within the constraints, but none has a figure for every objective: TTFT p95 is unknown in 16.',
    );
    expect(unranked).toContain('No point has a figure for every objective, so there is nothing to choose from.');
    expect(unranked).toContain('No point within the constraints has a figure for every objective.');
    expect(/none of 17 points meets|no point meets/i.exec(unranked)?.[0]).toBeUndefined();
  });

  it('names values that are the same by another name, and those that are so at some settings', () => {
    expect(text(page)).toContain('scheduler.max_num_seqs: Which GPU? and 64 are the same by another name.');
    expect(text(page)).toMatch(/gpu +H100, H200 +1 +6/);
    const {document, rows} = exampleSweep();
    const some = {document: {...document, identical: document.identical.slice(1)}, rows};
    expect(text(renderSweep(some, pageParts()))).toContain('No two values are the same everywhere; some are at some settings.');
    const none = renderSweep({document: {...document, identical: []}, rows}, pageParts());
    expect(none).not.toContain('id="identical"');
  });

  it('says who is best, with whom no difference is shown, and how far behind the next one is', () => {
    expect(text(page)).toContain('H200 is among the best in 1 of 1 comparisons that show a difference.');
    expect(text(page)).toMatch(/TTFT p95 +H200 = H100 +100 ms +Which GPU\? +\+300 % +\+250 % … \+350 %/);
    expect(text(page)).toMatch(/price per million output tokens +no difference shown/);
    expect(text(page)).toContain('Means over 5 runs each');
  });

  it('says how far each setting goes within the constraints', () => {
    expect(text(page)).toContain('1 of 3 settings meet the constraints at no workload.arrivals.rate.');
    expect(text(page)).toMatch(/Which GPU\? +2 session\/s +H100 +≥ 4 session\/s +H200 +none/);
  });

  it('is the same bytes for the same sweep', () => expect(renderSweep(exampleSweep(), pageParts())).toBe(page));
});

describe.skipIf(noBrowser)(inBrowser, () => {
  let browser: Browser;
  beforeAll(async () => {
    writeFileSync(join(folder, 'page.html'), renderSweep(exampleSweep(), pageParts()));
    writeFileSync(join(folder, 'hostile.html'), renderSweep(exampleSweep(attack), pageParts()));
    browser = await launchBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, {recursive: true, force: true});
  });

  async function open(name: string, width: number, colorScheme: 'light' | 'dark') {
    const context = await browser.newContext({
      viewport: {width, height: 900},
      colorScheme,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    const seen: string[] = [];
    page.on('request', (request) => seen.push(request.url()));
    page.on('console', (message) => seen.push(message.text()));
    page.on('pageerror', (error) => seen.push(String(error)));
    const url = pathToFileURL(join(folder, name)).href;
    await page.goto(url);
    expect(seen).toEqual([url]);
    return {page, seen, close: () => context.close()};
  }

  it.each([
    [1280, 'light'],
    [1280, 'dark'],
    [375, 'light'],
    [375, 'dark'],
  ] as const)(
    'at %i px, %s: one request, nothing sideways, no text below 12 px, no accessibility fault',
    async (width, scheme) => {
      const {page, seen, close} = await open('page.html', width, scheme);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
        for (const block of document.querySelectorAll<HTMLElement>('[data-pick]')) block.hidden = false;
      });
      const [wanted, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      expect(wanted).toBe(there);
      expect(await smallTexts(page)).toEqual([]);
      expect(await strayMarks(page)).toEqual([]);
      const {violations} = await new AxeBuilder({page}).analyze();
      expect(violations.map(({id, nodes}) => `${id}: ${nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`)).toEqual([]);
      expect(seen).toHaveLength(1);
      await close();
    },
    60_000,
  );

  it('puts points where their figures are: twice the price is as far as from $0.25 to $0.50, everywhere', async () => {
    const {page, close} = await open('page.html', 1280, 'light');
    const at = async (rank: number) =>
      (await page
        .locator('#chart-pareto [data-item]')
        .nth(rank - 1)
        .locator('.form')
        .boundingBox())!;
    const middle = ({x, y, width, height}: {x: number; y: number; width: number; height: number}) => [x + width / 2, y + height / 2];
    const [a, b, c] = (await Promise.all([1, 2, 3].map(at))).map(middle);
    // Prices 0.25, 0.5, 0.75 and TTFT 400, 100, 25 ms, on log axes.
    expect((c![0]! - b![0]!) / (b![0]! - a![0]!)).toBeCloseTo(Math.log2(1.5), 1);
    expect((c![1]! - b![1]!) / (b![1]! - a![1]!)).toBeCloseTo(1, 1);
    expect(await page.locator('#chart-pareto [data-item]').count()).toBe(17);
    await close();
  });

  it('goes through the points by arrow keys, the Pareto set first, and speaks them', async () => {
    const {page, close} = await open('page.html', 1280, 'light');
    await page.locator('#chart-pareto .plot').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('#spoken').textContent()).toBe(
      '1: L4, max_num_seqs 64, 4 session/s: TTFT p95 400 ms, price per million output tokens $0.25',
    );
    await page.keyboard.press('End');
    expect(await page.locator('#spoken').textContent()).toMatch(/price per million output tokens \$3\.75$/);
    await close();
  });

  it('picks two axes and a figure by keyboard', async () => {
    const {page, close} = await open('page.html', 1280, 'light');
    const shown = () => page.locator('.heat:visible caption').allTextContents();
    expect(await shown()).toEqual(['price per million output tokens: gpu × scheduler.max_num_seqs']);
    await page.locator('#heat-pick').focus();
    await page.keyboard.press('ArrowDown');
    expect(await shown()).toEqual(['price per million output tokens: gpu × workload.arrivals.rate']);
    // The best over the limits: dollars (g + 1) / 2^rate; every point of an H100 at 1 session/s and 8 sequences is missing, the other is there.
    const cells = await page.locator('.heat:visible tbody tr').allTextContents();
    expect(cells.map((row) => row.replace(/\s+/g, ' ').trim())).toEqual([
      'L4$1.00$0.50$0.25',
      'H100$2.00$1.00$0.50',
      'H200$3.00$1.50$0.75',
    ]);
    await close();
  });

  it('filters, sorts, and copies the command of a row', async () => {
    const {page, close} = await open('page.html', 1280, 'light');
    const rows = page.locator('#points-table tbody tr:visible');
    expect(await rows.count()).toBe(17);
    await page.locator('#points-filter').fill('h200 session');
    expect(await rows.count()).toBe(6);
    expect(await page.locator('#spoken').textContent()).toBe('6 of 17 points');
    await page.locator('#points-table th button', {hasText: 'price per million'}).click();
    expect(await rows.first().locator('th').textContent()).toBe('17');
    await rows.first().locator('button', {hasText: 'Copy'}).click();
    await page.waitForFunction(() => document.querySelector('#spoken')!.textContent === 'Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      'tiercast run study.yaml --set study=null --set gpu=H200 --set scheduler.max_num_seqs=64',
    );
    await close();
  });

  it('shows hostile names as text', async () => {
    const {page, close} = await open('hostile.html', 1280, 'light');
    expect(await page.locator('h1').textContent()).toBe(attack);
    expect(await page.locator('img').count()).toBe(0);
    await close();
  });

  it('can be read without script', async () => {
    const context = await browser.newContext({javaScriptEnabled: false});
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(folder, 'page.html')).href);
    expect(await page.locator('#chart-pareto .plot-svg').isVisible()).toBe(true);
    expect(await page.locator('.heat:visible').count()).toBe(1);
    expect(await page.locator('#points-table tbody tr').count()).toBe(17);
    await context.close();
  });
});

function smallTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter(
        (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent!.trim() !== '') && !['SCRIPT', 'STYLE'].includes(e.tagName),
      )
      .filter((e) => Number.parseFloat(getComputedStyle(e).fontSize) < 12)
      .map((e) => e.outerHTML.slice(0, 80)),
  );
}

function strayMarks(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const plot = document.querySelector('#chart-pareto .plot-svg')!.getBoundingClientRect();
    return [...document.querySelectorAll('#chart-pareto .form')].flatMap((mark) => {
      const box = mark.getBoundingClientRect();
      const inside = box.left >= plot.left - 8 && box.right <= plot.right + 8 && box.top >= plot.top - 8 && box.bottom <= plot.bottom + 8;
      return inside ? [] : [JSON.stringify(box)];
    });
  });
}
