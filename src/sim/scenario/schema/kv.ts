import {kvFormatNames} from '../../../models/llms/kv.js';
import {offloads} from '../../../models/offloads/index.js';
import {blockAdmissionPolicies} from '../../../policies/admission/index.js';
import {evictionPolicies} from '../../../policies/eviction/index.js';
import {prefetchPolicies} from '../../../policies/prefetch/index.js';
import {policy} from './forms.js';
import {capacity, memoryNames} from './hardware.js';
import {family, group} from './node.js';
import {anything, count, flag, name, ratio, share, tokens} from './values.js';

const simulated = Object.keys(evictionPolicies);

const tier = group(
  'KV in one memory',
  {
    capacity: capacity('what KV may use of the memory, over the whole replica; for hbm only a cap', 'hbm derived'),
    eviction: policy('eviction policy', simulated, [], 'which block goes when room is needed', {says: 'lru', file: true}),
    admission: policy('admission policy', Object.keys(blockAdmissionPolicies), [], 'which of the blocks that are to be written come in', {
      says: 'all',
    }),
    watermark: group(
      'frees places in bulk, from `high` down to `low`; else one when one is needed',
      {high: share('places taken at which blocks leave'), low: share('places taken when enough have left')},
      {says: 'none'},
    ),
    write: group(
      'when a block is copied here: when it is computed, when it leaves the memory above, or once it was used so often',
      {
        policy: name('write policy', ['through', 'back', 'selective'], 'the policy'),
        after_touches: count('selective: uses before a block is written', {says: '2'}),
        counts: name(
          'use',
          ['hits', 'lookups', 'stay'],
          'selective: a use is a hit; a hit or computing the block; the same since it came to HBM',
          {
            says: 'hits',
          },
        ),
        generated: flag('through, nearest tier: whether generated blocks are written at once, or when they are part of a prompt', {
          says: "preset's",
        }),
      },
      {says: 'through', kindKey: 'policy', short: {key: () => 'policy', cited: 'as-written'}},
    ),
    of_hbm: ratio("capacity as a multiple of what KV has in the device's own memory, in place of capacity"),
    inclusive: flag('whether a block that is loaded to HBM also stays here', {says: 'true'}),
    promote: flag('whether what is loaded from here also comes into the memory above, where that is not HBM', {says: 'false'}),
    via: name('way', ['dram', 'direct'], 'whether bytes of an SSD or a remote memory are staged in DRAM, or go straight to the device', {
      says: 'dram',
    }),
    io: name('io', ['direct', 'page-cache'], 'an SSD: whether files are read and written past the page cache, or through it', {
      says: 'direct',
    }),
    scope: name('scope', ['replica', 'host', 'cluster'], 'who shares the tier: one for each replica, or one for all; all are on one host', {
      says: 'replica',
    }),
  },
  {short: {key: () => 'capacity', cited: 'as-written'}},
);

/** Keys about the KV cache. */
export const kv = group('the KV cache', {
  dtype: name('kv dtype', kvFormatNames, "format of keys and values; auto is the model's own", {
    says: "model's",
  }),
  block_size: tokens('tokens of a block', {says: "preset's"}),
  prefix_cache: flag('whether blocks with equal prefixes are shared', {default: true}),
  unified: flag('llama.cpp: whether one context of engine.max_model_len serves all slots, or each of scheduler.max_num_seqs has one', {
    says: 'true when max_num_seqs is not set',
  }),
  blocks: count('a measured number of blocks, for comparing with a deployment', {says: 'derived'}),
  chunk_size: tokens('tokens that the memories below keep, load and write together; a multiple of block_size', {says: 'block_size'}),
  preset: name('offload preset', Object.keys(offloads), 'how an engine keeps KV below HBM: its knobs set the keys that are not written'),
  args: family(
    "the preset's own knobs, names and units, verbatim; each sets the keys that it maps to",
    '<flag>',
    anything('value of the knob'),
  ),
  tiers: family('what KV may use of each memory', '<m>', tier, {names: memoryNames}),
  load: group(
    'load a prefix from below HBM, or recompute it',
    {
      policy: name('load policy', ['always', 'never', 'cheaper'], 'the policy'),
      min_tokens: tokens('a shorter load is computed', {least: 0, says: '0'}),
    },
    {says: 'always', kindKey: 'policy', short: {key: () => 'policy', cited: 'as-written'}},
  ),
  overlap: name('overlap', ['none', 'layer'], 'whether a prompt is computed after its prefix is loaded, or beside that, layer by layer', {
    says: "preset's",
  }),
  prefetch: policy('prefetch policy', Object.keys(prefetchPolicies), [], 'what is loaded before it is asked for', {says: 'none'}),
});
