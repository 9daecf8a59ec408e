import {describe, expect, it} from 'vitest';
import {evictionPolicies} from '../../../src/policies/eviction/index.js';
import {explain, explanationText} from '../../../src/sim/scenario/schema/explain.js';
import {find, paths} from '../../../src/sim/scenario/schema/index.js';
import {jsonSchema} from '../../../src/sim/scenario/schema/json-schema.js';

type Json = Record<string, unknown> & {properties?: Record<string, Json>; anyOf?: Json[]; $ref?: string};

describe('the JSON Schema', () => {
  const root = jsonSchema() as Json & {definitions: Record<string, Json>};

  /** A schema with its references followed, and all its alternatives. */
  function forms(schema: Json): Json[] {
    if (schema.$ref !== undefined) return forms(root.definitions[schema.$ref.replace('#/definitions/', '')]);
    const all = (schema.allOf as Json[] | undefined)?.flatMap(forms) ?? [];
    return [schema, ...all, ...(schema.anyOf ?? []).flatMap(forms)];
  }

  function at(path: string): Json[] {
    let here: Json[] = forms(root);
    for (const name of path.split('.')) {
      const next = here.flatMap((form) =>
        [form.properties?.[name], form.additionalProperties as Json | undefined].filter((one) => typeof one === 'object'),
      );
      here = next.flatMap((one) => forms(one!));
    }
    return here;
  }

  it('is draft 7, small enough for an editor, and knows every key', () => {
    expect(root.$schema).toBe('http://json-schema.org/draft-07/schema#');
    expect(JSON.stringify(root).length).toBeLessThan(160_000);
    for (const path of paths()) {
      if (path.includes('[') || path.startsWith('study.')) continue;
      const named = path.replaceAll('<m>', 'hbm').replaceAll('<dtype>', 'bf16').replace(/<\w+>/g, 'x');
      expect(at(named), path).not.toEqual([]);
    }
  });

  it('lists the names of a key, takes expressions where the loader does, and refuses other keys', () => {
    expect(at('scheduler.batching').flatMap((form) => (form.enum as string[]) ?? [])).toEqual(['continuous', 'static', 'request']);
    expect(at('scheduler.max_num_seqs').some((form) => String(form.pattern).includes('$'))).toBe(true);
    expect(at('scheduler.batching').some((form) => String(form.pattern).includes('$'))).toBe(false);
    expect(root.additionalProperties).toBe(false);
  });

  it('takes short forms', () => {
    expect(at('model').map((form) => form.type)).toEqual(expect.arrayContaining(['string', 'object']));
  });
});

describe('explain', () => {
  it('says type, unit, default, names and why of a key', () => {
    expect(explanationText(explain('slo.ttft'))).toBe(
      [
        'slo.ttft',
        '  longest time to first token of a good request',
        '  type      duration',
        '  unit      s, e.g. 500 ms',
        '  default   none',
      ].join('\n'),
    );
    expect(explain('kv.tiers.hbm.eviction')).toMatchObject({default: 'lru', names: Object.keys(evictionPolicies), simulated: true});
    expect(explain('kv.tiers.dram.scope')).toMatchObject({names: ['replica', 'host', 'cluster'], later: []});
    expect(explain('engine.preset').later).toContain('tensorrt-llm');
    expect(explain('model.name')).toMatchObject({default: 'required', listing: 'tiercast list models'});
  });

  it('says what is not simulated, below a key of a later version too', () => {
    expect(explain('weights.read.size').simulated).toBe(false);
    expect(explanationText(explain('experts.prefetch'))).toContain('known, not simulated by this version (0.1)');
  });

  it('lists the keys of a map', () => {
    expect(explain('workload.arrivals').keys.map(({path}) => path)).toEqual([
      'workload.arrivals.process',
      'workload.arrivals.rate',
      'workload.arrivals.cv',
      'workload.arrivals.sessions',
      'workload.arrivals.in_flight',
    ]);
    expect(explain('').keys.map(({path}) => path)).toEqual(expect.arrayContaining(['model', 'workload', 'study']));
  });

  it.each([
    ['slo.tftt', 'slo.ttft'],
    ['kv.vram', 'kv.tiers.hbm'],
    ['tp', 'engine.parallel.tensor'],
    ['ctx', 'engine.max_model_len'],
    ['max_num_seqs', 'scheduler.max_num_seqs'],
  ])('of %s asks whether %s was meant', (path, meant) => {
    expect(() => explain(path)).toThrow(`${JSON.stringify(path)} is no key of a scenario (did you mean "${meant}"?)`);
  });

  it('has an answer for every path', () => {
    for (const path of paths()) {
      expect(find(path), path).not.toBeNull();
      expect(explain(path).why, path).toMatch(/\S/);
    }
  });
});
