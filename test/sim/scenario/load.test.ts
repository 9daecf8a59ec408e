// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions are written so in scenario files
import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {devices} from '../../../src/models/devices/index.js';
import type {Scenario} from '../../../src/sim/scenario/scenario.js';
import {chat, load, refusal} from '../../support/scenario-text.js';

const lengths = `model: llama-3.1-8b
hardware: h100-sxm
engine: vllm
workload: {kind: lengths, arrivals: 3 req/s, input_tokens: 1000, output_tokens: 100}
`;

/** The chat with lines added. */
async function chatWith(lines: string, set: readonly string[] = []): Promise<Scenario> {
  return load({'chat.yaml': `${chat}${lines}`}, set);
}

describe('the smallest file', () => {
  it('becomes a whole scenario: names looked up, units gone, defaults filled in', async () => {
    const scenario = await load({'chat.yaml': chat});
    expect(scenario).toMatchObject({
      name: 'chat',
      llm: {name: 'llama-3.1-8b'},
      device: {id: 'h100-sxm'},
      engine: {preset: 'vllm'},
      count: 1,
      parallel: {tensor: 1},
      gpuMemoryUtilization: 0.92,
      maxModelLen: null,
      scheduler: {maxNumSeqs: 1024, maxNumBatchedTokens: 8192, chunkedPrefill: true, queueLimit: null, timeout: null},
      kv: {format: {name: 'bf16'}, blockSize: 16, prefixCache: true, blocks: null, capacityCap: null},
      workload: {kind: 'chat', arrivals: {process: 'poisson', rate: 2, of: 'session'}, thinkTime: {dist: 'constant', value: 30}},
      slo: {ttft: null, attainment: 0.95},
      cost: {device: null, host: 0, dram: 0, energy: 0},
      run: {requests: 2000, warmup: {kind: 'auto'}, seed: 1, replications: 1, bounds: 'hits'},
      report: {title: 'chat', panels: null, sample: 20_000},
      warnings: [],
    });
  });

  it('says which of its values nobody wrote or measured', async () => {
    const {assumptions} = await load({'chat.yaml': chat});
    expect(assumptions.slice(0, 4)).toEqual([
      {path: 'workload.turns', value: '5', grade: 'assumed', source: 'default of tiercast'},
      {path: 'workload.think_time', value: '30 s', grade: 'assumed', source: 'default of tiercast'},
      {path: 'workload.user_tokens', value: '200', grade: 'assumed', source: 'default of tiercast'},
      {path: 'workload.output_tokens', value: '240', grade: 'assumed', source: 'default of tiercast'},
    ]);
    expect(assumptions.map(({path}) => path)).toContain('engine.overhead.step');
    const written = await chatWith('  turns: 3\n');
    expect(written.assumptions.map(({path}) => path)).not.toContain('workload.turns');
  });
});

describe('the resolved file', () => {
  it.each([
    chat,
    lengths,
    `${lengths}kv: {dtype: fp8}\nslo: {ttft: 1 s}\ncost: {device: 2.50 USD/hour}\nrun: {warmup: 10 s, duration: 2 min}\n`,
  ])('loads again to the same scenario %#', async (text) => {
    const first = await load({'a.yaml': text});
    const again = await load({'a.yaml': first.yaml});
    expect(again.yaml).toBe(first.yaml);
    expect(again.resolved).toEqual(first.resolved);
    expect(again.sha256).toBe(first.sha256);
    expect(again.assumptions).toEqual(first.assumptions);
  });

  it('has one hash however the file was written, and another when anything changes', async () => {
    const short = await load({'a.yaml': chat});
    const long = await load({
      'a.yaml':
        'engine: {preset: vllm}\nworkload: {arrivals: {rate: 120 session/min, process: poisson}, kind: chat}\nhardware: {device: h100-sxm}\nmodel: {name: llama-3.1-8b}\n',
    });
    expect(long.sha256).toBe(short.sha256);
    expect((await load({'a.yaml': chat}, ['run.seed=2'])).sha256).not.toBe(short.sha256);
    expect((await load({'a.yaml': chat.replace('session/s', 'req/s')})).sha256).not.toBe(short.sha256);
  });

  it('hashes the content of the files it names', async () => {
    const csv = (value: number) => ({
      'a.yaml': lengths.replace('input_tokens: 1000', 'input_tokens: {from: l.csv, column: n}'),
      'l.csv': `n\n${value}\n`,
    });
    expect((await load(csv(1))).sha256).not.toBe((await load(csv(2))).sha256);
  });
});

