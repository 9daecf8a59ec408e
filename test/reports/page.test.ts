import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {beforeAll, describe, expect, it} from 'vitest';
import {renderReport} from '../../reports/index.js';
import type {PageParts} from '../../reports/page/document.js';
import type {Report} from '../../src/sim/scenario/result.js';
import {exampleReport} from '../support/example-report.js';
import {pageParts} from '../support/page-parts.js';

const attack = '</script><img src=x onerror=alert(1)>';
let parts: PageParts;
let page: string;
beforeAll(() => {
  parts = pageParts();
  page = renderReport(exampleReport(), parts);
});

describe('a page', () => {
  it('allows its own script and styles by their hashes, data images, and nothing else', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)![1]!;
    const hashes = (tag: string) =>
      [...page.matchAll(new RegExp(`<${tag}(?: id="[\\w-]+")?>([\\s\\S]*?)</${tag}>`, 'g'))].map(
        ([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`,
      );
    expect(hashes('script')).toHaveLength(1);
    expect(hashes('style')).toHaveLength(2);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${hashes('style').join(' ')}`,
      `script-src ${hashes('script').join(' ')}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('loads nothing: every address in it is a place in the page, a file beside it, or the name of SVG', () => {
    const addresses = [...page.matchAll(/\b(?:src|href|action|data|poster)="([^"]*)"/g)].map(([, to]) => to!);
    expect(addresses.filter((to) => !/^#[\w-]+$|^[\w-]+\.csv$/.test(to))).toEqual([]);
    expect([...page.matchAll(/https?:\/\/[^\s"'`)<]+/g)].map(([url]) => url).filter((url) => url !== 'http://www.w3.org/2000/svg')).toEqual(
      [],
    );
    expect(page).not.toMatch(/@import|url\(|style="/);
  });

  it('is the same bytes every time, and holds no path of a machine', () => {
    expect(renderReport(exampleReport(), parts)).toBe(page);
    expect(page).not.toMatch(/\/(?:home|Users|work|tmp|root)\//);
  });

  it('has every id once, one h1, and a target for every link within it', () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!);
    expect(new Set(ids).size).toBe(ids.length);
    expect(page.match(/<h1\b/g)).toHaveLength(1);
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(id);
  });

  it('carries a script below 40 kB', () => {
    expect(parts.script.length).toBeLessThan(40_000);
  });

  it('refuses a script that would end its own element', () => {
    expect(() => renderReport(exampleReport(), {...parts, script: 'x="</script>"'})).toThrow('the page script contains');
  });

  it('stays below 1 MB with 20,000 requests and 2,000 intervals', () => {
    expect(renderReport(exampleReport({requests: 20_000, rows: 2000}), parts).length).toBeLessThan(1e6);
  });
});

describe('texts of a scenario', () => {
  it.each([attack, '"onmouseover="alert(1)', "'; alert(1)//", ']]>&amp;<!--'])('are shown as they are: %s', (text) => {
    const hostile = renderReport(exampleReport({text}), parts);
    const entities: Record<string, string> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'};
    const shown = text.replace(/[&<>"']/g, (c) => entities[c]!);
    expect(hostile).toContain(`<h1>${shown}</h1>`);
    expect(hostile).toContain(`<title>${shown} · tiercast</title>`);
    // The same tags and attributes as with harmless texts: nothing in the text became markup.
    const skeleton = (html: string) => html.match(/<\/?[a-z][\w-]*(?=[\s>/])|\s[a-z-]+=(?=")/gi)!.join('');
    expect(skeleton(hostile)).toBe(skeleton(renderReport(exampleReport({text: 'x'}), parts)));
  });

  it('cannot name a tier, a file or a path into the markup', () => {
    const report = exampleReport();
    const {document} = report;
    const memories = {[attack]: document.plan.memories['hbm']!};
    const changed: Report = {
      ...report,
      document: {
        ...document,
        plan: {...document.plan, memories},
        tiers: {[attack]: document.tiers['hbm']!},
        hits: {...document.hits, by_tier_tokens: {[attack]: 1}},
        files: {...document.files, requests: attack, timeline: 'javascript:alert(1)'},
      },
    };
    const hostile = renderReport(changed, parts);
    expect(hostile).not.toContain('<img');
    expect(hostile).not.toMatch(/href="javascript/);
    expect(hostile.match(/<script\b/g)!.length).toBe(hostile.match(/<\/script>/g)!.length);
  });
});

describe('a report without', () => {
  it('any finished request says so in place of its charts', () => {
    const empty = renderReport(emptied(exampleReport({requests: 0, rows: 0})), parts);
    expect(empty).toContain('No request finished, so there is no latency to show.');
    expect(empty).toContain('Nothing ran, so there is nothing to show over time.');
    expect(empty).toContain('No step ran');
    expect(empty).toContain('No prompt was looked up');
    expect(empty).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('panels that the scenario does not name shows the others, in the order of the page', () => {
    const report = exampleReport();
    const some = {...report, document: {...report.document, scenario: {report: {panels: ['hits', 'memory']}}}};
    expect([...renderReport(some, parts).matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['memory', 'hits']);
    const one = {...report, document: {...report.document, scenario: {report: {panels: 'hits'}}}};
    expect(renderReport(one, parts).match(/<section id="/g)).toHaveLength(1);
  });
});

function emptied(report: Report): Report {
  const {document} = report;
  return {...report, document: {...document, time: {...document.time, busy_s: 0}, hits: {...document.hits, computed_tokens: 0}}};
}

it('only the escaping template makes markup: raw() takes what this program wrote, in one place', () => {
  const users = readdirSync('reports', {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.ts') && /\braw\(/.test(readFileSync(`reports/${name}`, 'utf8')))
    .sort();
  expect(users).toEqual(['markup.ts', 'page/document.ts']);
});
