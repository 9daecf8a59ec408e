import type {ConfigReader} from './config-reader.js';
import {blended, blockFp8, groupedInt, weightFormat} from './formats.js';
import type {TensorClass, WeightFormat} from './llm.js';
import {covers, type Module} from './modules.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a checkpoint's quantiser did: the format, the classes it took, and the modules it left alone. */
interface Quantized {
  readonly format: WeightFormat;
  readonly classes: readonly TensorClass[];
  readonly except: readonly string[];
}

const linearClasses: readonly TensorClass[] = ['attention', 'mlp', 'experts', 'shared_experts'];

/** Every quantisation method by the `quant_method` that configs use; each reads its own keys (FORMATS: fp8, mxfp4, compressed-tensors, ModelOpt, AWQ, GPTQ, bitsandbytes). */
const methods: Readonly<Record<string, (fields: Fields, config: ConfigReader) => Quantized | null>> = {
  awq: grouped,
  bitsandbytes: (fields) =>
    fields.load_in_4bit === true ? linear({...weightFormat('int4'), bytesPerParam: 4.5 / 8}, fields) : linear(weightFormat('int8'), fields),
  'compressed-tensors': compressedTensors,
  fbgemm_fp8: (fields) => linear(weightFormat('fp8'), fields),
  fp8: (fields, config) => linear(fp8(fields, config), fields),
  gptq: grouped,
  modelopt: modelOpt,
  mxfp4: (fields) => ({...linear(weightFormat('mxfp4'), fields), classes: ['experts']}),
};

/** Weight formats of every tensor class, from `dtype` and `quantization_config`; faults go to `config`. */
export function formatsFromConfig(config: ConfigReader, fields: Fields, modules: readonly Module[]): Record<TensorClass, WeightFormat> {
  const plain = plainFormat(config);
  const formats: Record<TensorClass, WeightFormat> = {
    attention: plain,
    mlp: plain,
    experts: plain,
    shared_experts: plain,
    embeddings: plain,
    head: plain,
  };
  const quantization = fields.quantization_config ?? (fields.producer === undefined ? null : {quant_method: 'modelopt', ...fields});
  if (quantization === null || typeof quantization !== 'object') return formats;
  const method = String((quantization as Fields).quant_method ?? '');
  if (!Object.hasOwn(methods, method)) {
    config.fault('quantization_config.quant_method', `${JSON.stringify(method)} is unknown; known: ${Object.keys(methods).join(', ')}`);
    return formats;
  }
  const quantized = methods[method](quantization as Fields, config);
  if (quantized === null) return formats;
  for (const tensorClass of quantized.classes) {
    formats[tensorClass] = blended(quantized.format, plain, shareLeftAlone(modules, tensorClass, quantized.except));
  }
  return formats;
}

const plainTypes: Readonly<Record<string, string>> = {bfloat16: 'bf16', float16: 'fp16', float32: 'fp32'};

function plainFormat(config: ConfigReader): WeightFormat {
  const type = String(config.value('dtype') ?? config.value('torch_dtype') ?? 'bfloat16').replace(/^torch\./, '');
  if (!Object.hasOwn(plainTypes, type)) config.fault('torch_dtype', `"${type}" is unknown; known: ${Object.keys(plainTypes).join(', ')}`);
  return weightFormat(plainTypes[type] ?? 'bf16');
}

/** Share of a class's parameters that the entries name, 0…1. */
function shareLeftAlone(modules: readonly Module[], tensorClass: TensorClass, entries: readonly string[]): number {
  let all = 0;
  let left = 0;
  for (const module of modules) {
    if (module.tensorClass !== tensorClass) continue;
    all += module.params;
    if (entries.some((entry) => covers(entry, module.name))) left += module.params;
  }
  return all === 0 ? 0 : left / all;
}

function linear(format: WeightFormat, fields: Fields): Quantized {
  return {
    format,
    classes: linearClasses,
    except: strings(fields.modules_to_not_convert, fields.ignored_layers, fields.ignore, fields.exclude_modules),
  };
}

function strings(...lists: readonly unknown[]): string[] {
  return lists.flatMap((list) => (Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : []));
}

function fp8(fields: Fields, config: ConfigReader): WeightFormat {
  const block = fields.weight_block_size;
  if (block === undefined || block === null) return weightFormat('fp8');
  if (Array.isArray(block) && block.length === 2 && block.every((side) => Number.isInteger(side) && side > 0))
    return blockFp8(block[0], block[1]);
  config.fault('quantization_config.weight_block_size', `${JSON.stringify(block)} is not two positive whole numbers`);
  return weightFormat('fp8');
}

function grouped(fields: Fields, config: ConfigReader): Quantized | null {
  const bits = fields.bits ?? fields.w_bit;
  const group = fields.group_size ?? fields.q_group_size ?? -1;
  if (!validInt(bits, group, config)) return null;
  return linear(groupedInt(bits as number, group as number), fields);
}

function validInt(bits: unknown, group: unknown, config: ConfigReader): boolean {
  const good = [2, 3, 4, 8].includes(bits as number) && Number.isInteger(group) && ((group as number) === -1 || (group as number) > 0);
  if (!good)
    config.fault(
      'quantization_config',
      `bits ${JSON.stringify(bits)}, group_size ${JSON.stringify(group)}: bits are 2, 3, 4 or 8, the group is -1 or positive`,
    );
  return good;
}

function compressedTensors(fields: Fields, config: ConfigReader): Quantized | null {
  const groups = fields.config_groups;
  const first = typeof groups === 'object' && groups !== null ? (Object.values(groups)[0] as Fields | undefined) : undefined;
  const weights = first?.weights as Fields | undefined;
  if (typeof weights !== 'object' || weights === null) {
    config.fault('quantization_config.config_groups', 'names no weights; a group states weights.num_bits and weights.type');
    return null;
  }
  const kind = String(fields.format ?? '');
  if (kind.startsWith('nvfp4')) return linear(weightFormat('nvfp4'), fields);
  if (kind.startsWith('mxfp4')) return linear(weightFormat('mxfp4'), fields);
  if (weights.type === 'float' && weights.num_bits === 8) return linear(weightFormat('fp8'), fields);
  const group = weights.group_size ?? -1;
  if (!validInt(weights.num_bits, group, config)) return null;
  const activations = first?.input_activations;
  const both = weights.num_bits === 8 && activations !== null && activations !== undefined;
  return linear(both ? weightFormat('int8') : groupedInt(weights.num_bits as number, group as number), fields);
}

function modelOpt(fields: Fields, config: ConfigReader): Quantized | null {
  const inner = (typeof fields.quantization === 'object' && fields.quantization !== null ? fields.quantization : fields) as Fields;
  const algorithm = String(inner.quant_algo ?? '');
  const names: Readonly<Record<string, string>> = {FP8: 'fp8', NVFP4: 'nvfp4', W4A16_AWQ: 'int4', INT4_AWQ: 'int4', MXFP4: 'mxfp4'};
  if (!Object.hasOwn(names, algorithm)) {
    config.fault('quantization.quant_algo', `${JSON.stringify(algorithm)} is unknown; known: ${Object.keys(names).join(', ')}`);
    return null;
  }
  return linear(weightFormat(names[algorithm]), inner);
}
