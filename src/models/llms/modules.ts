import type {Layer} from './families/family.js';
import type {TensorClass} from './llm.js';

/** A weight matrix as checkpoints name it, with its share of work in bytes: the parameters it holds. */
export interface Module {
  readonly name: string;
  readonly tensorClass: TensorClass;
  readonly params: number;
}

/** The matrices of one layer under the names that quantisers list in `modules_to_not_convert`. */
export function layerModules({attention, feedForward}: Layer, index: number, hidden: number): Module[] {
  const prefix = `model.layers.${index}`;
  const found: Module[] = [];
  const add = (tensorClass: TensorClass, name: string, params: number) => {
    if (params > 0) found.push({name: `${prefix}.${name}`, tensorClass, params});
  };
  if (attention.kind === 'gqa') {
    const {heads, kvHeads, headDim, valueDim} = attention;
    add('attention', 'self_attn.q_proj', hidden * heads * headDim);
    add('attention', 'self_attn.k_proj', hidden * kvHeads * headDim);
    add('attention', 'self_attn.v_proj', hidden * kvHeads * valueDim);
    add('attention', 'self_attn.o_proj', hidden * heads * valueDim);
  } else {
    const {heads, qLoraRank, kvLoraRank, nopeDim, ropeDim, valueDim} = attention;
    if (qLoraRank === null) add('attention', 'self_attn.q_proj', hidden * heads * (nopeDim + ropeDim));
    else {
      add('attention', 'self_attn.q_a_proj', hidden * qLoraRank);
      add('attention', 'self_attn.q_b_proj', qLoraRank * heads * (nopeDim + ropeDim));
    }
    add('attention', 'self_attn.kv_a_proj_with_mqa', hidden * (kvLoraRank + ropeDim));
    add('attention', 'self_attn.kv_b_proj', kvLoraRank * heads * (nopeDim + valueDim));
    add('attention', 'self_attn.o_proj', hidden * heads * valueDim);
  }
  if (feedForward.kind === 'dense') {
    const names = feedForward.matrices === 3 ? ['gate_proj', 'up_proj', 'down_proj'] : ['fc1', 'fc2'];
    for (const name of names) add('mlp', `mlp.${name}`, hidden * feedForward.width);
  } else {
    const {experts, width, sharedWidth} = feedForward;
    for (const name of ['gate_proj', 'up_proj', 'down_proj']) {
      add('experts', `mlp.experts.0.${name}`, hidden * width * experts);
      add('shared_experts', `mlp.shared_experts.${name}`, hidden * sharedWidth);
    }
  }
  return found;
}

/**
 * Whether a `modules_to_not_convert` entry covers a module: an exact name, a parent of it, a `*` pattern, or a compressed-tensors `re:` entry.
 *
 * Regular expressions are read as `*` patterns and never run: a config file must not be able to hang the loader.
 */
export function covers(entry: string, module: string): boolean {
  const pattern = entry.startsWith('re:')
    ? entry
        .slice(3)
        .replace(/^\^|\$$/g, '')
        .replaceAll('.*', '*')
        .replaceAll('\\.', '.')
        .replaceAll('\\d+', '*')
    : entry;
  const parts = pattern.split('*');
  let at = 0;
  for (const [i, part] of parts.entries()) {
    const found = module.indexOf(part, at);
    if (found < 0 || (i === 0 && found !== 0)) return false;
    at = found + part.length;
  }
  return parts[parts.length - 1] === '' || at === module.length || module[at] === '.';
}
