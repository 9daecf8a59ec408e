import {type Flag, type Flags, named, type Refused, refused, same} from './flag.js';

const context: Flag = {paths: ['engine.max_model_len'], values: ofOneSlot};
const slots: Flag = {paths: ['scheduler.max_num_seqs', 'kv.unified'], values: severalSlots};
const batch = same('scheduler.max_num_batched_tokens');
const pieces = refused('the pieces that a step is computed in are not simulated: it is computed at once');
const formatOfKeys: Flag = {paths: ['kv.dtype'], values: (written, flags) => formats(written, valuesOf(flags))};
const formatOfValues: Flag = {paths: ['kv.dtype'], values: (written, flags) => sameAsKeys(written, flags)};
const layers: Flag = {paths: ['model.name'], values: allLayers};
const placement = refused('weights on the CPU are not simulated with this preset; all layers lie on the device');

/** llama-server's own flags (common/arg.cpp, underscores for dashes; the short forms, too) that map onto keys; every other flag is refused by name. */
export const llamaCppFlags: Readonly<Record<string, Flag>> = {
  b: batch,
  batch_size: batch,
  c: context,
  cache_prompt: same('kv.prefix_cache'),
  cache_ram: refused('prompts saved in host memory are not simulated; docs/engines.md says what is kept for reuse'),
  cache_reuse: refused('moving matching pieces inside a prompt is not simulated; prefixes are reused'),
  cache_type_k: formatOfKeys,
  cache_type_v: formatOfValues,
  cont_batching: named('scheduler.batching', {true: 'continuous'}),
  cpu_moe: placement,
  ctk: formatOfKeys,
  ctv: formatOfValues,
  ctx_size: context,
  gpu_layers: layers,
  kv_unified: same('kv.unified'),
  n_cpu_moe: placement,
  n_gpu_layers: layers,
  ncmoe: placement,
  ngl: layers,
  no_kv_offload: refused('KV in host memory is not simulated with this preset'),
  np: slots,
  ot: placement,
  override_tensor: placement,
  parallel: slots,
  split_mode: refused('layers split over devices are not simulated; engine.parallel.tensor splits rows'),
  ub: pieces,
  ubatch_size: pieces,
};

const formatNames = ['f16', 'bf16', 'f32', 'q8_0', 'q5_1', 'q5_0', 'q4_1', 'q4_0'];

/** The whole context, or what of it one of several slots has; 0 is the model's. */
function ofOneSlot(written: unknown, flags: Flags): [number | null] | undefined {
  if (typeof written !== 'number' || written < 0 || !Number.isInteger(written)) return undefined;
  const count = flags.parallel ?? flags.np ?? -1;
  const share = typeof count === 'number' && count > 0 && flags.kv_unified !== true ? count : 1;
  return [written === 0 ? null : Math.floor(written / share)];
}

/** A number of slots gives each its own context; -1 is four over one. */
function severalSlots(written: unknown, flags: Flags): [number | null, false | null] | undefined {
  if (written === -1) return [null, null];
  return typeof written === 'number' && written > 0 ? [written, flags.kv_unified === undefined ? false : null] : undefined;
}

function valuesOf(flags: Flags): unknown {
  return flags.cache_type_v ?? flags.ctv ?? 'f16';
}

/** Keys and values have one format here. */
function formats(keys: unknown, values: unknown): [string] | Refused | undefined {
  const name = String(keys);
  if (!formatNames.includes(name)) return undefined;
  if (name !== String(values)) return {refused: `keys in ${name} with values in ${values}: kv.dtype is one format for both`};
  return [name === 'f32' ? 'fp32' : name];
}

function sameAsKeys(values: unknown, flags: Flags): [string | null] | Refused | undefined {
  const keys = flags.cache_type_k ?? flags.ctk;
  const both = formats(keys ?? 'f16', values);
  return Array.isArray(both) && keys !== undefined ? [null] : both;
}

/** Numbers beyond any model's mean all layers. */
function allLayers(written: unknown): [null] | Refused {
  const all = written === 'all' || written === 'auto' || written === -1 || (typeof written === 'number' && written >= 99);
  return all
    ? [null]
    : {refused: `${String(written)} layers on the device: weights on the CPU are not simulated with this preset; all, or at least 99`};
}