describe('merging', () => {
  const family = {
    'low/b.yaml': 'extends: [../a.yaml, ./c.yaml]\nscheduler: {max_num_seqs: 64, timeout: null}\nmodel: llama-3.1-70b\n',
    'a.yaml': `${lengths}scheduler: {max_num_seqs: 256, timeout: 5 s, queue_limit: 9}\n`,
    'low/c.yaml': 'slo: {ttft: 2 s}\nscheduler: {queue_limit: 10}\n',
  };

  it('goes through parents from left to right, then the file; null takes away', async () => {
    const scenario = await load({...family, 'low/b.yaml': `${family['low/b.yaml']}engine: {parallel: {tensor: 4}}\n`});
    expect(scenario.llm.name).toBe('llama-3.1-70b');
    expect(scenario.scheduler).toMatchObject({maxNumSeqs: 64, timeout: null, queueLimit: 10});
    expect(scenario.slo.ttft).toBe(2);
    expect(scenario.files.map(({path}) => path)).toEqual(['b.yaml', '../a.yaml', 'c.yaml']);
  });

  it('cites the file that wrote a merged value', async () => {
    expect(await refusal({...family, 'a.yaml': `${lengths}scheduler: {timeout: 5 s, queue_limit: 9}\nslo: {tpot: 5 m}\n`})).toBe(
      'a.yaml:6:13 slo.tpot: "5 m" is a length (minutes are "min"); a duration is wanted, e.g. "500 ms"',
    );
  });

  it('writes short forms out first, so that a new device keeps the rest of the hardware', async () => {
    const l4 = lengths.replace('hardware: h100-sxm', 'hardware: {device: l4, power: 500 W}');
    const {device} = await load({'a.yaml': l4}, ['hardware=h100-sxm']);
    expect(device.id).toBe('h100-sxm');
    expect(device.power?.value).toBe(500);
  });

  it('replaces a distribution of another kind as a whole, but changes one parameter alone', async () => {
    const base = lengths.replace('input_tokens: 1000', 'input_tokens: {dist: lognormal, mean: 1000, cv: 1, max: 9000}');
    const replaced = await load({'a.yaml': base}, ['workload.input_tokens=7']);
    expect(replaced.workload).toMatchObject({inputTokens: {dist: 'constant', value: 7}});
    expect(replaced.warnings).toEqual([]);
    const changed = await load({'a.yaml': base}, ['workload.input_tokens.cv=2']);
    expect(changed.workload).toMatchObject({inputTokens: {dist: 'lognormal', mean: 1000, cv: 2, max: 9000}});
  });

  it('names a parent that does not exist at the line that asks for it', async () => {
    expect(await refusal({'a.yaml': `extends: ./none.yaml\n${chat}`})).toBe('a.yaml:1:10 extends: none.yaml does not exist');
  });

  it('lets a parent lie beside the folder', async () => {
    const {llm} = await load({'sweep/b.yaml': 'extends: ../base/a.yaml\n', 'base/a.yaml': chat});
    expect(llm.name).toBe('llama-3.1-8b');
  });
});

