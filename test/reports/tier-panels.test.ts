import {describe, expect, it} from 'vitest';
import {loadOrCompute} from '../../reports/panels/load-or-compute.js';
import {prefetch} from '../../reports/panels/prefetch.js';
import {wear} from '../../reports/panels/wear.js';
import type {Report} from '../../src/sim/scenario/result.js';
import {exampleReport} from '../support/example-report.js';
import {elements, figureOf} from '../support/svg.js';

const report = exampleReport({tiers: true});
const plain = exampleReport();
const changed = (change: Partial<Report['document']>): Report => ({...report, document: {...report.document, ...change}});
const segments = (figure: string) => elements(figure, 'rect').filter((rect) => 'data-item' in rect);

it('what is about memories below is on pages with such memories only', () => {
  for (const panel of [prefetch, wear, loadOrCompute]) {
    expect(panel.applies!(plain)).toBe(false);
    expect(panel.applies!(report)).toBe(true);
  }
});

describe('prefetches', () => {
  it('draws what was useful, late and wasted as parts of what was prefetched: 6, 1 and 3 of 10 GiB', () => {
    const figure = figureOf(prefetch.render(report).text, 'prefetch-dram');
    expect(segments(figure).map(({class: name, width}) => [name, Number(width)])).toEqual([
      ['segment s3', 600],
      ['segment s5', 100],
      ['segment s2', 300],
    ]);
    expect(figure).toContain('10 GiB were prefetched from DRAM: 60 % useful, 10 % late, 30 % wasted');
  });

  it('says what they hid and what they cost, from the run without them: the wait for loads from 20 to 4 ms', () => {
    const figure = figureOf(prefetch.render(report).text, 'prefetch-worth');
    expect(figure).toContain('wait for loads −80 %');
    expect(figure).toContain('bytes read +5.3 %');
    expect(figure).toContain('20 ms → 4 ms');
  });

  it('counts without a run beside, and is on the page when nothing was fetched but asked for', () => {
    expect(prefetch.title(report)).toBe(
      'Prefetch session is worth TTFT p95 −8.6 %; 60 % of 20 GiB that were prefetched were used in time.',
    );
    const {prefetch: _gone, ...document} = report.document;
    expect(prefetch.title({...report, document})).toBe('60 % of 20 GiB that were prefetched were used in time.');
    const tiers = {...report.document.tiers};
    for (const name of ['dram', 'ssd']) tiers[name] = {...tiers[name]!, moved_bytes: {load: 1, write: 1}};
    expect(prefetch.applies!(changed({tiers}))).toBe(true);
    expect(prefetch.render(changed({tiers})).text).not.toContain('chart-prefetch-dram');
  });
});

describe('wear', () => {
  const lasting = (years: number) => {
    const tiers = {...report.document.tiers};
    tiers['ssd'] = {...tiers['ssd']!, wear_years: years, endurance_bytes: 1000 * 2 ** 30};
    return changed({tiers});
  };

  it('draws a year of writes beside what may be written in all', () => {
    const figure = figureOf(wear.render(lasting(4)).text, 'wear-ssd');
    expect(segments(figure).map(({class: name, width}) => [name, Number(width)])).toEqual([
      ['segment s4', 250],
      ['segment s0', 750],
    ]);
    expect(figure).toContain('A year of this traffic writes 250 GiB to the SSD, 25 % of the 1,000 GiB that it endures');
    expect(wear.title(lasting(4))).toBe('The SSD lasts 4 years at this rate of writes.');
  });

  it('draws what is beyond the endurance apart, and says days where it is less than a year', () => {
    const figure = figureOf(wear.render(lasting(0.5)).text, 'wear-ssd');
    expect(segments(figure).map(({class: name, width}) => [name, Number(width)])).toEqual([
      ['segment s4', 500],
      ['segment s2', 500],
    ]);
    expect(figure).toContain('writes 2,000 GiB to the SSD, 2 times the 1,000 GiB that it endures'.replace('2,000 GiB', '1.95 TiB'));
    expect(wear.title(lasting(0.18))).toBe('The SSD lasts 66 days at this rate of writes.');
    expect(wear.title(lasting(365))).toBe('The SSD lasts more than 100 years at this rate of writes.');
  });
});

describe('load or compute', () => {
  it('says from where on a load is sooner, or that it never is', () => {
    expect(loadOrCompute.title(report)).toBe(
      'Loading a prefix from DRAM is sooner than computing it from 16 tokens on. Loading a prefix from the SSD is never sooner than computing it.',
    );
    expect(loadOrCompute.title(changed({break_even_tokens: {dram: 16, ssd: 16}}))).toBe(
      'Loading a prefix from DRAM or the SSD is sooner than computing it from 16 tokens on.',
    );
  });

  it('has a mark for each length, in the colours of the memories', () => {
    const text = loadOrCompute.render(report).text;
    expect(text.match(/data-item=/g)).toHaveLength(12);
    expect(text).toMatch(/line s1[\s\S]*line s3[\s\S]*line s4/);
    expect(text).toContain('load from DRAM:');
  });
});
