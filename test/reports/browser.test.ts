import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {AxeBuilder} from '@axe-core/playwright';
import type {Browser, Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {significant} from '../../reports/format.js';
import {renderReport} from '../../reports/index.js';
import {settled} from '../../reports/page/settled.js';
import type {Report} from '../../src/sim/scenario/result.js';
import {inBrowser, launchBrowser, noBrowser} from '../support/browser.js';
import {exampleReport} from '../support/example-report.js';
import {pageParts} from '../support/page-parts.js';

const folder = mkdtempSync(join(tmpdir(), 'tiercast-page-'));
const report = settled(exampleReport());
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
    writeFileSync(join(folder, 'page.html'), renderReport(report, pageParts()));
    writeFileSync(join(folder, 'small.html'), renderReport(exampleReport({requests: 40, rows: 12}), pageParts()));
    writeFileSync(
      join(folder, 'tiers.html'),
      renderReport(exampleReport({tiers: true, classes: true, requests: 40, rows: 12}), pageParts()),
    );
    writeFileSync(join(folder, 'hostile.html'), renderReport(hostile(), pageParts()));
    browser = await launchBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, {recursive: true, force: true});
  });

  /** The page opened from the disk, with all that it asked for and complained of. */
  async function open(name: string, {width, colorScheme}: (typeof looks)[number]) {
    const context = await browser.newContext({viewport: {width, height: 900}, colorScheme, acceptDownloads: true});
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
    let opened: Awaited<ReturnType<typeof open>>;
    let page: Page;
    beforeAll(async () => {
      opened = await open('page.html', look);
      page = opened.page;
    });
    afterAll(() => opened.close());

    it('asks for one file, itself, and complains of nothing', () => {
      expect(opened.requests).toEqual([pathToFileURL(join(folder, 'page.html')).href]);
      expect(opened.complaints).toEqual([]);
    });

    it('does not scroll sideways', async () => {
      const [wanted, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      expect(wanted).toBe(there);
    });

    it('follows the colour scheme', async () => {
      const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      expect(ground).toBe(look.colorScheme === 'dark' ? 'rgb(18, 21, 26)' : 'rgb(255, 255, 255)');
    });

    it('shows no text below 12 px', async () => {
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('body *')]
          .filter(
            (e) =>
              [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent!.trim() !== '') && !['SCRIPT', 'STYLE'].includes(e.tagName),
          )
          .filter((e) => Number.parseFloat(getComputedStyle(e).fontSize) < 12)
          .map((e) => e.outerHTML.slice(0, 80)),
      );
      expect(small).toEqual([]);
    });

    it('draws every mark inside of its plot', async () => expect(await strayMarks(page)).toEqual([]));

    it('draws no label over another within an axis', async () => expect(await overlappingLabels(page)).toEqual([]));

    it('draws latency and load where the data are', async () => {
      for (const [id, value, share] of await ringsOnScreen(page)) expect(share, `${id} at ${value}`).toBeCloseTo(value, 2);
      const running = await stepsOnScreen(page, '#chart-time-requests .marks .s1');
      const first = [...report.timeline.running.slice(0, 20)];
      for (const [i, value] of first.entries()) expect(Math.abs(running[i]! - value)).toBeLessThan(0.25);
    });

    it('has no accessibility violation, with every table open', async () => {
      const {page: small, close} = await open('small.html', look);
      await small.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      expect(await accessibilityFaults(small)).toEqual([]);
      const [wanted, there] = await small.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      expect(wanted).toBe(there);
      await close();
    }, 60_000);
  });

  describe('for who cannot see or does not use a mouse', () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let page: Page;
    beforeAll(async () => {
      opened = await open('page.html', looks[0]);
      page = opened.page;
    });
    afterAll(() => opened.close());

    const spoken = () => page.locator('#spoken').textContent();

    it('has no accessibility violation', async () => expect(await accessibilityFaults(page)).toEqual([]), 60_000);

    it('tells verdict, figures and percentiles through the accessibility tree', async () => {
      const tree = await page.locator('body').ariaSnapshot();
      const {ttft_s} = report.document.metrics;
      expect(tree).toContain(`heading "${report.document.title}" [level=1]`);
      expect(tree.replaceAll('\u00a0', ' ')).toContain(report.document.verdict[0]!.text);
      expect(tree).toContain(`cell "${Math.round(ttft_s.p95! * 1000)} ms"`);
      expect(tree).toMatch(/img "TTFT: half within \d+ ms, 95 % within \d+ ms/);
    });

    it('reaches the chart by Tab and speaks the values that the arrows move to', async () => {
      await page.locator('#latency .scroll').first().focus();
      const chart = page.locator('#chart-latency-ecdf .plot');
      for (let presses = 0; presses < 8 && !(await chart.evaluate((e) => e === document.activeElement)); presses++)
        await page.keyboard.press('Tab');
      expect(await chart.evaluate((e) => e === document.activeElement)).toBe(true);
      await page.keyboard.press('End');
      expect(await spoken()).toMatch(/^time 20 s, TTFT 100 %, TPOT 100 %, E2E 100 %$/);
      await page.keyboard.press('PageUp');
      expect(await spoken()).toMatch(/^time 20 s/); // the edge is the edge
      await page.keyboard.press('Home');
      expect(await spoken()).toBe('time 5 ms, TTFT 0 %, TPOT 0 %, E2E 0 %');
      await page.keyboard.press('ArrowRight');
      expect(await spoken()).not.toContain('time 5 ms');
    });

    it('moves the reading lines of all charts over time together', async () => {
      await page.locator('#chart-time-kv .plot').focus();
      await page.keyboard.press('Home');
      for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
      const {kv_hbm_bytes: held} = report.timeline;
      expect(await spoken()).toContain(`held by running requests ${(held[3]! / 2 ** 30).toPrecision(3)} GiB`);
      const places = await page
        .locator('#over-time .reading')
        .evaluateAll((lines) => lines.map((l) => Number.parseFloat(l.getAttribute('x1')!)));
      for (const place of places) expect(place).toBeCloseTo((report.timeline.time_s[3]! / 400) * 100, 3);
      expect(places).toHaveLength(3);
      await page.keyboard.press('Escape');
      expect(await page.locator('#over-time .reading[visibility=visible]').count()).toBe(0);
    });

    it('goes through the parts of a bar', async () => {
      await page.locator('#chart-memory-hbm .plot').focus();
      await page.keyboard.press('ArrowRight');
      expect(await spoken()).toBe('Weights 15.0 GiB, 18.8 % of HBM');
      expect(await page.locator('#chart-memory-hbm .picked').count()).toBe(1);
    });

    it('sorts a table by a header with Enter, and says so', async () => {
      const table = page.locator('#trust table').first();
      const header = table.locator('th button').nth(1);
      await header.focus();
      await page.keyboard.press('Enter');
      const order = await table.locator('tbody th').allTextContents();
      expect(order).toEqual(['host', 'attention.decode', 'linear']);
      expect(await table.locator('th[aria-sort=ascending]').count()).toBe(1);
      expect(await spoken()).toBe('sorted by share of busy time, ascending');
    });

    it('opens a table with Enter and shows what was drawn', async () => {
      await page.locator('#chart-hits-bounds summary').focus();
      await page.keyboard.press('Enter');
      const rows = await page.locator('#chart-hits-bounds table tbody tr').allTextContents();
      expect(rows).toHaveLength(4);
      expect(rows[0]).toBe('no cache0 %');
    });

    it('shows what a word means on focus', async () => {
      const word = page.locator('.term').first();
      expect(await word.locator('.definition').isVisible()).toBe(false);
      await word.focus();
      expect(await word.locator('.definition').isVisible()).toBe(true);
    });
  });

  describe('saves', () => {
    let opened: Awaited<ReturnType<typeof open>>;
    beforeAll(async () => {
      opened = await open('page.html', looks[0]);
    });
    afterAll(() => opened.close());

    async function saved(chart: string, what: string): Promise<string> {
      const [download] = await Promise.all([
        opened.page.waitForEvent('download'),
        opened.page.locator(`#chart-${chart} .tools button`, {hasText: what}).click(),
      ]);
      return readFileSync(await download.path(), 'utf8');
    }

    it('the drawn points of a chart as CSV', async () => {
      const lines = (await saved('time-requests', 'Save CSV')).trim().split('\r\n');
      expect(lines[0]).toBe('time_s,running,waiting');
      expect(lines).toHaveLength(1 + report.timeline.time_s.length);
      const [time, running] = lines[2]!.split(',').map(Number);
      expect(time).toBeCloseTo(report.timeline.time_s[1]!, 3);
      expect(running).toBeCloseTo(report.timeline.running[1]!, 3);
    });

    it('a chart as an SVG file that draws the same by itself', async () => {
      const svg = await saved('latency-ecdf', 'Save SVG');
      writeFileSync(join(folder, 'saved.svg'), svg);
      const {page, complaints, close} = await open('saved.svg', looks[0]);
      const colour = await page
        .locator('.line.s1')
        .first()
        .evaluate((e) => getComputedStyle(e).stroke);
      expect(colour).toBe('rgb(0, 114, 178)');
      expect(complaints).toEqual([]);
      await close();
    });
  });

  describe('lists the requests behind a chart', () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let page: Page;
    beforeAll(async () => {
      opened = await open('page.html', looks[0]);
      page = opened.page;
    });
    afterAll(() => opened.close());
    const told = () => page.locator('.chosen output').textContent();
    const listed = () => page.locator('.chosen tbody th').allTextContents();
    const {ttft, arrival, tpot} = report.sample;
    const rowsWith = (keep: (i: number) => boolean) => [...ttft.keys()].filter(keep);

    it('the slowest twentieth at first, slowest first, marked in every chart over time', async () => {
      const slowest = [...ttft.keys()].sort((a, b) => ttft[b]! - ttft[a]!).slice(0, 30);
      expect(await told()).toMatch(/^30 requests with TTFT from \d+ ms\.$/);
      expect(await listed()).toEqual(slowest.map(String));
      for (const chart of await page.locator('#over-time figure').all()) expect(await chart.locator('.rug line').count()).toBe(30);
    });

    it('those of a range that is dragged over the curves', async () => {
      await page.locator('#chart-latency-ecdf').scrollIntoViewIfNeeded();
      const box = (await page.locator('#chart-latency-ecdf .plot-svg').boundingBox())!;
      const {domain} = JSON.parse((await page.locator('#chart-latency-ecdf .chart-data').textContent())!).x as {domain: [number, number]};
      const x = (seconds: number) => box.x + (Math.log(seconds / domain[0]) / Math.log(domain[1] / domain[0])) * box.width;
      await page.mouse.move(x(0.3), box.y + 100);
      await page.mouse.down();
      await page.mouse.move(x(0.45), box.y + 120, {steps: 4});
      await page.mouse.up();
      const n = rowsWith((i) => ttft[i]! >= 0.3 && ttft[i]! <= 0.45).length;
      expect(await told()).toMatch(/requests with TTFT from (?:29\d|30\d) ms to 4[45]\d ms/);
      expect(Math.abs(Number.parseInt((await told())!, 10) - n)).toBeLessThanOrEqual(2);
    });

    it('those of a range that is written, by another metric', async () => {
      await page.locator('.chosen select').selectOption('tpot');
      await page.locator('.chosen .from').fill('0.015');
      await page.locator('.chosen .to').fill('0.02');
      await page.locator('.chosen .to').press('Enter');
      const n = rowsWith((i) => tpot[i]! >= 0.015 && tpot[i]! <= 0.02).length;
      expect(await told()).toBe(`${n} requests with TPOT from 15 ms to 20 ms${n > 50 ? '; the 50 slowest of them' : ''}.`);
    });

    it('those that came around a moment that is clicked', async () => {
      const plot = page.locator('#chart-time-requests .plot-svg');
      const {width, height} = (await plot.boundingBox())!;
      await plot.click({position: {x: width / 2, y: height / 2}});
      const n = rowsWith((i) => arrival[i]! >= 196 && arrival[i]! <= 204).length;
      expect(await told()).toContain('that came from 3.27 min to 3.4 min');
      expect(Math.abs(Number.parseInt((await told())!, 10) - n)).toBeLessThanOrEqual(1);
    });

    it('without a complaint', () => expect(opened.complaints).toEqual([]));
  });

  describe('looks closer at a part of the run', () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let page: Page;
    beforeAll(async () => {
      opened = await open('page.html', looks[0]);
      page = opened.page;
    });
    afterAll(() => opened.close());
    const ticks = (id: string) => page.locator(`#${id} .axis-x g text`).allTextContents();
    const shown = (id: string) => page.locator(`#${id} .marks`).evaluate((e) => e.getAttribute('viewBox')!.split(' ').map(Number));
    const {time_s: time} = report.timeline;
    const end = 2 * time.at(-1)! - time.at(-2)!;

    it('in all charts over time, when one of them is dragged over', async () => {
      await page.locator('#chart-time-requests').scrollIntoViewIfNeeded();
      const box = (await page.locator('#chart-time-requests .plot-svg').boundingBox())!;
      await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.5, box.y + 60, {steps: 4});
      await page.mouse.up();
      for (const id of ['chart-time-requests', 'chart-time-kv', 'chart-bounds-time']) {
        const [from, , width] = await shown(id);
        expect(Math.abs(from! - 250)).toBeLessThan(3);
        expect(Math.abs(width! - 250)).toBeLessThan(4);
        const values = (await ticks(id)).map(Number);
        expect(Math.min(...values) * (end > 600 ? 60 : 1)).toBeGreaterThanOrEqual(end * 0.24);
        expect(Math.max(...values)).toBeLessThanOrEqual(end * 0.51);
      }
      expect(await page.locator('.chosen output').textContent()).not.toContain('that came'); // a drag is no click
    });

    it('where the reading line has the values of that part', async () => {
      await page.locator('.zoom .from').fill(String(end / 2));
      await page.locator('.zoom .to').fill(String(end));
      await page.locator('.zoom .to').press('Enter');
      const box = (await page.locator('#chart-time-requests .plot-svg').boundingBox())!;
      await page.mouse.move(box.x + box.width / 2, box.y + 40);
      const told = (await page.locator('#chart-time-requests .tip').textContent())!;
      const row = time.findLastIndex((t) => t <= end * 0.75);
      expect(told).toContain(`running ${significant(report.timeline.running[row]!)}`);
    });

    it('marks only arrivals of that part, and says no to a part that is none', async () => {
      const marks = await page.locator('#chart-time-requests .rug line').count();
      expect(marks).toBeGreaterThan(0);
      expect(marks).toBeLessThan(30);
      await page.locator('.zoom .from').fill(String(2 * end));
      await page.locator('.zoom .from').press('Enter');
      expect((await shown('chart-time-kv'))[0]).toBeCloseTo(500, 0);
    });

    it('and at the whole of it again', async () => {
      await page.getByRole('button', {name: 'Whole run'}).click();
      expect(await shown('chart-time-kv')).toEqual([0, 0, 1000, 150]);
      expect(await page.locator('#chart-time-requests .rug line').count()).toBe(30);
      expect(opened.complaints).toEqual([]);
    });
  });

  it('shows one bound alone, from the foot of the chart, and all again', async () => {
    const {page, complaints, close} = await open('page.html', looks[0]);
    const chart = page.locator('#chart-bounds-time');
    const areas = chart.locator('.marks .area');
    const stacked = await areas.evaluateAll((all) => all.map((e) => e.getAttribute('d')));
    const compute = chart.getByRole('button', {name: 'compute'});
    await compute.click();
    expect(await compute.getAttribute('aria-pressed')).toBe('true');
    expect(
      await areas.evaluateAll((all) => all.filter((e) => e.getAttribute('visibility') !== 'hidden').map((e) => e.getAttribute('class'))),
    ).toEqual(['area s2']);
    const path = (await chart.locator('.marks .area.s2').getAttribute('d'))!;
    expect(path).toMatch(/^M0\.00,170V/);
    const [height] = /(?<=V)[\d.]+/.exec(path)!;
    const top = Math.max(
      1,
      ...report.timeline.bound_hbm_share.map(
        (v, i) =>
          v +
          report.timeline.bound_compute_share[i]! +
          report.timeline.bound_host_share[i]! +
          report.timeline.bound_launch_share[i]! +
          report.timeline.bound_link_share[i]!,
      ),
    );
    expect(Number(height)).toBeCloseTo(170 * (1 - report.timeline.bound_compute_share[0]! / top), 0);
    await compute.click();
    expect(await areas.evaluateAll((all) => all.map((e) => e.getAttribute('d')))).toEqual(stacked);
    expect(complaints).toEqual([]);
    await close();
  });

  it.each(looks)(
    'has no accessibility violation with tiers and classes, nor a mark outside, at $width px, $colorScheme',
    async (look) => {
      const {page, complaints, close} = await open('tiers.html', look);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await strayMarks(page)).toEqual([]);
      const [wanted, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      expect(wanted).toBe(there);
      expect(complaints).toEqual([]);
      await close();
    },
    60_000,
  );

  it('says at once what another price makes, and refuses one below 0', async () => {
    const {page, complaints, close} = await open('page.html', looks[0]);
    const result = page.locator('.own-price output');
    expect(await result.textContent()).toContain('$2.75 an hour, $0.33 per million output tokens');
    await page.getByLabel('Your price of a device').fill('5');
    expect(await result.textContent()).toContain('$5.25 an hour, $0.63 per million output tokens');
    await page.getByLabel('Your price of a device').fill('-1');
    expect(await result.textContent()).toBe('write a price of 0 or more');
    expect(complaints).toEqual([]);
    await close();
  });

  it('shows hostile names as text, in the page and in a saved SVG', async () => {
    const {page, requests, complaints, close} = await open('hostile.html', looks[0]);
    expect(await page.locator('h1').textContent()).toBe(attack);
    expect(await page.locator('img').count()).toBe(0);
    expect(requests).toHaveLength(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#memory .tools button', {hasText: 'Save SVG'}).first().click(),
    ]);
    const svg = readFileSync(await download.path(), 'utf8');
    expect(svg).toContain('&lt;/SCRIPT&gt;&lt;IMG SRC=X');
    expect(svg).not.toMatch(/<(?:img|script)/i);
    expect(complaints).toEqual([]);
    await close();
  });

  it('can be read without script', async () => {
    const context = await browser.newContext({javaScriptEnabled: false, viewport: {width: 1280, height: 900}});
    const page = await context.newPage();
    await page.goto(pathToFileURL(join(folder, 'page.html')).href);
    expect(await page.locator('#chart-latency-ecdf .plot-svg').isVisible()).toBe(true);
    await page.locator('#chart-latency-ecdf summary').click();
    expect(await page.locator('#chart-latency-ecdf table').isVisible()).toBe(true);
    await context.close();
  });

  it('prints every table open', async () => {
    const {page, close} = await open('page.html', looks[0]);
    await page.emulateMedia({media: 'print'});
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    for (const table of await page.locator('.as-table table').all()) expect(await table.isVisible()).toBe(true);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await page.locator('details[open]').count()).toBe(0);
    await close();
  });
});