describe('--set', () => {
  it('reads its value as YAML: numbers, quantities, maps, null', async () => {
    const scenario = await chatWith('scheduler: {timeout: 5 s}\n', [
      'run.seed=7',
      'slo.ttft=1 s',
      'scheduler={max_num_seqs: 8, timeout: null}',
      'workload.arrivals.process=closed-loop',
      'workload.arrivals.sessions=4',
      'workload.arrivals.rate=null',
      'sources.workload.turns=measured: our logs',
    ]);
    expect(scenario.run.seed).toBe(7);
    expect(scenario.slo.ttft).toBe(1);
    expect(scenario.scheduler).toMatchObject({maxNumSeqs: 8, timeout: null});
    expect(scenario.workload).toMatchObject({arrivals: {process: 'closed-loop', sessions: 4}});
    expect(scenario.warnings).toEqual([]);
  });
});

describe('expressions', () => {
  it('use vars and other keys, in any order', async () => {
    const scenario = await chatWith(
      'vars: {room: "${per_gpu * 2}", per_gpu: 10 GiB}\nkv: {tiers: {hbm: "${room / 2}"}}\nscheduler: {max_num_seqs: "${run.requests / 10}"}\nrun: {requests: 1000}\n',
    );
    expect(scenario.kv.capacityCap).toBe(10 * 1024 ** 3);
    expect(scenario.scheduler.maxNumSeqs).toBe(100);
    expect(scenario.yaml).not.toContain('$');
  });

  it.each([
    ['vars: {a: "${b}", b: "${a}"}\nscheduler: {max_num_seqs: "${a}"}\n', /goes in a circle: /],
    [
      'scheduler: {max_num_seqs: "${2 * nothing}"}\n',
      /^a\.yaml:7:27 scheduler\.max_num_seqs: "\$\{2 \* nothing\}" has an unknown name "nothing"/,
    ],
    ['scheduler: {max_num_seqs: "${7 / 2}"}\n', 'a.yaml:7:27 scheduler.max_num_seqs: 3.5 is not a whole number of at least 1'],
    ['scheduler: {max_num_seqs: "${2 GiB}"}\n', 'a.yaml:7:27 scheduler.max_num_seqs: "2 GiB" is not a whole number of at least 1'],
    ['slo: {ttft: "${1 / 0}"}\n', 'a.yaml:7:13 slo.ttft: "${1 / 0}" divides by 0'],
    ['name: "${1 + 1}"\nslo: {ttft: 1}\n', 'a.yaml:8:13 slo.ttft: 1 has no unit; a duration is wanted, e.g. "500 ms"'], // a name is text
  ])('%j is refused', async (lines, message) => {
    const told = await refusal({'a.yaml': `${chat}${lines}`});
    if (typeof message === 'string') expect(told).toBe(message);
    else expect(told).toMatch(message);
  });
});

