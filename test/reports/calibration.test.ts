import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {AxeBuilder} from '@axe-core/playwright';
import type {Browser} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {samplesByKernel} from '../../calibrate/fit-tables.js';
import {loadTable} from '../../calibrate/load.js';
import {calibrationDocument} from '../../calibrate/show/document.js';
import {measuredKernels} from '../../calibrate/show/measured.js';
import {readSubject} from '../../calibrate/show/subject.js';
import {renderCalibration} from '../../reports/calibration/index.js';
import {inBrowser, launchBrowser, noBrowser} from '../support/browser.js';
import {exampleProfile} from '../support/example-calibration.js';
import {pageParts} from '../support/page-parts.js';

const folder = mkdtempSync(join(tmpdir(), 'tiercast-calibration-page-'));
afterAll(() => rmSync(folder, {recursive: true, force: true}));
const attack = '</script><img src=x onerror=alert(1)>';
const table = 'scenarios/examples/synthetic-gemm.csv';

/** The page of the example, with its measured rows or without. */
async function pageOf(name: string | undefined, withData: boolean): Promise<string> {
  const path = join(folder, 'toy.profile.json');
  writeFileSync(path, JSON.stringify(exampleProfile(name)));
  const subject = await readSubject(path);
  const groups = withData ? samplesByKernel([loadTable(table)], subject.device) : [];
  const tables = withData ? {files: [name ?? table], groups, kernels: measuredKernels(groups, subject)} : null;
  return renderCalibration(calibrationDocument(subject, tables), pageParts());
}

