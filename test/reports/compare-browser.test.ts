import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {AxeBuilder} from '@axe-core/playwright';
import type {Browser, Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {renderComparison} from '../../reports/compare/index.js';
import {inBrowser, launchBrowser, noBrowser} from '../support/browser.js';
import {exampleComparison} from '../support/comparison.js';
import {pageParts} from '../support/page-parts.js';

const folder = mkdtempSync(join(tmpdir(), 'tiercast-compare-page-'));
const attack = '</script><img src=x onerror=alert(1)>';

const looks = [
  {width: 1280, colorScheme: 'light'},
  {width: 1280, colorScheme: 'dark'},
  {width: 375, colorScheme: 'light'},
  {width: 375, colorScheme: 'dark'},
] as const;

describe.skipIf(noBrowser)(inBrowser, () => {
  let browser: Browser;
  beforeAll(async () => {
    writeFileSync(join(folder, 'two.html'), renderComparison(exampleComparison(), pageParts()));
    writeFileSync(join(folder, 'three.html'), renderComparison(exampleComparison({third: true}), pageParts()));
    writeFileSync(join(folder, 'hostile.html'), renderComparison(exampleComparison({text: attack}), pageParts()));
    browser = await launchBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, {recursive: true, force: true});
  });

  /** The page opened from the disk, with all that it asked for and complained of. */
  async function open(name: string, {width, colorScheme}: (typeof looks)[number]) {
    const context = await browser.newContext({viewport: {width, height: 900}, colorScheme});
    const page = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(pathToFileURL(join(folder, name)).href);
    return {page, requests, complaints, close: () => context.close()};
  }

  describe.each(looks)('at $width px, $colorScheme', (look) => {
    it('asks for nothing, fits the screen, draws inside and has no accessibility violation', async () => {
      const name = 'three.html';
      const {page, requests, complaints, close} = await open(name, look);
      expect(requests).toEqual([pathToFileURL(join(folder, name)).href]);
      expect(complaints).toEqual([]);
      expect(await sideways(page)).toBe(0);
      expect(await strayMarks(page)).toEqual([]);
      expect(await strayTexts(page)).toEqual([]);
      expect(await smallTexts(page)).toEqual([]);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      const {violations} = await new AxeBuilder({page}).analyze();
      expect(violations.map(({id, nodes}) => `${id}: ${nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`)).toEqual([]);
      expect(await sideways(page)).toBe(0);
      await close();
    }, 60_000);
  });

  it('goes through the figures of the dumbbell by arrow keys and speaks them', async () => {
    const {page, close} = await open('two.html', looks[0]);
    await page.locator('#chart-differences-1 .plot').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('#spoken').textContent()).toMatch(/^TTFT mean −\d+ % \(−\d+ … −\d+\), .* → .*, better$/);
    expect(await page.locator('#chart-differences-1 .picked').count()).toBe(1);
    await close();
  });

  it('moves the reading lines over time together and reads every scenario', async () => {
    const {page, close} = await open('three.html', looks[0]);
    await page.locator('#chart-time-running .plot').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('#spoken').textContent()).toMatch(/^time .*, slow [\d.]+, fast [\d.]+, slower [\d.]+$/);
    expect(await page.locator('#over-time .reading[visibility=visible]').count()).toBe(3);
    await close();
  });

  it('reads the share of each scenario at a latency', async () => {
    const {page, close} = await open('two.html', looks[0]);
    await page.locator('#chart-distribution-ttft .plot').focus();
    await page.keyboard.press('End');
    expect(await page.locator('#spoken').textContent()).toMatch(/^time .*, slow 100 %, fast 100 %$/);
    await close();
  });

  it('runs nothing that a scenario says', async () => {
    const {page, complaints, close} = await open('hostile.html', looks[0]);
    expect(await page.locator('img').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });
});

/** How far the page is wider than the screen, px. */
function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Marks whose box on the screen leaves the plot by more than their own stroke. */
function strayMarks(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('figure.chart')].flatMap((figure) => {
      const plot = figure.querySelector('.plot-svg')!.getBoundingClientRect();
      return [...figure.querySelectorAll('.plot-svg path, .plot-svg rect, .plot-svg circle, .goal line, .interval')].flatMap((mark) => {
        const box = mark.getBoundingClientRect();
        const slack = 10;
        const inside =
          box.left >= plot.left - slack &&
          box.right <= plot.right + slack &&
          box.top >= plot.top - slack &&
          box.bottom <= plot.bottom + slack;
        return inside ? [] : [`${figure.id} ${mark.getAttribute('class')}`];
      });
    }),
  );
}

/** Texts of charts that leave the screen. */
function strayTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.plot-svg text')]
      .filter((text) => getComputedStyle(text).display !== 'none')
      .filter((text) => text.getBoundingClientRect().right > innerWidth || text.getBoundingClientRect().left < 0)
      .map((text) => text.textContent!),
  );
}

/** Elements with text below 12 px. */
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