describe('hardware', () => {
  it('takes figures in place of the device’s own, assumed unless the file says where they come from', async () => {
    const {device, assumptions} = await load({
      'a.yaml': `${lengths.replace('hardware: h100-sxm', 'hardware: {device: h100-sxm, memory: {hbm: {bandwidth: 3 TB/s}}, compute: {bf16: 800 TFLOP/s}}')}sources: {hardware.compute.bf16: "measured: our own GEMM"}\n`,
    });
    expect(device.memory.hbm?.bandwidth).toEqual({value: 3e12, grade: 'assumed', source: 'the scenario'});
    expect(device.compute.bf16).toEqual({value: 800e12, grade: 'measured', source: 'our own GEMM'});
    expect(assumptions).toContainEqual({path: 'hardware.memory.hbm.bandwidth', value: '3 TB/s', grade: 'assumed', source: 'the scenario'});
    expect(assumptions).toContainEqual({path: 'hardware.compute.bf16', value: '800 TFLOP/s', grade: 'measured', source: 'our own GEMM'});
  });

  it('states memory as the total of the replica', async () => {
    const {device, count} = await load({
      'a.yaml': lengths
        .replace('hardware: h100-sxm', 'hardware: {device: h100-sxm, memory: {hbm: 160 GiB}}')
        .replace('engine: vllm', 'engine: {preset: vllm, parallel: {tensor: 2}}'),
    });
    expect(count).toBe(2);
    expect(device.memory.hbm?.capacity?.value).toBe(80 * 1024 ** 3);
  });

  it('refuses a count that is not what the layout uses', async () => {
    expect(await refusal({'a.yaml': lengths.replace('hardware: h100-sxm', 'hardware: {device: h100-sxm, count: 4}')})).toBe(
      'a.yaml:2:37 hardware.count: 4 is not engine.parallel.tensor, 1; a replica has as many devices as its layout uses',
    );
  });

  it('reads a profile file: the built-in device with the stated figures in place', async () => {
    const profile =
      'id: mine\nextends: h100-sxm\nmemory:\n  hbm: {bandwidth: {value: 2.9 TB/s, grade: measured, source: probe}}\nengine: {}\n';
    const {device, warnings} = await load({'low/a.yaml': lengths.replace('h100-sxm', '../p/mine.yaml'), 'p/mine.yaml': profile});
    expect(device.id).toBe('mine');
    expect(device.memory.hbm?.bandwidth).toEqual({value: 2.9e12, grade: 'measured', source: 'probe'});
    expect(device.memory.hbm?.capacity?.value).toBeGreaterThan(79 * 1024 ** 3);
    expect(warnings.map(({text}) => text)).toEqual(['../p/mine.yaml: engine not used by this version']);
  });

  it('refuses a form of fits that the device does not have, with those it has', async () => {
    const told = await refusal({'a.yaml': lengths.replace('h100-sxm', '{device: h100-sxm, cost_model: forest}')});
    expect(told).toMatch(/hardware\.cost_model: h100-sxm has no fit of the form forest; it has pnorm-grid\/1, two-protocol\/1/);
  });

  it('takes the fits of a profile, in any unit, before those of the device that it extends', async () => {
    const fit = '{form: pnorm/1, P: 0.8 PFLOP/s, W: 2.9 TB/s, o: 3000 ns, p: 2, range: {}}';
    const profile = `extends: h100-sxm\nmemory: {hbm: {bandwidth: 3 TB/s}}\nfits: {gemm.bf16: ${fit}}\nquality: {grade: B}\n`;
    const {device, warnings} = await load({'a.yaml': lengths.replace('h100-sxm', './mine.yaml'), 'mine.yaml': profile});
    const [own, inherited] = device.fits!;
    expect(own.kernels).toEqual({
      'gemm.bf16': expect.objectContaining({form: 'pnorm/1', P: '800 TFLOP/s', W: '2900 GB/s', o: '3 us', p: 2, source: 'mine'}),
    });
    expect(inherited.kernels).toEqual(devices['h100-sxm'].fits!());
    expect([own.on.bandwidth, inherited.on.bandwidth]).toEqual([3e12, 3.35e12]);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['memroy: {}\nextends: h100-sxm\n', /^p\.yaml:1:1 memroy: unknown key "memroy" \(did you mean "memory"\?\)/],
    ['extends: h100-sxn\n', /^p\.yaml:1:10 extends: unknown device "h100-sxn" \(did you mean "h100-sxm"\?\)/],
    [
      'extends: h100-sxm\nmemory: {hbm: {bandwidth: {value: 1 TB/s, grade: guessed}}}\n',
      /^p\.yaml:2:27 memory\.hbm\.bandwidth: unknown grade "guessed"/,
    ],
    ['extends: h100-sxm\nfits: {gemm.bf16: 3}\n', 'p.yaml:2:19 fits.gemm.bf16: is not a map with a form'],
    [
      'extends: h100-sxm\nfits:\n  gemm.bf16: {form: pnorm/1, P: 5 GB, W: 1 TB/s, o: 1 us, p: 2, range: {}}\n',
      /^p\.yaml:3:3 fits\.gemm\.bf16\.P: "5 GB" is a size; a compute speed is wanted/,
    ],
    ['extends: h100-sxm\nfits:\n  gem.bf16: {form: pnorm/1}\n', /^p\.yaml:3:3 unknown kernel "gem" \(did you mean "gemm"\?\)/],
    ['compute: {bf16: 1 TFLOP/s}\n', 'p.yaml:1:1 memory: missing; a device has at least one memory'],
    ['extends: h100-sxm\npower: 5 GB\n', /hardware\.device: "5 GB" is a size; a power is wanted/],
  ])('refuses a profile that says %j', async (profile, message) => {
    const told = await refusal({'a.yaml': lengths.replace('h100-sxm', './p.yaml'), 'p.yaml': profile});
    if (typeof message === 'string') expect(told).toContain(message);
    else expect(told).toMatch(message);
  });

  it('takes a constant cost', async () => {
    const text = lengths.replace('hardware: h100-sxm', 'hardware: {device: h100-sxm, cost_model: {constant: 10 ms}}');
    expect((await load({'a.yaml': text})).costModel).toEqual({kind: 'constant', seconds: 0.01});
  });
});

