import {describe, expect, it} from 'vitest';
import {pricedText} from '../../reports/page/priced.js';
import {goals} from '../../reports/panels/goals.js';
import {ownPrice} from '../../reports/panels/own-price.js';
import {worth} from '../../reports/panels/worth.js';
import {summarise} from '../../src/sim/scenario/summarise.js';
import {exampleReport} from '../support/example-report.js';
import {noPrices} from '../support/plain-scenario.js';
import {runRecord} from '../support/records.js';
import {toyPlan, toyScenario} from '../support/scenarios.js';
import {elements, figureOf} from '../support/svg.js';

describe('goals', () => {
  const classes = goals.render(exampleReport({classes: true})).text;
  const bars = elements(figureOf(classes, 'goals-attainment'), 'rect').filter(({class: name}) => name!.startsWith('area'));
  const ticks = elements(figureOf(classes, 'goals-attainment'), 'line').filter(({class: name}) => name === 'tick');

  it('draws each class to its share, with a tick at its own goal', () => {
    expect(bars.map(({width}) => Number(width))).toEqual([990, 800]);
    expect(ticks.map(({x1}) => x1)).toEqual(['95%', '90%']);
  });

  it('tells a class that misses its goal by colour, mark and word', () => {
    expect(bars.map(({class: name}) => name)).toEqual(['area s1', 'area s2']);
    expect(classes).toContain('✕ <tspan font-weight="600">class bulk</tspan> 80 %, goal 90 %');
    expect(classes).toContain('"note":"goal 90 %: missed"');
  });

  it('draws all requests as one where there are no classes, and nothing without a goal', () => {
    expect(goals.render(exampleReport()).text).toContain('all requests');
    expect(goals.render(exampleReport({goals: false})).text).not.toContain('chart-goals-attainment');
    expect(goals.title(exampleReport({goals: false}))).toBe('No request has a goal; a million output tokens cost $0.33.');
  });
});

describe('cost', () => {
  it('names each price with its source, and what is counted as 0', () => {
    const text = goals.render(exampleReport()).text;
    expect(text).toContain('our contract, 2026-05');
    expect(text).toContain('Counted as 0, because no price is given: DRAM, SSD, energy.');
  });

  it('draws the hour by part', () => {
    const parts = elements(figureOf(goals.render(exampleReport()).text, 'cost-hour'), 'rect').filter((rect) => 'data-item' in rect);
    expect(parts.map(({width}) => Number(width))).toEqual([909.09, 90.91]);
  });

  it('guesses no price, but says which one was published, when and by whom', () => {
    const report = exampleReport();
    const cost = {...report.document.cost, per_hour_usd: null, per_million_output_tokens_usd: null, per_hour: null, prices: []};
    const text = goals.render({...report, document: {...report.document, cost}}).text;
    expect(text).toContain('$2.95 an hour (on demand, median of 37 providers; 2026-05; aimultiple.com/gpu-index)');
    expect(text).not.toContain('chart-cost-hour');
  });

  it('of one’s own price is that price times the devices, and the rest', () => {
    // 2 × $3 and $1.2 an hour are $0.002 a second; 1,000 tokens a second.
    expect(pricedText(3, {devices: 2, rest: 1.2, output: 1000, input: null, sessions: 0.5})).toBe(
      '$7.20 an hour, $2.00 per million output tokens, $0.004 a session',
    );
  });

  it('of one’s own price counts the devices of every replica: the price that the run had gives the cost that the run has', () => {
    const sources = {...noPrices.sources, device: {grade: 'datasheet', source: 'contract'} as const};
    const prices = {...noPrices, device: 2, host: 0.5, sources};
    const two = toyScenario({cost: prices, count: 2, cluster: {...toyScenario().cluster, replicas: 3}});
    const {cost, throughput} = summarise(two, toyPlan, [runRecord([{arrival: 0, scheduled: 0, firstToken: 1, finished: 10, output: 5}])]);
    expect(cost.per_hour_usd).toBe(13.5);
    const text = ownPrice({...exampleReport().document, cost, throughput}).text;
    // $13.5 an hour at 0.5 tok/s.
    expect(text).toContain('<output>$13.50 an hour, $7,500.00 per million output tokens');
  });

  it('says how long the SSD lasts', () => {
    expect(goals.render(exampleReport({tiers: true})).text).toContain('endurance lasts 1.2 years');
  });

  it('is shown without each tier, where it is known', () => {
    const figure = figureOf(worth.render(exampleReport({tiers: true})).text, 'worth-cost');
    // 0.3307 / 0.3336 − 1; the SSD's is not known.
    expect(figure).toContain('DRAM −0.9 %.');
    expect(figure).not.toContain('SSD');
  });
});
