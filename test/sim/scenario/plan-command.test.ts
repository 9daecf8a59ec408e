import {describe, expect, it} from 'vitest';
import {llmNames} from '../../../src/models/llms/index.js';
import {InfeasibleError, InputError} from '../../../src/sim/core/errors.js';
import {columns} from '../../../src/sim/scenario/commands/columns.js';
import {listed} from '../../../src/sim/scenario/commands/list.js';
import {listText} from '../../../src/sim/scenario/commands/lists.js';
import type {PlanArguments} from '../../../src/sim/scenario/commands/plan.js';
import {printPlan} from '../../../src/sim/scenario/commands/print-plan.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {decodeSpeed} from '../../../src/sim/scenario/plan-table.js';
import {plainScenario} from '../../support/plain-scenario.js';

const none: PlanArguments = {
  scenario: undefined,
  model: undefined,
  device: undefined,
  engine: undefined,
  quantization: undefined,
  tensor: undefined,
  memory: undefined,
  context: undefined,
  set: [],
  json: false,
  allowCode: false,
};

async function plan(args: Partial<PlanArguments>): Promise<string> {
  let text = '';
  await printPlan(
    {...none, ...args},
    (more) => (text += more),
    () => {},
  );
  return text;
}

describe('plan from flags', () => {
  it('prints the scenario it built, the derivation with grades, and what that allows', async () => {
    const text = await plan({model: 'llama-3.1-8b', device: 'rtx-4090', context: 32_768, set: ['engine.version=0.19.0']});
    expect(text).toContain('  max_model_len: 32768');
    expect(text).toMatch(/^ {2}activations +− 0\.2 GiB +assumed +2,048 tokens × \(3 × 4,096 \+ 3 × 14,336 \/ 1\) × 2 B$/m);
    expect(text).toContain('FITS: 40,864 tokens of KV in 2,554 blocks of 16, 131,072 B a token in bf16');
    expect(text).toContain('largest context 32,768 tokens · largest batch 1 of these at once');
    expect(text).not.toContain('\u001b');
  });

  it('prints one JSON document and nothing else with --json', async () => {
    const document = JSON.parse(await plan({model: 'llama-3.1-8b', device: 'h100-sxm', json: true}));
    expect(document).toMatchObject({
      schema: 'tiercast.plan/1',
      status: 'ok',
      plan: {kv_bytes_per_token: 131_072, params_total: 8_030_261_248},
    });
    expect(document.decode.limit_tokens_per_s).toBeGreaterThan(document.decode.expected_tokens_per_s);
  });

  it('quantises by class', async () => {
    const document = JSON.parse(
      await plan({model: 'deepseek-v3', device: 'h200-sxm', tensor: 8, quantization: 'experts=IQ2_XXS,default=Q4_K', json: true}),
    );
    const weights = document.plan.memories.hbm.weights_bytes;
    expect(weights / 1e9).toBeGreaterThan(178);
    expect(weights / 1e9).toBeLessThan(190); // latent projections are on every device
  });

  it('says what is needed, offered and near when it does not fit; with --json that is the document', async () => {
    await expect(plan({model: 'llama-3.1-70b', device: 'h100-sxm'})).rejects.toThrow(InfeasibleError);
    let text = '';
    const run = printPlan(
      {...none, model: 'llama-3.1-70b', device: 'h100-sxm', json: true},
      (more) => (text += more),
      () => {},
    );
    await expect(run).rejects.toThrow(InfeasibleError);
    expect(JSON.parse(text)).toMatchObject({status: 'infeasible', reason: expect.stringContaining('131.4 GiB')});
    expect(JSON.parse(text).nearest.length).toBeGreaterThan(2);
  });

  it('asks for a scenario or flags when it has neither', async () => {
    await expect(plan({model: 'llama-3.1-8b'})).rejects.toThrow(InputError);
  });
});

it('flags beside a scenario file change its keys', async () => {
  const document = JSON.parse(await plan({scenario: 'scenarios/examples/h100-chat.yaml', quantization: 'int4', context: 8192, json: true}));
  expect(document.plan.max_model_len_tokens).toBe(8192);
  expect(document.plan.memories.hbm.weights_bytes).toBeLessThan(6e9);
});

it('decode of one sequence is bound by reading weights and cache once', () => {
  const scenario = plainScenario({device: 'rtx-4090'}, {maxModelLen: 16_384});
  const {limitTokensPerSecond, boundBy} = decodeSpeed(scenario, planMemory(scenario));
  const bytes = 2 * (8_030_261_248 - 128_256 * 4096) + 16_384 * 131_072; // embedding lookup apart
  expect(limitTokensPerSecond / (1.008e12 / bytes)).toBeCloseTo(1, 2);
  expect(boundBy).toBe('hbm');
});

describe.each(listed)('list %s', (what) => {
  it('has a head and aligned rows, and the same rows as JSON', () => {
    const lines = listText({what, match: undefined, json: false}).trimEnd().split('\n');
    const rows = JSON.parse(listText({what, match: undefined, json: true}))[what];
    expect(lines.length).toBe(rows.length + 1);
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(typeof row.name).toBe('string');
  });

  it('--match keeps rows that contain the text, in any case', () => {
    const [first] = JSON.parse(listText({what, match: undefined, json: true}))[what];
    const found = JSON.parse(listText({what, match: first.name.toUpperCase(), json: true}))[what];
    expect(found).toContainEqual(first);
    expect(JSON.parse(listText({what, match: 'no such thing', json: true}))[what]).toEqual([]);
  });
});

it('list names every built-in model, and an unknown list is refused with the nearest', () => {
  const rows: {name: string}[] = JSON.parse(listText({what: 'models', match: undefined, json: true})).models;
  expect(rows.map(({name}) => name)).toEqual(llmNames);
  expect(() => listText({what: 'model', match: undefined, json: false})).toThrow(/unknown list "model" \(did you mean "models"\?\)/);
});

it('columns sets numbers to the right and text to the left', () => {
  expect(
    columns([
      ['name', 'GiB'],
      ['a', '9.5'],
      ['bb', '10.0'],
      ['c', '–'],
    ]),
  ).toEqual(['name   GiB', 'a      9.5', 'bb    10.0', 'c        –']);
});
