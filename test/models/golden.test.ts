import {existsSync, readFileSync} from 'node:fs';
import {expect, it} from 'vitest';
import {builtinLlm, kvBytesPerToken, kvFormat, llmFromConfig, paramCounts} from '../../src/models/llms/index.js';

const bf16 = kvFormat('bf16', builtinLlm('llama-3.1-8b'));

/** Published parameter totals; active = weights used for one token, head included, embedding lookup excluded. */
const params: readonly (readonly [name: string, total: number, active: number | null])[] = [
  ['llama-3.1-8b', 8_030_261_248, null],
  ['qwen3-8b', 8_190_735_360, null],
  ['mixtral-8x7b', 46_702_792_704, 12_748_853_248],
  ['qwen3-30b-a3b', 30_532_122_624, 3_041_867_776],
  ['deepseek-v3', 671_026_419_200, 36_625_618_432],
  ['gpt-oss-20b', 20_914_757_184, 3_608_307_264],
  ['gpt-oss-120b', 116_829_156_672, 5_132_849_472],
  ['opt-6.7b', 6_658_473_984, null],
  ['llama-2-7b', 6_738_415_616, null],
  ['phi-2', 2_779_683_840, null],
  ['gemma-2-9b', 9_241_705_984, null],
  ['qwen2.5-7b', 7_615_616_512, null],
];

it.each(params)('%s has %d parameters', (name, total, active) => {
  const counted = paramCounts(builtinLlm(name));
  expect(counted.total).toBe(total);
  if (active !== null) expect(counted.active).toBe(active);
  expect(Object.values(counted.byClass).reduce((a, b) => a + b, 0)).toBe(total);
});

/** Bytes a token with two-byte keys and values: growing, in layers with a window, the window. */
const caches: readonly (readonly [name: string, growing: number, windowed: number, window: number | null])[] = [
  ['llama-3.1-8b', 131_072, 0, null],
  ['mixtral-8x7b', 131_072, 0, null],
  ['qwen3-8b', 147_456, 0, null],
  ['qwen3-30b-a3b', 98_304, 0, null],
  ['deepseek-v3', 70_272, 0, null],
  ['gpt-oss-120b', 36_864, 36_864, 128],
  ['gpt-oss-20b', 24_576, 24_576, 128],
  ['opt-6.7b', 524_288, 0, null],
  ['llama-2-7b', 524_288, 0, null],
  ['llama-3.1-405b', 516_096, 0, null],
  ['deepseek-v2-lite', 31_104, 0, null],
  ['qwen2.5-7b', 57_344, 0, null],
  ['phi-4', 204_800, 0, null],
  ['gemma-2-9b', 172_032, 172_032, 4096],
  ['gemma-3-12b', 65_536, 327_680, 1024],
];

it.each(caches)('%s caches %d B a token that grow and %d B in sliding layers', (name, growing, windowed, window) => {
  expect(kvBytesPerToken(builtinLlm(name), bf16)).toEqual({growing, windowed, window});
});

it('a Gemma 3 config that leaves head_dim out means 256, the default of its class, and not hidden_size / heads', () => {
  const text = {
    model_type: 'gemma3_text',
    hidden_size: 3840,
    intermediate_size: 15_360,
    num_attention_heads: 16,
    num_hidden_layers: 48,
    num_key_value_heads: 8,
    sliding_window: 1024,
  };
  const config = {model_type: 'gemma3', text_config: text, torch_dtype: 'bfloat16'};
  expect(kvBytesPerToken(llmFromConfig(config, 'gemma', 'test'), bf16)).toEqual({growing: 65_536, windowed: 327_680, window: 1024});
  // Read naively, 3840 / 16 = 240: the figure that other tables print.
  const naive = llmFromConfig({...config, text_config: {...text, head_dim: 240}}, 'gemma', 'test');
  expect(kvBytesPerToken(naive, bf16)).toEqual({growing: 61_440, windowed: 307_200, window: 1024});
});

const folder = '../shared/formats/examples/hf_configs';
const absent = !existsSync(folder);

/** Real config files beside the repository, by the built-in model of the same shape. */
const files: readonly (readonly [file: string, name: string])[] = [
  ['real_meta-llama--Meta-Llama-3.1-8B', 'llama-3.1-8b'],
  ['real_Qwen--Qwen3-8B', 'qwen3-8b'],
  ['real_Qwen--Qwen3-30B-A3B', 'qwen3-30b-a3b'],
  ['real_mistralai--Mixtral-8x7B-v0.1', 'mixtral-8x7b'],
  ['real_deepseek-ai--DeepSeek-V3', 'deepseek-v3'],
  ['real_openai--gpt-oss-20b', 'gpt-oss-20b'],
  ['real_openai--gpt-oss-120b', 'gpt-oss-120b'],
  ['reconstructed_facebook--opt-6.7b', 'opt-6.7b'],
];

it.skipIf(absent).each(files)(`the config file %s has the shape of %s (skipped without ${folder})`, (file, name) => {
  const read = llmFromConfig(JSON.parse(readFileSync(`${folder}/${file}.config.json`, 'utf8')), name, 'test');
  const {source: _built, ...builtin} = builtinLlm(name);
  const {source: _file, ...shape} = read;
  expect(shape).toEqual(builtin);
});

it.skipIf(absent)('Qwen3-30B-A3B-FP8 keeps head and embeddings in bf16 and holds the rest in block-scaled fp8', () => {
  const llm = llmFromConfig(JSON.parse(readFileSync(`${folder}/real_Qwen--Qwen3-30B-A3B-FP8.config.json`, 'utf8')), 'fp8', 'test');
  expect(llm.formats.experts).toEqual({name: 'fp8', bytesPerParam: 1 + 4 / 16_384, compute: 'fp8'});
  expect(llm.formats.head.name).toBe('bf16');
});

it.skipIf(absent)('DeepSeek-V3.1-NVFP4 leaves the latent projections of its attention in bf16 and converts their output', () => {
  const config = JSON.parse(readFileSync(`${folder}/real_deepseek-ai--DeepSeek-V3.config.json`, 'utf8'));
  const quantized = JSON.parse(readFileSync(`${folder}/real_nvidia--DeepSeek-V3.1-NVFP4.hf_quant_config.json`, 'utf8'));
  const llm = llmFromConfig({...config, quantization_config: {quant_method: 'modelopt', ...quantized}}, 'nvfp4', 'test');
  expect(llm.formats.experts.name).toBe('nvfp4');
  expect(llm.formats.attention.name).toBe('nvfp4+bf16');
  const output = 128 * 128 * 7168;
  const rest = 7168 * 1536 + 1536 * 128 * 192 + 7168 * 576 + 512 * 128 * 256;
  expect(llm.formats.attention.bytesPerParam).toBeCloseTo((output * 0.5625 + rest * 2) / (output + rest), 12);
});
