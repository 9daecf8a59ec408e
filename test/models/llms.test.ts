import {describe, expect, it} from 'vitest';
import {
  builtinLlm,
  kvBytesPerToken,
  kvFormat,
  llmFromConfig,
  llmNames,
  paramCounts,
  weightBytes,
  weightBytesPerDevice,
  weightFormat,
  withQuantization,
} from '../../src/models/llms/index.js';
import {InputError} from '../../src/sim/core/errors.js';

const llama = {
  model_type: 'llama',
  hidden_size: 64,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  intermediate_size: 128,
  vocab_size: 100,
  max_position_embeddings: 512,
};

function faults(config: unknown): readonly string[] {
  try {
    llmFromConfig(config, 'tiny', 'test');
  } catch (error) {
    if (error instanceof InputError) return error.faults;
    throw error;
  }
  return [];
}

describe('reading a config.json', () => {
  it('counts a tiny Llama by hand', () => {
    const llm = llmFromConfig(llama, 'tiny', 'test');
    // attention 64·64 + 64·2·32 + 64·64, mlp 3·64·128, norms 2·64; twice; final norm 64; two vocabularies of 6,400
    expect(paramCounts(llm).total).toBe(2 * (4096 + 4096 + 4096 + 24_576 + 128) + 64 + 2 * 6400);
    expect(llm.layers).toHaveLength(1);
    expect(llm.layers[0].count).toBe(2);
  });

  it('reads tied embeddings once, and the head still works for each token', () => {
    const tied = paramCounts(llmFromConfig({...llama, tie_word_embeddings: true}, 'tiny', 'test'));
    const untied = paramCounts(llmFromConfig(llama, 'tiny', 'test'));
    expect(tied.total).toBe(untied.total - 6400);
    expect(tied.active).toBe(untied.active);
  });

  it('names every missing and absurd field at once', () => {
    const {hidden_size: _, ...rest} = llama;
    expect([...faults({...rest, num_hidden_layers: 0, vocab_size: '100'})].sort()).toEqual([
      'tiny: hidden_size: is missing; a Hugging Face config.json of this model_type states it',
      'tiny: num_hidden_layers: 0 is not a whole number from 1 to 1024',
      'tiny: vocab_size: "100" is not a whole number from 1 to 67108864',
    ]);
  });

  it('refuses heads that key/value heads do not divide, and more experts a token than there are', () => {
    expect(faults({...llama, num_key_value_heads: 3})).toEqual(['tiny: num_key_value_heads: 3 does not divide num_attention_heads 4']);
    expect(faults({...llama, model_type: 'mixtral', num_local_experts: 2, num_experts_per_tok: 4})).toEqual([
      'tiny: num_experts_per_tok: 4 experts a token are more than the 2 that exist',
    ]);
  });

  it.each([
    [{...llama, model_type: 'mamba'}, /model_type "mamba": this shape is not known; known: deepseek_v2/],
    [{...llama, model_type: '__proto__'}, /model_type "__proto__"/],
    [{}, /model_type is missing/],
    [[], /holds one object, this is a list/],
    ['text', /holds one object, this is string/],
    [null, /holds one object/],
  ])('refuses what is no known model: %j', (config, message) => {
    expect(() => llmFromConfig(config, 'tiny', 'test')).toThrow(message);
    expect(() => llmFromConfig(config, 'tiny', 'test')).toThrow(InputError);
  });

  it('an explicit head_dim wins over hidden_size / heads', () => {
    const llm = llmFromConfig({...llama, head_dim: 32}, 'tiny', 'test');
    expect(kvBytesPerToken(llm, weightFormat('bf16'))).toEqual({growing: 2 * 2 * (32 + 32) * 2, windowed: 0, window: null});
  });

  it('a Qwen window counts only with use_sliding_window, and from max_window_layers on', () => {
    const qwen = {...llama, model_type: 'qwen2', sliding_window: 16, max_window_layers: 1};
    const bytes = 2 * 2 * 16 * 2;
    expect(kvBytesPerToken(llmFromConfig(qwen, 'tiny', 'test'), weightFormat('bf16')).windowed).toBe(0);
    const used = llmFromConfig({...qwen, use_sliding_window: true}, 'tiny', 'test');
    expect(kvBytesPerToken(used, weightFormat('bf16'))).toEqual({growing: bytes, windowed: bytes, window: 16});
  });

  it('layer_types decide which layers slide; unknown types and wrong lengths are refused', () => {
    const gemma = {...llama, model_type: 'gemma2', head_dim: 16, sliding_window: 16};
    const typed = llmFromConfig({...gemma, layer_types: ['full_attention', 'full_attention']}, 'tiny', 'test');
    expect(kvBytesPerToken(typed, weightFormat('bf16')).windowed).toBe(0);
    expect(faults({...gemma, layer_types: ['full_attention', 'linear_attention']})[0]).toContain('"linear_attention" is not simulated');
    expect(faults({...gemma, layer_types: ['full_attention']})[0]).toContain('names 1 layers, num_hidden_layers is 2');
  });

  it('DeepSeek has dense first layers, then experts', () => {
    const groups = builtinLlm('deepseek-v3').layers.map(({count, feedForward}) => [count, feedForward.kind]);
    expect(groups).toEqual([
      [3, 'dense'],
      [58, 'moe'],
    ]);
  });

  it('Qwen MoE keeps mlp_only_layers dense', () => {
    const moe = {
      ...llama,
      model_type: 'qwen3_moe',
      num_experts: 4,
      num_experts_per_tok: 2,
      moe_intermediate_size: 32,
      mlp_only_layers: [0],
    };
    expect(llmFromConfig(moe, 'tiny', 'test').layers.map((g) => g.feedForward.kind)).toEqual(['dense', 'moe']);
  });
});

