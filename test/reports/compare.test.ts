import {describe, expect, it} from 'vitest';
import {farthest} from '../../reports/charts/dumbbell.js';
import {renderComparison} from '../../reports/compare/index.js';
import {comparePanels} from '../../reports/compare/panels/index.js';
import type {Comparison} from '../../src/sim/compare/comparison.js';
import {changeText, figureText} from '../../src/sim/compare/text.js';
import {exampleComparison} from '../support/comparison.js';
import {pageParts} from '../support/page-parts.js';
import {elements, figureOf} from '../support/svg.js';

const example = exampleComparison();
const parts = pageParts();
const page = renderComparison(example, parts);
const attack = '</script><img src=x onerror=alert(1)>';

describe.each(Object.entries(comparePanels))('%s', (_name, panel) => {
  it.each([
    ['two', example],
    ['three', exampleComparison({third: true})],
  ])('has a title that is a sentence and no unknown number, with %s scenarios', (_n, comparison) => {
    expect(panel.title(comparison)).toMatch(/\.$/);
    expect(`${panel.title(comparison)}${panel.render(comparison).text}`).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });

  it('gives every figure the parts of a chart: a sentence, a description, data and a table', () => {
    for (const [figure] of panel.render(example).text.matchAll(/<figure[\s\S]*?<\/figure>/g)) {
      expect(figure).toMatch(/<figcaption>[^<]{8,}<\/figcaption>/);
      expect(figure).toMatch(/role="img" aria-label="[^"]{8,}"/);
      expect(figure).toMatch(/<summary>Show as table<\/summary>/);
      expect(() => JSON.parse(/class="chart-data">([\s\S]*?)<\/script>/.exec(figure)![1]!)).not.toThrow();
    }
  });
});

it('says the verdict before everything else, then one sentence a figure, then what changed', () => {
  const {verdict, changed} = example.document.comparisons[0]!;
  const order = [verdict[0]!.text, verdict[1]!.text, changed[0]!.path].map((text) => page.replaceAll('\u00a0', ' ').indexOf(text));
  expect(order.every((at) => at > 0)).toBe(true);
  expect([...order].sort((a, b) => a - b)).toEqual(order);
});

it('has the price of a million tokens with the paired interval of its change, in a sentence and among the differences', () => {
  const cost = example.document.comparisons[0]!.metrics['cost.per_million_output_tokens_usd']!;
  expect(cost.change_ci95).not.toBeNull();
  expect(cost.difference_ci95![0]).toBeLessThanOrEqual(cost.difference!);
  expect(cost.difference_ci95![1]).toBeGreaterThanOrEqual(cost.difference!);
  const change = changeText(cost);
  expect(change).toMatch(/ % \(.+ … .+\)$/);
  const shown = page.replaceAll('\u00a0', ' ');
  const values = `${figureText('USD', cost.before)} → ${figureText('USD', cost.after)}`;
  const {text} = example.document.comparisons[0]!.verdict.find(({code}) => code === 'cost.per_million_output_tokens_usd')!;
  expect(text).toContain(`${values}, ${change}`);
  expect(shown).toContain(text);
  const row = [figureText('USD', cost.before), figureText('USD', cost.after), change].map((cell) => `<td class="number">${cell}</td>`);
  expect(comparePanels.differences.render(example).text.replaceAll('\u00a0', ' ')).toContain(
    `<th scope="row">cost/M out</th>${row.join('')}`,
  );
});

it('draws the same bytes from the same comparison, also when it was simulated again', () => {
  expect(renderComparison(exampleComparison(), parts)).toBe(page);
});

it('lets no text of a scenario become markup', () => {
  const hostile = renderComparison(exampleComparison({text: attack}), parts);
  expect(hostile).not.toContain('<img');
  expect(hostile).toContain('&lt;img src=x');
});

it('stands every dot of the dumbbell at its change, the ring at none', () => {
  const {metrics} = example.document.comparisons[0]!;
  const figure = figureOf(comparePanels.differences.render(example).text, 'differences-1');
  const dots = elements(figure, 'circle').filter((one) => one['class']!.startsWith('dot'));
  const rings = elements(figure, 'circle').filter((one) => one['class']!.startsWith('ring'));
  const at = (circle: Record<string, string>) => Number.parseFloat(circle['cx']!);
  const changes = Object.values(metrics).flatMap((one) => (one === null ? [] : [one.unit === 'share' ? one.change : one.difference!]));
  expect(dots).toHaveLength(changes.length);
  const zero = at(rings[0]!);
  for (const ring of rings) expect(at(ring)).toBe(zero);
  // Linear: as far from the ring as the change is from 0, measured by the first.
  const scale = (at(dots[0]!) - zero) / changes[0]!;
  for (const [i, dot] of dots.entries()) expect(at(dot) - zero).toBeCloseTo(scale * changes[i]!, 1);
});

it('stands a change beyond the edge at the edge, and says so', () => {
  const [pair] = example.document.comparisons;
  const far = {...pair!.metrics['ttft_s.p95']!, difference: 2 * farthest, difference_ci95: null};
  const comparison: Comparison = {
    ...example,
    document: {...example.document, comparisons: [{...pair!, metrics: {...pair!.metrics, 'ttft_s.p95': far}}]},
  };
  const text = comparePanels.differences.render(comparison).text;
  expect(text).toContain('+800 %');
  expect(text).toContain('Changes above 400 % stand at the edge.');
  const places = elements(figureOf(text, 'differences-1'), 'circle').map((circle) => Number.parseFloat(circle['cx']!));
  expect(Math.max(...places)).toBeLessThanOrEqual(100);
});

it('overlays one latency line a scenario, in the colour that it has everywhere', () => {
  const text = comparePanels.latency.render(exampleComparison({third: true})).text;
  for (const word of ['ttft', 'tpot', 'e2e']) {
    const lines = elements(figureOf(text, `distribution-${word}`), 'path').filter((path) => path['d']!.length > 20);
    expect(lines.map((path) => path['class'])).toEqual(['line s1', 'line s2', 'line s3']);
  }
});

it('lists the assumptions that differ, and only these', () => {
  const text = comparePanels.assumptions.render(example).text;
  expect(text).toContain('engine.overhead.step');
  expect(comparePanels.assumptions.title(example)).toBe('1 assumption differs; the difference is only as good as these.');
});