/** A report whose names are all markup, that of the memory too, which stands in a chart. */
function hostile(): Report {
  const report = exampleReport({text: attack});
  const {plan} = report.document;
  return {...report, document: {...report.document, plan: {...plan, memories: {[attack]: plan.memories['hbm']!}}}};
}

/** What axe finds wrong, with the element. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  const {violations} = await new AxeBuilder({page}).analyze();
  return violations.map(({id, nodes}) => `${id}: ${nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`);
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
        return inside ? [] : [`${figure.id} ${mark.getAttribute('class')} ${JSON.stringify(box)}`];
      });
    }),
  );
}

/** Pairs of visible labels of one axis that overlap, and labels that leave the screen. */
function overlappingLabels(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.axis-x, .axis-y')].flatMap((axis) => {
      const labels = [...axis.querySelectorAll('text')].filter((t) => getComputedStyle(t).display !== 'none' && t.textContent !== '');
      const boxes = labels.map((t) => ({text: t.textContent!, box: t.getBoundingClientRect()}));
      const id = axis.closest('figure')!.id;
      const wrong = boxes.filter(({box}) => box.left < 0 || box.right > innerWidth).map(({text}) => `${id}: ${text} leaves the screen`);
      for (let i = 0; i < boxes.length; i++) {
        for (let j = i + 1; j < boxes.length; j++) {
          const [a, b] = [boxes[i]!.box, boxes[j]!.box];
          if (a.left < b.right && b.left < a.right && a.top < b.bottom - 2 && b.top < a.bottom - 2)
            wrong.push(`${id}: ${boxes[i]!.text} over ${boxes[j]!.text}`);
        }
      }
      return wrong;
    }),
  );
}