describe('quantization_config', () => {
  const format = (quantization_config: unknown, tensorClass: 'mlp' | 'attention' | 'head' | 'experts' = 'mlp') =>
    llmFromConfig({...llama, quantization_config}, 'tiny', 'test').formats[tensorClass];

  it.each([
    ['block fp8', {quant_method: 'fp8', weight_block_size: [128, 128]}, 1 + 4 / 16_384],
    ['fp8 per tensor', {quant_method: 'fp8'}, 1],
    ['awq', {quant_method: 'awq', bits: 4, group_size: 128}, (4 + 20 / 128) / 8],
    ['awq with w_bit', {quant_method: 'awq', w_bit: 4, q_group_size: 64}, (4 + 20 / 64) / 8],
    ['gptq per column', {quant_method: 'gptq', bits: 8, group_size: -1}, 1],
    [
      'compressed int4',
      {
        quant_method: 'compressed-tensors',
        format: 'pack-quantized',
        config_groups: {g: {weights: {num_bits: 4, type: 'int', group_size: 128}}},
      },
      (4 + 20 / 128) / 8,
    ],
    [
      'compressed fp8',
      {quant_method: 'compressed-tensors', format: 'float-quantized', config_groups: {g: {weights: {num_bits: 8, type: 'float'}}}},
      1,
    ],
    [
      'compressed nvfp4',
      {quant_method: 'compressed-tensors', format: 'nvfp4-pack-quantized', config_groups: {g: {weights: {num_bits: 4, type: 'float'}}}},
      0.5625,
    ],
    ['ModelOpt nvfp4', {quant_method: 'modelopt', quantization: {quant_algo: 'NVFP4', exclude_modules: ['lm_head']}}, 0.5625],
    ['bitsandbytes', {quant_method: 'bitsandbytes', load_in_4bit: true}, 0.5625],
  ])('%s: bytes per parameter of the linear layers; head and embeddings stay', (_name, config, bytes) => {
    expect(format(config).bytesPerParam).toBeCloseTo(bytes, 12);
    expect(format(config, 'head').bytesPerParam).toBe(2);
  });

  it('modules_to_not_convert keep their type: a pattern for all layers, or a share of them', () => {
    expect(format({quant_method: 'fp8', modules_to_not_convert: ['model.layers.*.self_attn']}, 'attention').name).toBe('bf16');
    expect(format({quant_method: 'fp8', modules_to_not_convert: ['re:.*self_attn.*']}, 'attention').name).toBe('bf16');
    expect(format({quant_method: 'fp8', modules_to_not_convert: ['model.layers.1']}, 'attention')).toEqual({
      name: 'fp8+bf16',
      bytesPerParam: 1.5,
      compute: 'fp8',
    });
    expect(format({quant_method: 'fp8', modules_to_not_convert: ['lm_head', 'model.layers.0.mlp.gate']}).name).toBe('fp8');
  });

  it('refuses an unknown method and bits that nobody has', () => {
    expect(faults({...llama, quantization_config: {quant_method: 'magic'}})[0]).toContain('"magic" is unknown; known: awq');
    expect(faults({...llama, quantization_config: {quant_method: 'gptq', bits: 5, group_size: 128}})[0]).toContain('bits 5');
  });
});

