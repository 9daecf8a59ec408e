import {describe, expect, it} from 'vitest';
import {count} from '../../reports/format.js';
import {settled} from '../../reports/page/settled.js';
import {panels} from '../../reports/panels/index.js';
import {needs} from '../../reports/panels/panel.js';
import {verdict} from '../../reports/panels/verdict.js';
import {type PanelName, panelNames, type Report} from '../../src/sim/scenario/result.js';
import {exampleReport} from '../support/example-report.js';
import {expectGolden} from '../support/golden.js';
import {corners, elements, figureOf, paths} from '../support/svg.js';

const example = settled(exampleReport({requests: 40, rows: 12}));
const panel = (name: PanelName) => panels[name];
const drawn = (name: PanelName, report: Report = example) => panel(name).render(report).text;

/** The report with parts of its document replaced. */
function withDocument(change: Partial<Report['document']>, report: Report = example): Report {
  return {...report, document: {...report.document, ...change}};
}

describe.each(panelNames)('%s', (name) => {
  const p = panel(name);
  // Panels about tiers are on pages with tiers only.
  const tiers = !(p.applies?.(exampleReport()) ?? true);
  const example = settled(exampleReport({requests: 40, rows: 12, tiers}));

  it('is drawn as it was', () => {
    expectGolden(`reports/${name}.html`, `<h2>${p.title(example)}</h2>\n${p.render(example).text}\n`);
  });

  it('has a title that is a sentence', () => {
    expect(p.title(example)).toMatch(/^(?:[A-Z\d]|tiercast ).*\.$/);
  });

  it.each([
    ['one request', exampleReport({requests: 1, rows: 1, tiers})],
    ['no goal', exampleReport({goals: false, tiers})],
  ])('renders a report of %s without unknown numbers', (_what, report) => {
    for (const need of p.needs) expect(needs[need].met(report)).toBe(true);
    expect(`${p.title(report)}${p.render(report).text}`).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });

  it('gives every figure the parts of a chart: a sentence, a description, data and a table', () => {
    for (const [figure] of p.render(example).text.matchAll(/<figure[\s\S]*?<\/figure>/g)) {
      expect(figure).toMatch(/<figcaption>[^<]{8,}<\/figcaption>/);
      expect(figure).toMatch(/role="img" aria-label="[^"]{8,}"/);
      expect(figure).toMatch(/<summary>Show as table<\/summary>/);
      expect(() => JSON.parse(/class="chart-data">([\s\S]*?)<\/script>/.exec(figure)![1]!)).not.toThrow();
    }
  });
});

describe('verdict', () => {
  it('is drawn as it was', () => expectGolden('reports/verdict.html', `${verdict(example).text}\n`));

  it('shows at most five figures', () => {
    expect(verdict(example).text.match(/<dt>/g)!.length).toBeLessThanOrEqual(5);
  });

  it('says whether it fits: a thin bar a memory with its parts, and the longest request', () => {
    const {plan} = example.document;
    const text = verdict(example).text;
    const bar = /<div class="fits">[\s\S]*?<\/div>/.exec(text)![0];
    expect(bar).toContain(`<strong>It fits.</strong> One request may use up to ${count(plan.max_context_tokens)} tokens.`);
    const {weights_bytes: weights, size_bytes: size} = plan.memories['hbm']!;
    expect(Number.parseFloat(elements(bar, 'rect')[0]!['width']!)).toBeCloseTo((100 * weights) / size, 1);
    expect(verdict(withDocument({plan: {...plan, kv_blocks: 0}})).text).toContain('<strong>It does not fit.</strong> No room is left');
  });

  it('marks a missed goal and an overload', () => {
    const {slo, load} = example.document;
    expect(verdict(withDocument({slo: {...slo, meets: false}})).text).toContain('mark bad');
    expect(verdict(withDocument({load: {...load, overloaded: true}})).text).toContain('mark bad');
    expect(verdict(withDocument({slo: {...slo, meets: null}})).text).not.toContain('class="mark');
  });

  it('says where a p95 is above its goal', () => {
    const {slo} = example.document;
    expect(verdict(withDocument({slo: {...slo, ttft_s: 0.01}})).text).toContain('above the goal, 10\u00a0ms');
    expect(verdict(example).text).not.toContain('above the goal');
  });
});