/** Per ring: its name, the share of the curve that it marks, and the share at which it stands on the screen. */
function ringsOnScreen(page: Page): Promise<[string, number, number][]> {
  return page.evaluate(() => {
    const svg = document.querySelector('#chart-latency-ecdf .plot-svg')!.getBoundingClientRect();
    return [...document.querySelectorAll('#chart-latency-ecdf circle')].map((ring, i) => {
      const box = ring.getBoundingClientRect();
      return [`ring ${i}`, [0.5, 0.95, 0.99][i % 3]!, 1 - ((box.top + box.bottom) / 2 - svg.top) / svg.height] as [string, number, number];
    });
  });
}

/** Heights of the first steps of a line on the screen, in the units of its y axis. */
function stepsOnScreen(page: Page, selector: string): Promise<number[]> {
  return page.evaluate((path) => {
    const line = document.querySelector<SVGPathElement>(path)!;
    const svg = line.closest('.plot-svg')!;
    const ticks = [...svg.querySelectorAll('.axis-y text:not(.axis-title)')].map((t) => ({
      value: Number(t.textContent),
      y: Number(t.getAttribute('y')),
    }));
    const [low, high] = [ticks[0]!, ticks.at(-1)!];
    const frame = svg.getBoundingClientRect();
    const matrix = line.getScreenCTM()!;
    const d = line.getAttribute('d')!;
    const heights = [...d.matchAll(/[MV]([\d.]+)(?:,([\d.]+))?/g)].map(([, a, b]) => Number(b ?? a));
    return heights.slice(0, 20).map((y) => {
      const onScreen = matrix.d * y + matrix.f - frame.top;
      return low.value + ((low.y - onScreen) / (low.y - high.y)) * (high.value - low.value);
    });
  }, selector);
}
