import {gzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {chat, load, refusal} from '../../support/scenario-text.js';

const tiers = `# Chat on one H100: KV blocks in HBM, then DRAM, then an NVMe SSD.
model: llama-3.1-8b

hardware:
  device: h100-sxm
  memory:
    dram: 1 TiB
    ssd: nvme-gen4-4tb

engine: vllm

kv:
  tiers:
    dram: 512 GiB
    ssd: 3 TiB

workload:
  kind: chat
  arrivals: 2 session/s

slo:
  ttft: 500 ms
  tpot: 50 ms
`;

function changed(line: string, to: string): Record<string, string> {
  expect(tiers).toContain(line);
  return {'chat.yaml': tiers.replace(line, to)};
}

function replay(trace: string): Record<string, string> {
  return {'chat.yaml': tiers.replace('  kind: chat\n  arrivals: 2 session/s', `  trace: ${trace}\n  kind: replay`)};
}

const row = '{"timestamp": 0, "input_length": 600, "output_length": 5, "hash_ids": [0, 1]}\n';

describe('a malformed input gives one clear line', () => {
  it.each([
    ['an unknown key', changed('model: llama', 'modle: llama'), 'chat.yaml:2:1 modle: unknown key (did you mean "model"?)'],
    [
      'a size for a duration',
      changed('ttft: 500 ms', 'ttft: 500 MB'),
      'chat.yaml:22:9 slo.ttft: "500 MB" is a size; a duration is wanted, e.g. "500 ms"',
    ],
    [
      'bits for bytes',
      changed('dram: 512 GiB', 'dram: 80 Gb'),
      'chat.yaml:14:11 kv.tiers.dram: "80 Gb" counts bits; a capacity is in bytes: "80 GB" or "80 GiB"?',
    ],
    ['a negative rate', changed('arrivals: 2', 'arrivals: -2'), 'chat.yaml:19:13 workload.arrivals.rate: "-2 session/s" is below 0'],
    ['NaN for a rate', changed('arrivals: 2 session/s', 'arrivals: .nan'), 'chat.yaml:19:13 workload.arrivals.rate: NaN is not a rate'],
    [
      'the word NaN for a rate',
      changed('arrivals: 2 session/s', 'arrivals: NaN'),
      'chat.yaml:19:13 workload.arrivals.rate: NaN is not a rate',
    ],
    [
      'a tier written twice',
      {'chat.yaml': `${chat}kv:\n  tiers:\n    dram: 1 TiB\n    ssd: 3 TiB\n    dram: 2 TiB\n`},
      'chat.yaml:11:5 kv.tiers.dram: written twice (first at 9:5)',
    ],
    [
      'parents that go in a circle',
      {'a.yaml': 'extends: b.yaml\n', 'b.yaml': 'extends: a.yaml\n'},
      'b.yaml:1:10 extends: a.yaml → b.yaml → a.yaml goes in a circle',
    ],
    [
      'an empty trace',
      {...replay('traces/empty.jsonl'), 'traces/empty.jsonl': ''},
      'chat.yaml:18:10 workload.trace: traces/empty.jsonl holds no request',
    ],
    [
      'a trace that ends inside its gzip stream',
      {...replay('traces/c.jsonl.gz'), 'traces/c.jsonl.gz': new Uint8Array(gzipSync(row.repeat(20_000)).subarray(0, 200))},
      /^chat\.yaml:18:10 workload\.trace: traces\/c\.jsonl\.gz ends inside the gzip stream, after [\d,]+ whole rows; nothing was used$/,
    ],
    [
      'a bad line of a trace',
      {
        ...replay('traces/c.jsonl'),
        'traces/c.jsonl': `${row}{"timestamp": 1, "input_length": 9300, "output_length": 5, "hash_ids": [0, 1]}\n`,
      },
      /^traces\/c\.jsonl:2:\d+ hash_ids: 2 ids cover 1,024 of 9,300 prompt tokens; ceil\(9300 \/ 512\) = 19 are needed$/,
    ],
    [
      'an unknown model',
      changed('llama-3.1-8b', 'llama-3.1-9b'),
      /^chat\.yaml:2:8 model\.name: unknown model "llama-3\.1-9b" \(did you mean "llama-3\.1-8b"\?\); `tiercast list models` names \d+$/,
    ],
  ] as [string, Record<string, string>, string | RegExp][])('%s', async (_what, files, expected) => {
    const message = await refusal(files);
    if (typeof expected === 'string') expect(message).toBe(expected);
    else expect(message).toMatch(expected);
  });

  it('and several faults give one line each, in the order of the file', async () => {
    const text = tiers
      .replace('500 ms', '5 m')
      .replace('2 session/s', '2 /s')
      .replace('llama-3.1-8b', 'lama-3.1-8b')
      .replace('engine', 'engin');
    expect((await refusal({'chat.yaml': text})).split('\n').map((line) => line.split(' ')[0])).toEqual([
      'chat.yaml:2:8',
      'chat.yaml:10:1',
      'chat.yaml:19:13',
      'chat.yaml:22:9',
    ]);
  });

  it('and more than ten faults end in a count', async () => {
    const keys = Array.from({length: 14}, (_, i) => `  nothing_${i}: 1\n`).join('');
    const lines = (await refusal({'chat.yaml': `${chat}slo:\n${keys}`})).split('\n');
    expect(lines).toHaveLength(11);
    expect(lines[10]).toBe('and 4 more faults');
  });

  it('and what is not simulated stops once everything else is right', async () => {
    expect((await refusal(changed('ssd: 3 TiB', 'ssd: 3 TiB\nexperts: {miss: fetch}\ncluster: {pools: {}}'))).split('\n')).toEqual([
      'chat.yaml:16:1 experts: known, not simulated by this version (0.1)',
      'chat.yaml:17:11 cluster.pools: known, not simulated by this version (0.1)',
    ]);
  });
});

describe('a hostile input gives one clear line', () => {
  it.each([
    ['__proto__ in --set', ['__proto__.polluted=1'], '--set __proto__.polluted: "__proto__" cannot be a key'],
    ['constructor in --set', ['vars.constructor=1'], '--set vars.constructor: "constructor" cannot be a key'],
    ['__proto__ inside the value of --set', ['vars={__proto__: {polluted: 1}}'], '--set __proto__: "__proto__" cannot be a key'],
    ['no value in --set', ['run.seed'], '--set "run.seed": write PATH=VALUE, e.g. --set run.seed=2'],
    ['an unknown key in --set', ['modle=x'], '--set modle: unknown key (did you mean "model"?)'],
    [
      'a wrong unit in --set',
      ['kv.tiers.dram=80 Gb'],
      '--set kv.tiers.dram: "80 Gb" counts bits; a capacity is in bytes: "80 GB" or "80 GiB"?',
    ],
    ['a key of a later version in --set', ['weights.placement=mmap'], '--set weights: known, not simulated by this version (0.1)'],
  ])('%s', async (_what, set, expected) => {
    expect(await refusal({'chat.yaml': chat}, set)).toBe(expected);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('__proto__ as a key of the file', async () => {
    expect(await refusal({'chat.yaml': `${chat}vars:\n  __proto__: 1\n`})).toBe(
      'chat.yaml:8:3 vars.__proto__: "__proto__" cannot be a key',
    );
  });

  it.each(['../../etc/other.yaml', '/etc/passwd', '../../../up.yaml'])('a parent outside the folders: %s', async (parent) => {
    expect(await refusal({'chat.yaml': `extends: ${parent}\n${chat}`})).toBe(
      `chat.yaml:1:10 extends: ${parent} lies outside; a parent lies in the scenario's folder, beside that folder, or below either`,
    );
  });

  it('a line of more than 1 MiB', async () => {
    expect(await refusal({'chat.yaml': `${chat}description: ${'x'.repeat(1.5 * 1024 ** 2)}\n`})).toBe(
      'chat.yaml:7:1 is a line of 1.5 MiB; 1 MiB is allowed',
    );
  });

  it('aliases that multiply', async () => {
    const bomb = ['vars:', '  a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]'];
    for (let i = 1; i < 9; i++)
      bomb.push(
        `  a${i}: &a${i} [${Array(10)
          .fill(i === 1 ? '*a' : `*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(await refusal({'chat.yaml': `${chat}${bomb.join('\n')}\n`})).toContain('is nested too deeply, or repeated too often');
  });

  it('lists that nest without end', async () => {
    expect(await refusal({'chat.yaml': `${chat}vars: ${'['.repeat(20_000)}`})).toMatch(/^chat\.yaml:\d+:\d+ \S/);
  });

  it('bytes that are no text', async () => {
    expect(await refusal({'chat.yaml': new Uint8Array([0x6d, 0xff, 0xfe])})).toBe('chat.yaml:1:1 is not UTF-8 text');
  });

  it('an empty file', async () => {
    expect(await refusal({'chat.yaml': ''})).toBe('chat.yaml:1:1 is empty; a scenario has at least model, hardware, engine and workload');
  });

  it('text that is not YAML', async () => {
    expect(await refusal({'chat.yaml': 'model: [llama\nengine: vllm\n'})).toMatch(/^chat\.yaml:\d+:\d+ is not valid YAML: /);
  });

  it('a control character in a name', async () => {
    expect(await refusal({'chat.yaml': `${chat}name: "a\\u001b[31mb"\n`})).toBe(
      'chat.yaml:7:7 name: "a\\u001b[31mb" holds a control character',
    );
  });

  it('a control character in a key cannot break the line', async () => {
    expect(await refusal({'chat.yaml': `${chat}"bad\\nkey\\u001b": 1\n`})).toBe('chat.yaml:7:1 bad\\u000akey\\u001b: unknown key');
  });
});

it('carries names that look like markup as the text they are', async () => {
  const hostile = '</script><img src=x onerror=alert(1)>';
  const scenario = await load({
    'chat.yaml': `${chat}name: "${hostile}"\ndescription: "=HYPERLINK(\\"x\\")"\nreport: {title: "${hostile}"}\n`,
  });
  expect(scenario.name).toBe(hostile);
  expect(scenario.report.title).toBe(hostile);
  expect(scenario.description).toBe('=HYPERLINK("x")');
});

it.each([
  [
    'a second document',
    {'chat.yaml': `${chat}---\n${chat}`},
    [],
    'chat.yaml:7:1 is not valid YAML: a second document begins here; a scenario file holds one',
  ],
  [
    'a parent named by --set, which comes too late',
    {'chat.yaml': chat},
    ['extends=base.yaml'],
    '--set extends: is read before changes are made; write it into a file, e.g. "extends: base.yaml"',
  ],
  [
    'a number format that no list shows',
    {'chat.yaml': chat},
    ['kv.dtype=fp9'],
    /^--set kv\.dtype: unknown kv dtype "fp9" \(did you mean "fp8"\?\); known: .*\bfp8\b/,
  ],
  ['prompts of nothing', {'chat.yaml': chat}, ['workload.user_tokens=0'], '--set workload.user_tokens: 0 tokens; a request has at least 1'],
  [
    'answers of nothing',
    {'chat.yaml': chat},
    ['workload.output_tokens=0'],
    '--set workload.output_tokens: 0 tokens; a request has at least 1',
  ],
  [
    'more replications than anyone waits for',
    {'chat.yaml': chat},
    ['run.replications=1e9'],
    '--set run.replications: 1000000000 is not a whole number from 1 to 10000',
  ],
  [
    'more requests than memory holds',
    {'chat.yaml': chat},
    ['run.requests=1e15'],
    '--set run.requests: 1000000000000000 is not a whole number from 1 to 100000000',
  ],
])('refuses %s', async (_what, files, set, message) => {
  const said = await refusal(files, set);
  if (typeof message === 'string') expect(said).toBe(message);
  else expect(said).toMatch(message);
});