describe('memory', () => {
  it('draws every part as wide as its bytes', () => {
    const m = example.document.plan.memories['hbm']!;
    const rects = elements(figureOf(drawn('memory'), 'memory-hbm'), 'rect').filter(
      (r) => r['class']!.startsWith('segment') && 'data-item' in r,
    );
    const want = [m.weights_bytes, m.overhead_bytes, m.kv_bytes, m.free_bytes, m.size_bytes - m.usable_bytes].filter((v) => v > 0);
    expect(rects).toHaveLength(want.length);
    let from = 0;
    rects.forEach((rect, i) => {
      expect(Number(rect['x'])).toBeCloseTo((from / m.size_bytes) * 1000, 1);
      expect(Number(rect['width'])).toBeCloseTo((want[i]! / m.size_bytes) * 1000, 1);
      from += want[i]!;
    });
    expect(from).toBe(m.size_bytes);
  });

  it('says when blocks were measured or capped, and what would have been derived', () => {
    const report = withDocument({plan: {...example.document.plan, blocks_from: 'measured', derived_blocks: 12_345}});
    expect(panel('memory').title(report)).toContain('a measured number');
    expect(drawn('memory', report)).toContain('Derived would be 12,345 blocks');
  });
});

describe('moved', () => {
  const text = drawn('moved', settled(exampleReport({tiers: true})));
  const figure = figureOf(text, 'moved-flows');

  it('draws each flow between its memories, as thick as its bytes', () => {
    const bands = elements(figure, 'rect').filter((rect) => 'data-item' in rect);
    // 200 GiB down, 30 GiB up and 6, 1 and 3 ahead, of DRAM, then of the SSD: whose loads pass DRAM by. 2 px are the least.
    expect(bands.map(({height}) => Number(height))).toEqual([44, 6.6, 2, 2, 2, 44, 6.6, 2, 2, 2]);
    expect(bands.map(({x, width}) => [Number(x), Number(x) + Number(width)])).toEqual([
      ...Array(5).fill([16, 492]),
      [508, 984],
      ...Array(4).fill([16, 984]),
    ]);
    expect(figure).toContain(
      'write HBM to DRAM 200 GiB, load DRAM to HBM 30 GiB, prefetch useful DRAM to HBM 6 GiB, prefetch late DRAM to HBM 1 GiB, prefetch wasted DRAM to HBM 3 GiB, write DRAM to SSD 200 GiB, load SSD to HBM 30 GiB',
    );
  });

  it('says when nothing moved', () => {
    const report = settled(exampleReport({tiers: true}));
    const still = Object.entries(report.document.tiers).map(([name, tier]) => [
      name,
      {...tier, moved_bytes: tier.moved_bytes && {load: 0, write: 0}},
    ]);
    expect(drawn('moved', withDocument({tiers: Object.fromEntries(still)}, report))).toContain('Nothing moved between the memories');
  });
});

describe('requests behind the curves', () => {
  it('are all on the page when they are few, and the slowest by each metric when they are many', () => {
    const rows = (report: Report) => JSON.parse(/class="chosen-data">([\s\S]*?)<\/script>/.exec(drawn('latency', report))![1]!);
    expect(rows(example).columns.id.n).toHaveLength(40);
    const many = settled(exampleReport({requests: 5000}));
    const chosen = rows(many);
    expect(chosen.all).toBe(5000);
    expect(chosen.columns.id.n.length).toBeLessThanOrEqual(3000);
    const slowest = [...many.sample.ttft.keys()].sort((a, b) => many.sample.ttft[b]! - many.sample.ttft[a]!).slice(0, 1000);
    for (const row of slowest) expect(chosen.columns.id.n).toContain(row);
  });
});

