import {dtypes, type Flag, type Flags, named, type Refused, refused, same, text} from './flag.js';

/** `max_prefill_tokens` when nobody says. */
const MAX_PREFILL_TOKENS = 16_384;

/** SGLang's own flags (server_args.py@04653fa, underscores for dashes) that map onto keys; every other flag is refused by name. */
export const sglangFlags: Readonly<Record<string, Flag>> = {
  chunked_prefill_size: {paths: ['scheduler.max_num_batched_tokens', 'scheduler.chunked_prefill'], values: chunks},
  context_length: same('engine.max_model_len'),
  cuda_graph_max_bs: refused('graphs follow the memory of the device; mem_fraction_static sets what is kept free for them'),
  disable_radix_cache: named('kv.prefix_cache', {true: false, false: true}),
  dtype: named('model.activation_dtype', dtypes),
  ep: same('engine.parallel.expert'),
  ep_size: same('engine.parallel.expert'),
  expert_parallel_size: same('engine.parallel.expert'),
  enable_mixed_chunk: named('scheduler.policy.steps', {true: 'mixed', false: 'prefill-first'}),
  kv_cache_dtype: {paths: ['kv.dtype'], values: (written) => [dtypes[String(written)] ?? String(written)]},
  max_prefill_tokens: {paths: ['scheduler.max_num_batched_tokens'], values: wholePrompts},
  max_queued_requests: same('scheduler.queue_limit'),
  max_running_requests: same('scheduler.max_num_seqs'),
  mem_fraction_static: same('engine.gpu_memory_utilization'),
  moe_a2a_backend: {paths: ['engine.parallel.exchange', 'engine.parallel.expert'], values: a2a},
  page_size: same('kv.block_size'),
  prefill_max_requests: refused('prompts of a step are bound by their tokens only'),
  quantization: text('model.quantization.default'),
  radix_eviction_policy: named('kv.tiers.hbm.eviction.policy', {lru: 'lru', lfu: 'lfu'}),
  schedule_conservativeness: refused(
    'room kept for tokens to come (new_token_ratio) is not simulated; scheduler.admission: kv-pressure keeps a share of the KV free',
  ),
  schedule_policy: {paths: ['scheduler.policy.policy'], values: order},
  tensor_parallel_size: same('engine.parallel.tensor'),
  tp: same('engine.parallel.tensor'),
  tp_size: same('engine.parallel.tensor'),
};

/** DeepEP spreads the experts over all devices, whatever ep_size says (server_args.py). */
function a2a(written: unknown, flags: Flags): [string, number | null] | Refused | undefined {
  if (written === 'none') return ['all-reduce', null];
  if (written !== 'deepep') return undefined;
  const size = ['tp', 'tp_size', 'tensor_parallel_size'].map((name) => flags[name]).find((one) => typeof one === 'number');
  const isSaid = ['ep', 'ep_size', 'expert_parallel_size'].some((name) => Object.hasOwn(flags, name));
  return ['all-to-all', isSaid || typeof size !== 'number' ? null : size];
}

const orders = ['fcfs', 'lpm', 'priority'];
const otherOrders = ['random', 'dfs-weight', 'lof', 'routing-key'];

function order(written: unknown): [string] | Refused | undefined {
  const name = String(written);
  if (orders.includes(name)) return [name];
  return otherOrders.includes(name) ? {refused: `the order ${name} is not simulated; ${orders.join(', ')} are`} : undefined;
}

/** Tokens of a step's chunks; without chunks, of the whole prompts of a step. */
function chunks(written: unknown, {max_prefill_tokens: whole}: Flags): [number, null] | [number | null, false] | undefined {
  if (written === -1) return [typeof whole === 'number' ? null : MAX_PREFILL_TOKENS, false];
  return typeof written === 'number' && written > 0 ? [written, null] : undefined;
}

/** Without chunks the budget of a step; with them it must not be the tighter of the two. */
function wholePrompts(written: unknown, {chunked_prefill_size: chunk = MAX_PREFILL_TOKENS}: Flags): [number | null] | undefined {
  if (typeof written !== 'number') return undefined;
  if (chunk === -1) return [written];
  return written >= Number(chunk) ? [null] : undefined;
}
