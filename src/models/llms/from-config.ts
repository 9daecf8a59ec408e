import {InputError} from '../../sim/core/errors.js';
import {ConfigReader} from './config-reader.js';
import type {Layer} from './families/family.js';
import {families} from './families/index.js';
import type {LayerGroup, Llm} from './llm.js';
import {layerModules} from './modules.js';
import {formatsFromConfig} from './quantization.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The shape that a Hugging Face config.json states.
 *
 * Of a multimodal config the text part is read. Throws InputError naming every missing or absurd field, or the known families when `model_type` is none of them.
 */
export function llmFromConfig(config: unknown, name: string, source: string): Llm {
  const outer = object(config, name);
  const fields = {...object(outer.text_config ?? outer.llm_config ?? outer.language_config ?? outer, name)};
  for (const key of ['quantization_config', 'torch_dtype', 'dtype', 'tie_word_embeddings']) {
    if (fields[key] === undefined && outer[key] !== undefined) fields[key] = outer[key];
  }
  const type = fields.model_type;
  if (typeof type !== 'string' || !Object.hasOwn(families, type)) {
    throw new InputError(
      `${name}: model_type ${JSON.stringify(type) ?? 'is missing'}: this shape is not known; known: ${Object.keys(families).join(', ')}`,
    );
  }
  const family = families[type];
  const reader = new ConfigReader({...family.defaults, ...withoutNulls(fields)});
  const hidden = reader.count('hidden_size');
  const layers = family.layers(reader);
  const llm = {
    name,
    family: type,
    hidden,
    vocab: reader.count('vocab_size'),
    maxPositions: reader.count('max_position_embeddings'),
    tiedEmbeddings: reader.flag('tie_word_embeddings', family.tied),
    layers: groupEqual(layers),
    otherParams: family.otherParams(reader),
    formats: formatsFromConfig(
      reader,
      fields,
      layers.flatMap((layer, index) => layerModules(layer, index, hidden)),
    ),
    source,
  };
  if (reader.faults.length > 0) throw new InputError([...new Set(reader.faults)].map((fault) => `${name}: ${fault}`));
  return llm;
}

function object(value: unknown, name: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new InputError(`${name}: a config.json holds one object, this is ${Array.isArray(value) ? 'a list' : typeof value}`);
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

/** Gathers equal layers, in order of first appearance. */
function groupEqual(layers: readonly Layer[]): LayerGroup[] {
  const groups = new Map<string, LayerGroup>();
  for (const layer of layers) {
    const key = JSON.stringify(layer);
    groups.set(key, {...layer, count: (groups.get(key)?.count ?? 0) + 1});
  }
  return [...groups.values()];
}