describe('latency', () => {
  const figure = figureOf(drawn('latency'), 'latency-ecdf');
  const {domain} = JSON.parse(/class="chart-data">([\s\S]*?)<\/script>/.exec(figure)![1]!).x;
  const [low, high] = domain as [number, number];
  const at = (x: number) => low * (high / low) ** (x / 1000);

  it('draws every request of the sample at its latency and its share', () => {
    const lines = paths(figure, 'line').filter((d) => d.includes('V'));
    expect(lines).toHaveLength(3);
    (['ttft', 'tpot', 'e2e'] as const).forEach((column, i) => {
      const sorted = example.sample[column].filter((v) => !Number.isNaN(v)).sort();
      // Every rise of the curve is one request: its foot at the share before, its head at its own.
      const points = corners(lines[i]!);
      const rises = points.filter((p, k) => k > 0 && p.y !== points[k - 1]!.y);
      expect(rises).toHaveLength(sorted.length);
      rises.forEach((p, k) => {
        expect(at(p.x) / sorted[k]!).toBeCloseTo(1, 3);
        expect(1 - p.y / 300).toBeCloseTo((k + 1) / sorted.length, 4);
      });
    });
  });

  it('stands the goal lines at the goals', () => {
    const goals = elements(figure, 'line').filter((l) => l['x1'] === l['x2'] && l['y1'] === '0');
    expect(goals.map((l) => Number(at(Number.parseFloat(l['x1']!) * 10).toPrecision(3)))).toEqual([0.5, 0.05]);
  });

  it('puts p50, p95 and p99 where the document says', () => {
    const rings = elements(figure, 'circle').map((c) => ({value: at(Number.parseFloat(c['cx']!) * 10), share: 1 - Number(c['cy']) / 300}));
    const {ttft_s: m} = example.document.metrics;
    [m.p50!, m.p95!, m.p99!].forEach((p, i) => {
      expect(rings[i]!.value / p).toBeCloseTo(1, 3);
      expect(rings[i]!.share).toBeCloseTo([0.5, 0.95, 0.99][i]!, 4);
    });
  });

  it('draws the percentiles of the document when there is no sample of requests', () => {
    const empty = Object.fromEntries(Object.keys(example.sample).map((k) => [k, new Float64Array(0)])) as unknown as Report['sample'];
    const text = drawn('latency', {...example, sample: empty});
    expect(text).toContain('chart-latency-ecdf');
    expect(text).toContain('Only these percentiles are known');
  });
});

describe('over time', () => {
  it('is drawn of runs with memories that the timeline has no column for', () => {
    const report = settled(exampleReport({requests: 4, rows: 4, tiers: true}));
    const {plan} = report.document;
    const memories = {...plan.memories, 'page-cache': plan.memories['dram']!};
    const cached = withDocument({plan: {...plan, memories, tiers: {...plan.tiers, 'page-cache': plan.tiers['dram']!}}}, report);
    expect(drawn('over-time', cached)).toContain('What DRAM holds');
    expect(drawn('over-time', cached)).not.toContain('PAGE-CACHE holds');
  });

  const text = drawn('over-time');
  const {timeline} = example;
  const end = 400;

  it('draws each interval at its time and its value', () => {
    const [running, waiting] = paths(figureOf(text, 'time-requests'), 'line').filter((d) => d.startsWith('M0,') && !d.includes('H28'));
    const top = 30;
    for (const [path, values] of [
      [running!, timeline.running],
      [waiting!, timeline.waiting],
    ] as const) {
      const points = corners(path);
      values.forEach((value, i) => {
        const {x, y} = points[2 * i]!;
        expect((x / 1000) * end).toBeCloseTo(timeline.time_s[i]!, 1);
        expect((1 - y / 150) * top).toBeCloseTo(value, 1);
      });
    }
  });

  it('stacks what is kept for reuse on what is held, in bytes', () => {
    const [held, cached] = paths(figureOf(text, 'time-kv'), 'area');
    const value = (y: number) => (1 - y / 150) * 60 * 2 ** 30;
    timeline.kv_hbm_bytes.forEach((bytes, i) => {
      expect(value(corners(held!)[2 * i]!.y) / bytes).toBeCloseTo(1, 2);
      expect(value(corners(cached!)[2 * i]!.y) / (bytes + timeline.kv_cached_bytes[i]!)).toBeCloseTo(1, 2);
    });
  });

  it('joins many rows into intervals whose means are those of the rows', () => {
    const long = exampleReport({rows: 1000});
    const figure = figureOf(drawn('over-time', long), 'time-requests');
    expect(figure).toContain('Each interval here is the mean of 3 of timeline.csv');
    const {series} = JSON.parse(/class="chart-data">([\s\S]*?)<\/script>/.exec(figure)![1]!);
    const [first] = series[0].y.n;
    const rows = [...long.timeline.running.slice(0, 3)];
    expect(first * series[0].y.unit).toBeCloseTo(rows.reduce((a, b) => a + b, 0) / 3, 3);
    expect(series[0].y.n).toHaveLength(334);
  });

  it('says that nobody waits only when nobody does', () => {
    const calm = {...example, timeline: {...timeline, waiting: timeline.waiting.map(() => 0)}};
    expect(panel('over-time').title(calm)).toMatch(/^Nobody waits/);
    expect(panel('over-time').title(example)).not.toMatch(/^Nobody waits/);
  });
});