describe('weights', () => {
  const llm = builtinLlm('llama-3.1-8b');

  it('are two bytes a parameter in bf16', () => {
    expect(weightBytes(llm)).toBe(2 * 8_030_261_248);
  });

  it('in int4 keep the two vocabulary matrices and the norms in bf16', () => {
    const vocabulary = 2 * 128_256 * 4096;
    const norms = 65 * 4096;
    const rest = 8_030_261_248 - vocabulary - norms;
    expect(weightBytes(withQuantization(llm, 'int4'))).toBeCloseTo(2 * (vocabulary + norms) + (rest * (4 + 20 / 128)) / 8, 3);
  });

  it('in a GGUF type hold the vocabulary too; a map names classes, default the others', () => {
    const q4 = withQuantization(llm, 'Q4_K');
    expect(q4.formats.embeddings.bytesPerParam).toBe(4.5 / 8);
    const mixed = withQuantization(builtinLlm('deepseek-v3'), {experts: 'IQ2_XXS', default: 'Q4_K'});
    const experts = 58 * 256 * 3 * 7168 * 2048;
    expect(mixed.formats.experts.bytesPerParam).toBe(2.0625 / 8);
    expect(weightBytes(mixed)).toBeGreaterThan((experts * 2.0625) / 8);
    expect(weightBytes(mixed) / 1e9).toBeCloseTo(178.4, 0); // 168.6 of experts and 9.6 of the rest, norms and routers in bf16
  });

  it('GGUF types have their exact bits', () => {
    const bits = Object.fromEntries(
      ['Q8_0', 'Q6_K', 'Q5_K', 'Q4_K', 'Q4_0', 'Q3_K', 'Q2_K', 'IQ4_XS', 'IQ3_S', 'IQ2_XXS', 'IQ1_S', 'TQ1_0'].map((t) => [
        t,
        8 * weightFormat(t).bytesPerParam,
      ]),
    );
    expect(bits).toEqual({
      Q8_0: 8.5,
      Q6_K: 6.5625,
      Q5_K: 5.5,
      Q4_K: 4.5,
      Q4_0: 4.5,
      Q3_K: 3.4375,
      Q2_K: 2.625,
      IQ4_XS: 4.25,
      IQ3_S: 3.4375,
      IQ2_XXS: 2.0625,
      IQ1_S: 1.5625,
      TQ1_0: 1.6875,
    });
  });

  it('refuse unknown formats and classes by name', () => {
    expect(() => withQuantization(llm, 'fp7')).toThrow(/unknown weight format "fp7"/);
    expect(() => withQuantization(llm, {router: 'fp8'} as never)).toThrow(
      /model\.quantization\.router: unknown tensor class; known: default, attention/,
    );
  });

  it('under tensor parallelism: one device holds a share, norms whole; all devices together at least the model', () => {
    const norms = 65 * 4096;
    expect(weightBytesPerDevice(llm, 4)).toBe((2 * (8_030_261_248 - norms)) / 4 + 2 * norms);
    for (const name of llmNames) {
      const model = builtinLlm(name);
      expect(2 * weightBytesPerDevice(model, 2), name).toBeGreaterThanOrEqual(weightBytes(model) - 1);
    }
  });

  it('key/value projections are copied when devices outnumber the heads', () => {
    const qwen = builtinLlm('qwen3-30b-a3b'); // 4 key/value heads of 128, 48 layers, hidden 2048
    const even = weightBytesPerDevice(qwen, 4);
    const copied = weightBytesPerDevice(qwen, 8);
    const halfKv = 48 * 2048 * 256 * 2; // one head's keys and values
    expect(copied).toBeGreaterThan(even / 2 + halfKv / 2 - 1);
  });
});

describe('cached keys and values', () => {
  it('in fp8 take half; a latent in the layout of vLLM 656 B a token and layer', () => {
    const deepseek = builtinLlm('deepseek-v3');
    expect(kvBytesPerToken(deepseek, kvFormat('fp8', deepseek)).growing).toBe(70_272 / 2);
    expect(kvBytesPerToken(deepseek, kvFormat('fp8_ds_mla', deepseek)).growing).toBeCloseTo(61 * 656, 6);
    expect(() => kvFormat('fp8_ds_mla', builtinLlm('llama-3.1-8b'))).toThrow(/latent attention/);
    expect(() => kvFormat('fp9', deepseek)).toThrow(/unknown kv dtype "fp9"/);
  });

  it('are split over devices by heads, and copied beyond', () => {
    const llm = builtinLlm('llama-3.1-8b');
    expect(kvBytesPerToken(llm, kvFormat('auto', llm), 8).growing).toBe(131_072 / 8);
    expect(kvBytesPerToken(llm, kvFormat('auto', llm), 16).growing).toBe(131_072 / 8);
  });
});

it('at least 30 models are built in, each with a source, and each is read without a fault', () => {
  expect(llmNames.length).toBeGreaterThanOrEqual(30);
  for (const name of llmNames) {
    const llm = builtinLlm(name);
    expect(llm.source, name).toMatch(/^(github:|https:)/);
    expect(name).toMatch(/^[a-z0-9.-]+$/);
    expect(paramCounts(llm).active, name).toBeLessThanOrEqual(paramCounts(llm).total);
  }
  expect(() => builtinLlm('llama-3.1-9b')).toThrow(/did you mean "llama-3\.1-8b"/);
});