const text = (page: string) =>
  page
    .replace(/<(script|style)[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\u00a0/g, ' ')
    .replace(/\s+/g, ' ');

describe('the page of a calibration', async () => {
  const stored = await pageOf(undefined, false);
  const dotted = await pageOf(undefined, true);

  it('begins with the grade and why', () => {
    expect(text(stored)).toContain('Grade B: made by hand; worst kernel: gemm.fp8 of Toy accelerator.');
  });

  it('reads the stored interval of measured/predicted as errors of the prediction: 0.8 … 1.25 is −20 % … +25 %', () => {
    expect(text(stored)).toContain('gemm.bf16 −20.0 % … +25.0 %');
  });

  it('without tables shows the errors of cross-validation, and says how to get the dots', () => {
    expect(text(stored)).toContain('Cross-validated mean errors lie between 2.0 % and 8.0 %.');
    expect(text(stored)).toContain('With --data and the kernel tables');
    expect(stored).not.toContain('id="chart-predicted-gemm.bf16"');
  });

  it('with tables draws each held-out row, and the measured rows below the roof', () => {
    expect(text(dotted)).toContain('gemm.bf16 measured, 225 of 225');
    expect(dotted).toContain('id="chart-predicted-gemm.bf16"');
    expect(dotted).not.toContain('id="chart-predicted-stored"');
  });

  it('draws a roofline for each format, a chart for the memory and one for each kind of link', () => {
    const charts = [...stored.matchAll(/data-chart="([^"]+)"/g)].map(([, id]) => id);
    expect(charts).toEqual([
      'roofline-bf16',
      'roofline-fp8',
      'predicted-stored',
      'bandwidth-memory',
      'bandwidth-all_reduce.nccl',
      'errors',
    ]);
  });

  it('leaves out what a profile without fits does not hold', async () => {
    const page = renderCalibration(calibrationDocument(await readSubject('mi300x'), null), pageParts());
    expect(page).not.toContain('data-chart=');
    expect(text(page)).toContain('All figures are stated, none fitted.');
    expect(text(page)).toContain('Where there is no fit');
  });

  it('lists dropped rows by reason', () => {
    expect(text(stored)).toContain('4 fits come from 2 sources; 7 rows were dropped.');
    expect(text(stored)).toContain('gemm.bf16 7 faster than the memory allows, says Toy accelerator');
  });

  it('is the same bytes for the same profile', async () => expect(await pageOf(undefined, true)).toBe(dotted));
});

describe.skipIf(noBrowser)(inBrowser, () => {
  let browser: Browser;
  beforeAll(async () => {
    writeFileSync(join(folder, 'page.html'), await pageOf(undefined, true));
    writeFileSync(join(folder, 'stored.html'), await pageOf(undefined, false));
    writeFileSync(join(folder, 'hostile.html'), await pageOf(attack, true));
    browser = await launchBrowser();
  }, 60_000);
  afterAll(() => browser?.close());

  async function open(name: string, width: number, colorScheme: 'light' | 'dark') {
    const context = await browser.newContext({viewport: {width, height: 900}, colorScheme});
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
    ['page.html', 1280, 'light'],
    ['page.html', 375, 'dark'],
    ['stored.html', 1280, 'dark'],
    ['stored.html', 375, 'light'],
  ] as const)(
    '%s at %i px, %s: one request, nothing sideways, nothing cut at the left, no text below 12 px, no accessibility fault',
    async (name, width, scheme) => {
      const {page, seen, close} = await open(name, width, scheme);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      const [wanted, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      expect(wanted).toBe(there);
      expect(await page.evaluate(outOfSight)).toEqual([]);
      expect(await page.evaluate(smallTexts)).toEqual([]);
      const {violations} = await new AxeBuilder({page}).analyze();
      expect(violations.map(({id, nodes}) => `${id}: ${nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`)).toEqual([]);
      expect(seen).toHaveLength(1);
      await close();
    },
    120_000,
  );

  it('puts marks where their rates are: twice the rows are twice the FLOP a byte and nearly twice the FLOP/s, on log axes', async () => {
    const {page, close} = await open('stored.html', 1280, 'light');
    const marks = page.locator('#chart-roofline-bf16 [data-item] .form');
    const boxes = await Promise.all([0, 1, 2].map(async (i) => (await marks.nth(i).boundingBox())!));
    const [a, b, c] = boxes.map(({x, y, width, height}) => [x + width / 2, y + height / 2] as const);
    expect((c![0] - b![0]) / (b![0] - a![0])).toBeCloseTo(1, 1);
    expect((c![1] - b![1]) / (b![1] - a![1])).toBeCloseTo(1, 1);
    await close();
  });

  it('draws held-out rows as far from the diagonal as they are off', async () => {
    const {page, close} = await open('page.html', 1280, 'light');
    const {errors, title} = await page.evaluate(() => {
      const figure = document.querySelector('[data-chart="predicted-gemm.bf16"]')!;
      const items = JSON.parse(figure.querySelector('.chart-data')!.textContent!).items as {value: number}[];
      const marks = [...figure.querySelectorAll('[data-item]')].map((mark, i) => {
        const place = mark.parentElement!;
        return {x: Number.parseFloat(place.getAttribute('x')!) * 10, y: Number(place.getAttribute('y')), log: Math.log(items[i]!.value)};
      });
      const sorted = [...marks].sort((a, b) => a.y - b.y);
      const [top, bottom] = [sorted[0]!, sorted.at(-1)!];
      const pixels = (bottom.y - top.y) / (top.log - bottom.log);
      const [from, to] = figure
        .querySelector('.marks .front')!
        .getAttribute('d')!
        .match(/[\d.-]+,[\d.-]+/g)!
        .map((pair) => pair.split(',').map(Number));
      const diagonal = (x: number) => from![1]! + ((to![1]! - from![1]!) * (x - from![0]!)) / (to![0]! - from![0]!);
      return {
        errors: marks.map(({x, y}) => Math.abs(Math.exp((diagonal(x) - y) / pixels) - 1)),
        title: figure.querySelector('figcaption')!.textContent!,
      };
    });
    expect(errors).toHaveLength(225);
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    expect(title.replaceAll('\u00a0', ' ')).toBe('gemm.bf16: mean error 5.2 % over 225 held-out rows');
    expect(mean).toBeCloseTo(0.052, 3);
    await close();
  });

  it('saves the chart, not a sign of its legend, as SVG', async () => {
    const {page, close} = await open('stored.html', 1280, 'light');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#chart-roofline-bf16 button', {hasText: 'Save SVG'}).click(),
    ]);
    const saved = readFileSync((await download.path())!, 'utf8');
    expect(saved).toContain('FLOP per byte');
    expect(saved.match(/data-item/g)).toHaveLength(3);
    await close();
  });

  it('goes through the marks by arrow keys, and speaks them', async () => {
    const {page, close} = await open('stored.html', 1280, 'light');
    await page.locator('#chart-roofline-bf16 .plot').focus();
    await page.keyboard.press('ArrowRight');
    // 2 × 4096² FLOP in 26.8 µs.
    expect(await page.locator('#spoken').textContent()).toBe('gemm.bf16: 1.25 TFLOP/s, FLOP per byte 1, m 1, n 4096, k 4096');
    await page.locator('#chart-errors .plot').focus();
    await page.keyboard.press('Home');
    expect((await page.locator('#spoken').textContent())!.replaceAll('\u00a0', ' ')).toBe(
      'gemm.bf16: bias +0.4 %, 80 % between −20.0 % and +25.0 %, 225 points',
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
    expect(await page.locator('#chart-roofline-bf16 .plot-svg').isVisible()).toBe(true);
    expect(await page.locator('#coverage tbody tr').first().textContent()).toContain('measured');
    await context.close();
  });
});

function smallTexts(): string[] {
  return [...document.querySelectorAll('body *')]
    .filter(
      (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent!.trim() !== '') && !['SCRIPT', 'STYLE'].includes(e.tagName),
    )
    .filter((e) => Number.parseFloat(getComputedStyle(e).fontSize) < 12)
    .map((e) => e.outerHTML.slice(0, 80));
}

/** Texts of charts that begin left of the page or of their figure. */
function outOfSight(): string[] {
  return [...document.querySelectorAll('.plot-svg text')].flatMap((label) => {
    const [box, figure] = [label.getBoundingClientRect(), label.closest('figure, li')!.getBoundingClientRect()];
    return box.width > 0 && (box.left < figure.left - 1 || box.right > figure.right + 1) ? [label.textContent!] : [];
  });
}
