import {policy} from './forms.js';
import {memoryNames} from './hardware.js';
import {family, group, sequence} from './node.js';
import {count, either, name, quantity, share, text} from './values.js';

const placements = ['resident', 'layer-stream', 'expert-cache', 'mmap', 'by-rule', 'llama.cpp', 'flexgen', 'fiddler', 'ktransformers'];

/** Keys about where weights lie. */
export const weights = group(
  'where weights lie and how they are read',
  {
    placement: policy('placement', placements, [], 'resident in one memory, streamed, cached, or computed where they lie', {
      says: 'resident',
    }),
    tiers: family(
      'budget of each memory; what one cannot hold overflows to the next',
      '<m>',
      either('bytes, share or rest', ['rest'], [quantity('bytes', 'the budget'), share('the budget')], 'the budget', {
        says: 'all in the first',
      }),
      {names: memoryNames},
    ),
    rules: sequence(
      'first match wins',
      group('one rule', {
        match: text('a tensor class, `layers 0-9`, or /regex/ on tensor names'),
        tier: name('memory', memoryNames, 'where it lies'),
        compute: name('processor', ['device', 'cpu'], 'who computes it'),
      }),
    ),
    stream: group('layer streaming', {
      prefetch_layers: count('layers loaded ahead', {default: 1, least: 0}),
      buffers: count('layers that are held', {default: 2}),
    }),
    read: group('how storage is read', {
      path: name('way', ['direct', 'bounce', 'mmap'], 'way of a read', {default: 'bounce'}),
      size: quantity('bytes', 'bytes of one read', {default: '1 MiB', positive: true}),
      queue_depth: count('reads in flight', {default: 16}),
    }),
  },
  {since: 'later'},
);

/** Keys about experts of a mixture. */
export const experts = group(
  'which experts are used, cached and fetched',
  {
    routing: policy('routing model', ['zipf', 'uniform', 'trace'], [], 'which experts a token goes to; uniform is the honest worst case', {
      says: 'uniform',
    }),
    cache: group('experts held in fast memory', {
      eviction: policy('eviction policy', [], [], 'which expert goes', {says: 'lru'}),
      capacity: quantity('bytes', 'inside weights.tiers', {says: 'what dense weights leave', positive: true}),
    }),
    prefetch: policy('prefetch policy', [], [], 'which experts are fetched ahead', {says: 'none'}),
    miss: name('answer', ['fetch', 'in-place', 'cheaper'], 'what happens when an expert is not there', {default: 'fetch'}),
  },
  {since: 'later'},
);

/** Keys about speculative decoding. */
export const speculation = group(
  'drafted tokens that one step verifies',
  {
    method: text('draft-model, eagle3, mtp, ngram …'),
    tokens: count('drafted a step'),
    draft: group('the draft model', {model: text('its name', {listing: 'models'}), device: text('where it runs', {listing: 'devices'})}),
    acceptance: policy('acceptance model', [], [], 'how many drafted tokens are kept'),
  },
  {since: 'later'},
);