describe('the model', () => {
  const config = JSON.stringify({
    model_type: 'llama',
    hidden_size: 256,
    intermediate_size: 512,
    num_hidden_layers: 2,
    num_attention_heads: 4,
    num_key_value_heads: 2,
    vocab_size: 1000,
    max_position_embeddings: 2048,
    tie_word_embeddings: false,
    torch_dtype: 'bfloat16',
  });

  it.each(['./tiny', './tiny/config.json'])('can be a config.json or a folder that holds one: %s', async (name) => {
    const {llm, files} = await load({'low/a.yaml': chat.replace('llama-3.1-8b', name), 'low/tiny/config.json': config});
    expect(llm).toMatchObject({name: 'tiny', hidden: 256});
    expect(files.map(({path}) => path)).toEqual(['a.yaml', 'tiny/config.json']);
  });

  it('is quantised as a whole or by class', async () => {
    expect((await chatWith('', ['model.quantization=fp8'])).llm.formats.mlp.name).toBe('fp8');
    const byClass = await chatWith('', ['model.quantization={default: bf16, mlp: fp8}']);
    expect([byClass.llm.formats.attention.name, byClass.llm.formats.mlp.name]).toEqual(['bf16', 'fp8']);
    expect(await refusal({'a.yaml': chat}, ['model.quantization=fp9'])).toMatch(/^--set model\.quantization: unknown .*"fp9"/);
  });

  it('in a file that is not JSON is named', async () => {
    expect(await refusal({'a.yaml': chat.replace('llama-3.1-8b', './c.json'), 'c.json': '{'})).toMatch(
      /^a\.yaml:1:8 model\.name: c\.json is not JSON: /,
    );
  });
});

