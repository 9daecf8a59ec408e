/** A built-in model: the fields of its published config.json that state the shape, and where they were read. */
export interface BuiltinConfig {
  readonly config: Readonly<Record<string, unknown>>;
  readonly source: string;
}

const aiconfigurator = 'github:ai-dynamo/aiconfigurator:aic-core/src/aiconfigurator_core/model_configs';
const litgptFile = 'github:Lightning-AI/litgpt:litgpt/config.py@26857050fe3f';
const opts = 'github:FMInference/FlexLLMGen:flexllmgen/opt_config.py@004ffef82b46';

/** A config.json as kept by aiconfigurator. */
export function aic(repository: string): string {
  return `${aiconfigurator}/${repository.replace('/', '--')}_config.json@095f58a51c4c`;
}

/** A config.json as kept by inference-sim. */
export function inferenceSim(name: string): string {
  return `github:inference-sim/inference-sim:model_configs/${name}/config.json@f90a1e3a6787`;
}

/** A shape as litgpt states it, in the words of config.json. */
export const litgpt = litgptFile;

/** A shape as FlexLLMGen states it. */
export const flexllmgen = opts;

/** Layers, hidden size, heads, key/value heads, feed-forward width: what differs between the sizes of a family. */
export function sized(layers: number, hidden: number, heads: number, kvHeads: number, width: number): Record<string, number> {
  return {
    num_hidden_layers: layers,
    hidden_size: hidden,
    num_attention_heads: heads,
    num_key_value_heads: kvHeads,
    intermediate_size: width,
  };
}
