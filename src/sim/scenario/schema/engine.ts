import {family, group, later} from './node.js';
import {anything, count, duration, name, path, share, text, tokens} from './values.js';

/** Keys about the inference engine. */
export const engine = group(
  'the inference engine',
  {
    preset: name('engine', ['vllm', 'sglang', 'llama.cpp', 'ideal'], 'defaults, scheduling rules and host time; ideal has no overhead', {
      later: ['tensorrt-llm'],
      says: 'required',
      listing: 'engines',
    }),
    version: text('decides defaults, such as a memory share of 0.9 or 0.92', {says: 'newest known'}),
    parallel: group('layout inside a replica', {
      tensor: count('devices that share every matrix', {default: 1}),
      pipeline: later(count('stages', {default: 1})),
      expert: count('groups of those devices that have whole experts of their own; divides tensor, and adds no devices', {default: 1}),
      exchange: name(
        'exchange',
        ['all-reduce', 'all-to-all'],
        'around experts: sum what each device makes of every token, or send tokens to their experts and back',
        {default: 'all-reduce'},
      ),
      data: later(count('copies of the attention layers', {default: 1})),
      context: later(count('devices that share one context', {default: 1})),
    }),
    gpu_memory_utilization: share('share of the device memory that the engine may use', {says: "preset's"}),
    max_model_len: tokens('longest prompt + output', {says: "model's"}),
    overhead: group('host time beside the kernels', {
      step: duration('once a step', {says: "preset's, graded"}),
      sequence: duration('once a sequence and step', {says: "preset's, graded"}),
      request: duration('once a request', {says: "preset's, graded"}),
      delivery: duration('once a sequence of a step, until its client has the token', {says: "preset's, graded"}),
    }),
    profile: path('result of calibrate fit-engine; wins over the preset'),
    args: family(
      "the engine's own flags, names and units, verbatim; each sets the key that it maps to",
      '<flag>',
      anything('value of the flag'),
    ),
  },
  {short: {key: () => 'preset'}},
);