describe('the engine', () => {
  it('decides defaults by its version, read as text', async () => {
    const version = (text: string) => chat.replace('engine: vllm', `engine: {preset: vllm, version: ${text}}`);
    expect((await load({'a.yaml': version('0.19')})).gpuMemoryUtilization).toBe(0.9);
    expect((await load({'a.yaml': version('0.20')})).engine.version).toBe('0.20'); // not the number 0.2
    expect(await refusal({'a.yaml': version('"9"')})).toMatch(/^a\.yaml:3:33 engine\.version: vllm 9 is not known; known: 0\.11 to /);
  });

  it('takes host times of the scenario', async () => {
    const {engine} = await load({'a.yaml': chat.replace('engine: vllm', 'engine: {preset: vllm, overhead: {step: 2 ms}}')});
    expect(engine.overhead.step).toEqual({value: 0.002, grade: 'assumed', source: 'the scenario'});
  });

  const withArgs = (args: string, more = '') => ({
    'a.yaml': `${chat.replace('engine: vllm', `engine: {preset: vllm, args: {${args}}}`)}${more}`,
  });

  it('takes vLLM’s own flags, and turns them into keys', async () => {
    const scenario = await load(withArgs('max_num_seqs: 32, kv_cache_dtype: fp8, dtype: float16, enable_prefix_caching: false'));
    expect(scenario.scheduler.maxNumSeqs).toBe(32);
    expect(scenario.kv).toMatchObject({format: {name: 'fp8'}, prefixCache: false});
    expect(scenario.activationType).toBe('fp16');
    expect(scenario.yaml).not.toContain('args');
  });

  it.each([
    [
      'max_num_seq: 32',
      '',
      'a.yaml:3:31 engine.args.max_num_seq: this vLLM flag maps to no key of this version (did you mean "max_num_seqs"?)',
    ],
    ['max_num_seqs: 0', '', 'a.yaml:3:45 engine.args.max_num_seqs: 0 is not a whole number of at least 1'],
    ['dtype: int3', '', 'a.yaml:3:38 engine.args.dtype: "int3" maps to no value of model.activation_dtype'],
    [
      'max_num_seqs: 32',
      'scheduler: {max_num_seqs: 64}\n',
      'a.yaml:3:31 engine.args.max_num_seqs: set twice: also as scheduler.max_num_seqs (7:13); keep one',
    ],
  ])('refuses %s', async (args, more, message) => {
    expect(await refusal(withArgs(args, more))).toBe(message);
  });
});

describe('the workload', () => {
  it('draws from a measured column', async () => {
    const {workload} = await load({
      'a.yaml': lengths.replace('input_tokens: 1000', 'input_tokens: {from: data/l.csv, column: n, max: 50}'),
      'data/l.csv': 'x,n\n1,10\n2,20\n',
    });
    expect(workload).toMatchObject({inputTokens: {dist: 'empirical', values: Float64Array.from([10, 20]), max: 50}});
  });

  it.each([
    ['input_tokens: {from: l.csv, column: m}', 'a.yaml:4:67 workload.input_tokens.from: l.csv has no column "m"; it has: n'],
    ['input_tokens: {from: l.csv, column: n}', 'l.csv:3 n: "x" is not a number from 0 on'],
    ['input_tokens: {dist: lognormal, mean: 5}', 'a.yaml:4:60 workload.input_tokens: lognormal needs a cv'],
    ['input_tokens: {mean: 5}', /^a\.yaml:4:60 workload\.input_tokens: says no "dist"; known: constant, /],
    ['input_tokens: 1.5', 'a.yaml:4:60 workload.input_tokens: 1.5 is not a whole number of at least 0'],
    ['input_tokens: "5 s"', 'a.yaml:4:60 workload.input_tokens: "5 s" is not a whole number of at least 0'],
  ])('refuses %s', async (line, message) => {
    const told = await refusal({'a.yaml': lengths.replace('input_tokens: 1000', line), 'l.csv': 'n\n1\nx\n'});
    if (typeof message === 'string') expect(told).toBe(message);
    else expect(told).toMatch(message);
  });

  it('replays a trace, scaled, with what a reader should know of it', async () => {
    const row = (ms: number) => `{"timestamp": ${ms}, "input_length": 600, "output_length": 5, "hash_ids": [0, 1]}\n`;
    const scenario = await load({
      'low/a.yaml': chat.replace('kind: chat\n  arrivals: 2 session/s', 'kind: replay\n  trace: ../t.jsonl\n  rate_scale: 0.5'),
      't.jsonl': `${row(0)}${row(1000)}${row(1000)}`,
    });
    expect(scenario.workload).toMatchObject({kind: 'replay', trace: {rows: 3, times: Float64Array.from([0, 2e9, 2e9])}});
    expect(scenario.warnings.map(({code}) => code)).toContain('tied_timestamps');
    expect(scenario.run.requests).toBeNull();
    expect(scenario.yaml).toContain('trace: ../t.jsonl');
    expect(scenario.files.map(({path}) => path)).toEqual(['a.yaml', '../t.jsonl']);
  });

  it('replays the sessions of a trace, started as the scenario says, and warns of what then changes nothing', async () => {
    const trace = readFileSync('test/golden/traces/kv-cache-tester.jsonl', 'utf8');
    const replay =
      'kind: replay\n  trace: t.jsonl\n  arrivals: {process: closed-loop, sessions: 2}\n  rate_scale: 2\n  dequantise: uniform';
    const scenario = await load({'a.yaml': chat.replace('kind: chat\n  arrivals: 2 session/s', replay), 't.jsonl': trace});
    expect(scenario.workload).toMatchObject({kind: 'replay', trace: {rows: 7}, arrivals: {process: 'closed-loop', sessions: 2}});
    expect(scenario.warnings.filter(({code}) => code === 'no_effect').map(({path}) => path)).toEqual([
      'workload.dequantise',
      'workload.rate_scale',
    ]);
    const alone = await load({
      'a.yaml': chat.replace('chat', 'replay\n  trace: m.jsonl'),
      'm.jsonl': '{"timestamp": 0, "input_length": 6, "output_length": 5}\n',
    });
    expect(alone.workload).toMatchObject({arrivals: null});
    expect(alone.warnings.find(({code}) => code === 'no_effect')?.path).toBe('workload.arrivals');
  });

  it('warns of keys that belong to another kind, instead of being silent', async () => {
    const {warnings} = await load({'a.yaml': lengths.replace('output_tokens: 100', 'output_tokens: 100, turns: 5, rate_scale: 2')});
    expect(warnings.map(({text}) => text)).toEqual([
      'has no effect here: it belongs to chat, this is lengths',
      'has no effect here: it belongs to replay, this is lengths',
    ]);
  });

  it.each([
    ['arrivals: {process: gamma, rate: 2 req/s}', 'a.yaml:4:27 workload.arrivals.cv: missing; gamma needs it'],
    ['arrivals: {rate: 2 req/s}', /^a\.yaml:4:37 workload\.arrivals: says no "process"; known: /],
    ['arrivals: 0 req/s', /^a\.yaml:4:37 workload\.arrivals\.rate: "0 req\/s" is 0; a rate is wanted/],
  ])('refuses %s', async (line, message) => {
    const told = await refusal({'a.yaml': lengths.replace('arrivals: 3 req/s', line)});
    if (typeof message === 'string') expect(told).toBe(message);
    else expect(told).toMatch(message);
  });
});

