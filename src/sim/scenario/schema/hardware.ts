import {startsLikeNumber} from './forms.js';
import {family, group, later} from './node.js';
import {count, duration, either, name, quantity, text} from './values.js';

/** Memories, by the one name that each has everywhere. */
export const memoryNames = ['hbm', 'dram', 'ssd', 'remote', 'unified'] as const;
export const computeTypes = ['fp32', 'bf16', 'fp16', 'fp8', 'fp4', 'int8'] as const;

const memory = group(
  'one memory',
  {
    capacity: quantity('bytes', 'as the driver reports it; total of a replica, never of one device', {says: "device's", positive: true}),
    part: text('a part by name: brings bandwidth, latency, IOPS, endurance', {listing: 'parts'}),
    count: count('parts that are striped', {says: '1'}),
    bandwidth: quantity('bandwidth', 'what-if on the bandwidth', {says: "device's", positive: true}),
    read_bandwidth: quantity('bandwidth', 'what-if on reads', {says: "part's", positive: true}),
    write_bandwidth: quantity('bandwidth', 'what-if on writes', {says: "part's", positive: true}),
    latency: duration('what-if on the latency', {says: "part's"}),
    iops: quantity('iops', 'what-if on operations per second', {says: "part's", positive: true}),
    queue_depth: count('reads in flight', {says: '16'}),
    endurance: quantity('bytes', 'bytes that can be written in its life', {says: "part's", positive: true}),
    numa_nodes: later(count('NUMA nodes')),
    gpu_limit: quantity('bytes', "unified memory: what the GPU may use of it, e.g. Apple's iogpu.wired_limit_mb", {
      says: 'what the OS gives',
      positive: true,
    }),
  },
  {short: {key: (written) => (startsLikeNumber(written) ? 'capacity' : 'part'), cited: 'as-written'}},
);

const link = group(
  'one link',
  {
    part: text('a part by name', {listing: 'parts'}),
    bandwidth: quantity('bandwidth', 'one direction, of one device', {says: "device's", positive: true}),
    latency: duration('delay of one transfer', {says: "device's"}),
    duplex: quantity('bandwidth', 'both directions together', {says: "device's", positive: true}),
    per: name('scope', ['device', 'replica'], 'whether each device has its own, or all share one', {later: ['host'], default: 'device'}),
  },
  {short: {key: (written) => (startsLikeNumber(written) ? 'bandwidth' : 'part'), cited: 'as-written'}},
);

const constant = group(
  'how long a step takes; auto is the fits of the device, and the roofline where it has none',
  {
    kind: name(
      'cost model',
      ['auto', 'roofline', 'table', 'forest', 'constant'],
      'the cost model; table and forest take only fits of that form',
    ),
    constant: duration('the duration of every step, for theory tests'),
  },
  {says: 'auto', kindKey: 'kind', short: {key: () => 'kind', cited: 'as-written'}, implies: {constant: 'constant'}},
);

/** Keys about what hardware one replica has. */
export const hardware = group(
  'what exists, for one replica',
  {
    device: text('one accelerator or CPU: built-in name or profile file', {says: 'required', listing: 'devices', type: 'name or path'}),
    count: count('devices of a replica; must equal the product of engine.parallel', {says: 'product of engine.parallel'}),
    cpu: later(text('needed only if something computes on the CPU beside a GPU', {listing: 'devices'})),
    memory: family("memories in the device's order", '<m>', memory, {names: memoryNames}),
    links: group(
      'links: host (device–dram), peer (device–device); storage (dram–ssd), direct (ssd–device), network (to a remote memory; one for the host)',
      {
        host: link,
        peer: link,
        storage: link,
        direct: link,
        network: link,
      },
    ),
    compute: family(
      'what-if on dense peaks',
      '<dtype>',
      quantity('flops', 'dense peak of one device', {says: "device's", positive: true}),
      {
        names: computeTypes,
      },
    ),
    power: quantity('power', 'what one device draws', {says: "device's", positive: true}),
    cost_model: constant,
  },
  {short: {key: () => 'device'}},
);

/** Capacity that KV may use of a memory: bytes, or what is left. */
export const capacity = (why: string, says: string) =>
  either('bytes or rest', ['rest'], [quantity('bytes', why, {positive: true})], why, {says});