describe('bounds', () => {
  it('names the largest bound in its title', () => {
    expect(panel('bounds').title(example)).toBe('Memory bandwidth bounds 71 % of busy time; the device is busy 91 % of the time.');
    const {time} = example.document;
    const report = withDocument({time: {...time, bound_share: {compute: 0.6, hbm: 0.4, link: 0, launch: 0, host: 0}}});
    expect(panel('bounds').title(report)).toMatch(/^Compute bounds 60 %/);
  });

  it('makes room for steps that are longer than their interval', () => {
    const long = {
      ...example,
      timeline: {...example.timeline, bound_hbm_share: example.timeline.bound_hbm_share.map((_, i) => (i === 3 ? 4 : 0))},
    };
    for (const d of paths(figureOf(drawn('bounds', long), 'bounds-time'), 'area')) {
      for (const {y} of corners(d)) expect(y >= 0 && y <= 170).toBe(true);
    }
  });
});

describe('hits', () => {
  it('stands each dot at its share', () => {
    const figure = figureOf(drawn('hits'), 'hits-bounds');
    const {hits} = example.document;
    const at = elements(figure, 'circle').map((c) => Number.parseFloat(c['cx']!) / 100);
    for (const [i, share] of [0, hits.share['hbm']!, hits.bounds.belady!, hits.bounds.infinite!].entries())
      expect(at[i]).toBeCloseTo(share, 4);
  });

  it('says when the cache is off, when nothing repeats, and when no cache could do better', () => {
    const {hits} = example.document;
    const title = (change: Partial<typeof hits>) => panel('hits').title(withDocument({hits: {...hits, ...change}}));
    expect(title({prefix_cache: false})).toMatch(/^The prefix cache is off/);
    expect(title({bounds: {none: 0, belady: null, infinite: 0}, share: {hbm: 0}})).toContain('no cache could help');
    expect(title({bounds: {none: 0, belady: null, infinite: hits.share['hbm']!}})).toContain('as much as an infinite one would');
    expect(title({share: {hbm: 0.2}, bounds: {none: 0, belady: 0.3, infinite: 0.4}})).toBe(
      'The prefix cache serves 20 % of prompt tokens; an infinite one would serve 40 %, one of this size that knows the future 30 %.',
    );
    expect(title({share: {hbm: 0.2}, bounds: {none: 0, belady: 0.4, infinite: 0.4}})).not.toContain('future');
  });
});

it('trust lists cost terms by their share of busy time', () => {
  const {provenance} = example.document;
  const text = drawn('trust', withDocument({provenance: [...provenance].reverse()}));
  const order = [...text.matchAll(/<th scope="row"[^>]*>([^<]+)<\/th>/g)].map(([, name]) => name).slice(0, 3);
  expect(order).toEqual(['linear', 'attention.decode', 'host']);
});