describe('prices', () => {
  it('are kept by the hour and the kWh', async () => {
    const {cost} = await chatWith('cost: {device: 2.50 USD/hour, host: 1.20 USD/hour}\n');
    expect(cost).toMatchObject({device: 2.5, host: 1.2, energy: 0, sources: {host: {grade: 'assumed', source: 'the scenario'}, ssd: null}});
  });

  it('and powers that change nothing are a warning', async () => {
    const powered = await chatWith('', ['hardware.power=500 W']);
    expect(powered.warnings).toEqual([
      {code: 'no_effect', path: 'hardware.power', text: 'has no effect here: without cost.energy its cost is 0'},
    ]);
    const {warnings} = await chatWith('cost: {host: 1 USD/hour}\n');
    expect(warnings).toEqual([{code: 'no_effect', path: 'cost.host', text: 'has no effect here: without cost.device no cost is printed'}]);
  });
});

it.each([
  ['auto', {kind: 'auto'}],
  ['10 min', {kind: 'seconds', value: 600}],
  ['500', {kind: 'requests', value: 500}],
  ['0', {kind: 'requests', value: 0}],
])('a warm-up of %s is read by its form', async (text, warmup) => {
  expect((await chatWith(`run: {warmup: ${text}}\n`)).run.warmup).toEqual(warmup);
});

