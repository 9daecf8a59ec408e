import {describe, expect, it} from 'vitest';
import {markedYaml} from '../../reports/page/marked-yaml.js';
import {load} from '../support/scenario-text.js';

const marks = (text: string) => [...text.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, line]) => line);

describe('a resolved scenario', () => {
  const yaml =
    'name: a\nkv:\n  block_size: 16\n  tiers:\n    dram:\n      capacity: 1 TiB\nreport:\n  panels:\n    - memory\n    - hits\n  sample: 20000\n"odd key": 1\n';

  it('has the lines marked whose paths were chosen, and what lies in a list that was', () => {
    const marked = markedYaml(yaml, ['name', 'kv.tiers.dram.capacity', 'report.panels', 'odd key']).text;
    expect(marks(marked)).toEqual([
      'name: a',
      '      capacity: 1 TiB',
      '  panels:',
      '    - memory',
      '    - hits',
      '&quot;odd key&quot;: 1',
    ]);
  });

  it('stays the same text, with what is no markup escaped', () => {
    const hostile = 'name: "</pre><b>"\n';
    expect(
      markedYaml(yaml, ['kv.block_size'])
        .text.replace(/<\/?mark>/g, '')
        .replaceAll('&quot;', '"'),
    ).toBe(yaml);
    expect(markedYaml(hostile, ['name']).text).toBe('<mark>name: &quot;&lt;/pre&gt;&lt;b&gt;&quot;</mark>\n');
  });
});

it('a scenario knows what it chose: what it writes, but for values that are the default anyway', async () => {
  const text = `model: llama-3.1-8b
hardware: h100-sxm
engine: vllm
kv: {prefix_cache: true}
workload: {kind: chat, arrivals: 2 session/s}
run: {seed: 7, replications: 1}
vars: {a: 1}
`;
  const {chosen} = await load({'a.yaml': text});
  expect(chosen).toEqual([
    'model.name',
    'hardware.device',
    'engine.preset',
    'workload.kind',
    'workload.arrivals.process',
    'workload.arrivals.rate',
    'run.seed',
  ]);
});