describe('sources', () => {
  it('are graded by their first word; a text alone counts as a datasheet', async () => {
    const {assumptions} = await chatWith(
      'sources: {slo.attainment: assumed, workload.arrivals.rate: "measured: access log", workload.kind: the ticket}\n',
    );
    expect(assumptions.filter(({path}) => ['slo.attainment', 'workload.arrivals.rate', 'workload.kind'].includes(path))).toEqual([
      {path: 'slo.attainment', value: '0.95', grade: 'assumed', source: 'the scenario'},
      {path: 'workload.arrivals.rate', value: '2 session/s', grade: 'measured', source: 'access log'},
      {path: 'workload.kind', value: 'chat', grade: 'datasheet', source: 'the ticket'},
    ]);
  });

  it('of paths that do not exist are refused', async () => {
    expect(await refusal({'a.yaml': `${chat}sources: {workload.tuns: assumed}\n`})).toBe(
      'a.yaml:7:11 sources.workload.tuns: "workload.tuns" is no key of a scenario',
    );
  });
});

describe('what is missing or misplaced', () => {
  it.each([
    [
      'hardware: h100-sxm\nengine: vllm\nworkload: {kind: chat, arrivals: 1 req/s}\n',
      'a.yaml:1:1 model: missing; e.g. "model: llama-3.1-8b"',
    ],
    [chat.replace('  arrivals: 2 session/s\n', ''), 'a.yaml:4:1 workload.arrivals: missing; e.g. "arrivals: 2 session/s"'],
    [`${chat}tiercast: 2\n`, 'a.yaml:7:11 tiercast: 2 is newer than what this version (0.1) reads: 1'],
    [chat.replace('engine: vllm', 'engine: {preset: vllm, tp: 4}'), 'a.yaml:3:24 engine.tp: unknown key (did you mean "parallel.tensor"?)'],
    [`${chat}tp: 4\n`, 'a.yaml:7:1 tp: unknown key (did you mean "engine.parallel.tensor"?)'],
    [chat.replace('engine: vllm', 'engine: {preset: vllm, ctx: 4}'), 'a.yaml:3:24 engine.ctx: unknown key (did you mean "max_model_len"?)'],
    [`${chat}kv: {tiers: {vram: 1 GiB}}\n`, 'a.yaml:7:14 kv.tiers.vram: unknown key (did you mean "hbm"?)'],
    [`${chat}kv: {max_num_seqs: 4}\n`, 'a.yaml:7:6 kv.max_num_seqs: unknown key (did you mean "scheduler.max_num_seqs"?)'],
    [`${chat}scheduler: 5\n`, /^a\.yaml:7:12 scheduler: 5 is not a map of keys, e\.g\. /],
    [`${chat}slo: {attainment: 90 %}\n`, 'a.yaml:7:19 slo.attainment: "90 %" is not a share: a number from 0 to 1, e.g. 0.9'],
    [`${chat}kv: {prefix_cache: yes}\n`, 'a.yaml:7:20 kv.prefix_cache: "yes" is not true or false'],
    [
      `${chat}kv: {tiers: {hbm: {eviction: siev}}}\n`,
      /^a\.yaml:7:30 kv\.tiers\.hbm\.eviction: unknown eviction policy "siev" \(did you mean "sieve"\?\)/,
    ],
    [`${chat}weights: {placement: mmap, read: {size: 1 MiB}}\n`, 'a.yaml:7:1 weights: known, not simulated by this version (0.1)'],
    [`${chat}weights: {placement: mmap, read: {size: 1 Mib}}\n`, /^a\.yaml:7:41 weights\.read\.size: "1 Mib" /],
    [
      chat.replace('vllm', 'tensorrt-llm'),
      'a.yaml:3:9 engine.preset: "tensorrt-llm" is known, not simulated by this version (0.1); simulated: vllm, sglang, llama.cpp, ideal',
    ],
  ])('%j', async (text, message) => {
    const told = await refusal({'a.yaml': text});
    if (typeof message === 'string') expect(told).toBe(message);
    else expect(told).toMatch(message);
  });
});
