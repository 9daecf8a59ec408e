import {describe, expect, it} from 'vitest';
import {breakEven, loadOrCompute} from '../../../src/sim/scenario/break-even.js';
import {headline} from '../../../src/sim/scenario/headline.js';
import {hierarchyOf} from '../../../src/sim/scenario/hierarchy-of.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {planDocument} from '../../../src/sim/scenario/plan-document.js';
import {feasibilityLines} from '../../../src/sim/scenario/run-table.js';
import type {Scenario} from '../../../src/sim/scenario/scenario.js';
import {chat, load, refusal} from '../../support/scenario-text.js';

const tiers = `${chat}hardware: {device: h100-sxm, memory: {dram: 1 TiB, ssd: nvme-gen4-4tb}}
kv: {tiers: {dram: 512 GiB, ssd: 3 TiB}}
`.replace('hardware: h100-sxm\n', '');

const read = (set: readonly string[] = []) => load({'a.yaml': tiers}, set);

/** Routes, resources and channels of the memories below, as a run sees them. */
const below = (scenario: Scenario) => hierarchyOf(scenario, planMemory(scenario))!;

describe('memories below HBM in a scenario', () => {
  it('get what the file gives them, in whole blocks of 2 MiB', async () => {
    const plan = planMemory(await read());
    expect(plan.tiers).toEqual([
      {memory: 'dram', sizeBytes: 2 ** 40, kvBytes: 512 * 2 ** 30, kvBlocks: 262_144, kvTokens: 4_194_304},
      {memory: 'ssd', sizeBytes: 4e12, kvBytes: 3 * 2 ** 40, kvBlocks: 1_572_864, kvTokens: 25_165_824},
    ]);
  });

  it('get all of the memory with rest', async () => {
    expect((await read(['kv.tiers.ssd.capacity=rest'])).kv.tiers[1]).toMatchObject({capacity: 4e12});
  });

  it('get a multiple of what KV has in HBM, and a page cache what that leaves', async () => {
    const plan = planMemory(await read(['kv.tiers.dram.capacity=null', 'kv.tiers.dram.of_hbm=2', 'kv.tiers.ssd.io=page-cache']));
    expect(plan.tiers[0].kvBlocks).toBe(2 * plan.kvBlocks);
    expect(plan.tiers[1]).toMatchObject({memory: 'page-cache', kvBlocks: 2 ** 40 / 2 ** 21 - 2 * plan.kvBlocks});
  });

  it('are kept and read in chunks: one request of the SSD brings a whole one', async () => {
    const {hierarchy} = below(await read(['kv.chunk_size=256', 'hardware.memory.ssd.queue_depth=1']));
    expect(hierarchy.chunkBlocks).toBe(16);
    // 16 blocks of 2 MiB at 7.45 GB/s take longer than the latency of 55 µs; one block at depth 1 does too, so IOPS decide: none here.
    expect(hierarchy.tiers[1].load.bandwidth).toBeCloseTo(7.45e9, 0);
    const small = ['kv.block_size=1', 'hardware.memory.ssd.queue_depth=1'];
    const rate = async (set: string[]) => below(await read([...small, ...set])).hierarchy.tiers[1].load.bandwidth;
    expect((await rate(['kv.chunk_size=4'])) / (await rate([]))).toBeCloseTo((4 * 55e-6) / Math.max(55e-6, (4 * 131_072) / 7.45e9), 6);
  });

  it('stand in the first lines of a run', async () => {
    const scenario = await read();
    const lines = feasibilityLines({name: 'x', headline: headline(scenario), plan: planDocument(scenario, planMemory(scenario))}, 100);
    expect(lines.at(-1)!.trim()).toBe('DRAM 512 GiB = 4,194,304 tokens · SSD 3 TiB = 25,165,824 tokens');
  });

  it('take any eviction policy, write policy and way, HBM an eviction policy too', async () => {
    const {kv} = await read([
      'kv.tiers.hbm.eviction=lfu',
      'kv.tiers.dram.eviction=sieve',
      'kv.tiers.dram.write={policy: selective, after_touches: 3}',
      'kv.tiers.ssd.write=back',
      'kv.tiers.ssd.inclusive=false',
      'kv.tiers.ssd.via=direct',
      'kv.load=cheaper',
    ]);
    expect(kv).toMatchObject({eviction: 'lfu', load: 'cheaper'});
    expect(kv.tiers).toMatchObject([
      {eviction: 'sieve', write: {when: 'selective', afterTouches: 3}, inclusive: true},
      {eviction: 'lru', write: {when: 'back'}, inclusive: false, via: 'direct'},
    ]);
  });

  it('take parameters of an eviction policy, each checked by name, kind and unit', async () => {
    const {kv} = await read(['kv.tiers.hbm.eviction={policy: s3-fifo, small: 0.2}', 'kv.tiers.dram.eviction={policy: clock, bits: 2}']);
    expect(kv).toMatchObject({eviction: 's3-fifo', evictionParams: {small: 0.2}});
    expect(kv.tiers[0]).toMatchObject({eviction: 'clock', evictionParams: {bits: 2}});
    const refused = (eviction: string) => expect(read([`kv.tiers.dram.eviction=${eviction}`])).rejects;
    await refused('{policy: s3-fifo, smal: 0.2}').toThrow('unknown parameter of s3-fifo "smal" (did you mean "small"?)');
    await refused('{policy: clock, bits: 0}').toThrow('bits of clock: 0 is not a whole number of at least 1');
    await refused('{policy: ttl, ttl: 3 MB}').toThrow('is a size; a duration is wanted');
    await refused('{policy: ttl, ttl: 5}').toThrow('kv.tiers.dram.eviction.ttl: 5 has no unit; a duration is wanted, e.g. "500 ms"');
    await refused('{policy: ewma, alpha: .nan}').toThrow('alpha of ewma: NaN is not a share from 0 to 1');
    await refused('7').toThrow('7 is not an eviction policy');
    await refused('mine.mjs').toThrow('"mine.mjs" is no eviction policy; a file of your own is written "./FILE.mjs"');
    await refused('belady').toThrow('unknown eviction policy "belady"'); // the future is a bound's, not a policy's
  });

  it('take an admission policy with its parameters, which is selective writing in other words', async () => {
    const {kv} = await read([
      'kv.tiers.dram.admission={policy: after-touches, k: 3}',
      'kv.tiers.ssd.admission={policy: predicted-use, within: 2 min}',
    ]);
    expect(kv.tiers.map(({admission}) => admission)).toEqual([
      {policy: 'after-touches', params: {k: 3, counts: 'hits'}},
      {policy: 'predicted-use', params: {within: 120, alpha: 0.2}},
    ]);
    const incoming = async (set: string) => below(await read([`kv.tiers.dram.${set}`])).hierarchy.tiers[0];
    expect((await incoming('admission=all')).admission).toBeNull();
    expect((await incoming('admission={policy: after-touches, k: 3}')).admission).not.toBeNull();
    expect(await incoming('write={policy: selective, after_touches: 3}')).toMatchObject({
      write: {when: 'through'},
      admission: expect.any(Function),
    });
    const refused = (...set: string[]) => expect(read(set)).rejects;
    await refused('kv.tiers.dram.admission={policy: by-size, tokens: 0}').toThrow(
      'tokens of by-size: 0 is not a whole number of at least 1',
    );
    await refused('kv.tiers.dram.admission=after-touch').toThrow('unknown admission policy "after-touch" (did you mean "after-touches"?)');
    await refused('kv.tiers.ssd.admission={policy: after-touches, counts: lookups}').toThrow(
      'lookups counts what is computed in HBM: it is for the nearest memory; here hits',
    );
    await refused('kv.tiers.dram.write=selective', 'kv.tiers.dram.admission=by-size').toThrow('write "through" and keep this');
    const {warnings} = await read(['kv.tiers.hbm.admission=by-size']);
    expect(warnings.map(({path}) => path)).toContain('kv.tiers.hbm.admission');
  });

  it('free places in bulk between two shares of their capacity', async () => {
    const scenario = await read(['kv.tiers.dram.watermark={high: 0.9, low: 0.85}']);
    expect(scenario.kv.tiers[0].watermark).toEqual({high: 0.9, low: 0.85});
    const {capacity, watermark} = below(scenario).hierarchy.tiers[0];
    expect(watermark).toEqual({high: Math.ceil(0.9 * capacity), low: Math.floor(0.85 * capacity)});
    expect(below(await read()).hierarchy.tiers[0].watermark).toBeNull();
    await expect(read(['kv.tiers.dram.watermark={high: 0.9}'])).rejects.toThrow('low is missing; both are shares of the capacity');
    await expect(read(['kv.tiers.dram.watermark={high: 0.8, low: 0.8}'])).rejects.toThrow('low 0.8 is not below high 0.8');
  });

  it.each([
    ['kv.tiers.dram.eviction={policy: nosuch, alpha: 1}', 'unknown eviction policy'],
    ['kv.tiers.dram.admission={policy: nosuch, k: 1}', 'unknown admission policy'],
    ['kv.prefetch={policy: nosuch, lookahead: 1}', 'unknown prefetch policy'],
    ['cluster={replicas: 2, router: {policy: nosuch, match: 0.5}}', 'unknown router'],
    ['kv.tiers.dram.watermark={high: 2, low: 1}', '2 is not a share'],
    ['kv.tiers.dram.watermark=0.9', '0.9 is not a map of keys'],
  ])('tell one fault of %s, and nothing that follows from it', async (set, fault) => {
    const told = await refusal({'a.yaml': tiers}, [set]);
    expect(told).toContain(fault);
    expect(told.trim().split('\n')).toHaveLength(1);
  });

  it('are loaded before the prompt is computed, or layer by layer beside it', async () => {
    expect(below(await read()).hierarchy.layers).toBe(1);
    expect(below(await read(['kv.overlap=layer'])).hierarchy.layers).toBe(32);
  });

  it('are written by vLLM when they are computed if they are prompts, by others with what is generated', async () => {
    const write = async (set: string[]) => (await read(set)).kv.tiers[0].write;
    expect(await write([])).toEqual({when: 'through', generated: false});
    expect(await write(['engine=ideal'])).toEqual({when: 'through', generated: true});
    expect(await write(['kv.tiers.dram.write.generated=true'])).toEqual({when: 'through', generated: true});
  });

  it('can be far away, behind a network of their own', async () => {
    const scenario = await read(remote);
    expect(planMemory(scenario).tiers[2]).toMatchObject({memory: 'remote', sizeBytes: 10 * 2 ** 40, kvBlocks: 5 * 2 ** 19});
    const {hierarchy} = below(scenario);
    expect(hierarchy.tiers[2]).toMatchObject({
      name: 'remote',
      load: {
        channel: 'network.up',
        through: ['network.up', 'dram', 'host.up', 'host.both', 'hbm'],
        bandwidth: 25e9,
        latency: 50_000 + 10_000,
      },
      store: {channel: 'network.down', through: ['dram', 'network.down'], bandwidth: 25e9, latency: 50_000},
    });
    expect(hierarchy.resources).toMatchObject({'network.up': 25e9, 'network.down': 25e9});
    const direct = below(await read([...remote, 'kv.tiers.remote.via=direct'])).hierarchy.tiers[2];
    expect(direct.load.through).toEqual(['network.up', 'hbm']);
    expect(direct.store.through).toEqual(['hbm', 'network.down']);
    const bound = below(await read([...remote, 'hardware.memory.remote.bandwidth=5 GB/s'])).hierarchy;
    expect(bound.tiers[2].load).toMatchObject({bandwidth: 5e9, through: ['remote', 'network.up', 'dram', 'host.up', 'host.both', 'hbm']});
  });

  it('are files that the page cache holds, in what KV leaves of DRAM', async () => {
    const scenario = await read(['kv.tiers.ssd.io=page-cache']);
    expect(scenario.kv.tiers.map(({name, capacity}) => [name, capacity / 2 ** 30])).toEqual([
      ['dram', 512],
      ['page-cache', 512],
      ['ssd', 3072],
    ]);
    const [, cache, ssd] = below(scenario).hierarchy.tiers;
    // A copy in DRAM reads and writes it.
    expect(cache.store).toMatchObject({channel: 'page-cache', through: ['dram', 'dram'], bandwidth: 307.2e9 / 2});
    expect(cache.load.through).toEqual(['dram', 'dram', 'dram', 'host.up', 'host.both', 'hbm']);
    expect(ssd).toMatchObject({fills: true, write: {when: 'through'}, store: {channel: 'ssd.write', bandwidth: 6.9e9}});
  });

  it('without any, there is nothing below', async () => {
    const scenario = await load({'a.yaml': chat});
    expect(hierarchyOf(scenario, planMemory(scenario))).toBeNull();
    expect(breakEven(scenario, planMemory(scenario))).toEqual({});
  });
});

const remote = ['hardware.memory.remote=10 TiB', 'hardware.links.network={bandwidth: 25 GB/s, latency: 50 us}', 'kv.tiers.remote=5 TiB'];

describe('what is refused, in one line', () => {
  it.each([
    [
      'DRAM of unknown size',
      `${chat}kv: {tiers: {dram: 64 GiB}}\n`,
      'a.yaml:7:20 kv.tiers.dram: hardware.memory.dram.capacity is missing: a host\'s memory is never guessed, e.g. "dram: 1 TiB"',
    ],
    [
      'an SSD that is not described',
      `${chat}kv: {tiers: {ssd: 64 GiB}}\n`,
      'a.yaml:7:19 kv.tiers.ssd: hardware.memory.ssd lacks capacity, read_bandwidth, write_bandwidth; a part brings them, e.g. "ssd: nvme-gen4-4tb" (`tiercast list parts`)',
    ],
    [
      'more KV than there is memory',
      tiers.replace('512 GiB', '2 TiB'),
      'a.yaml:7:20 kv.tiers.dram: 2 TiB is more than the memory has: hardware.memory.dram is 1 TiB',
    ],
    [
      'an unknown part',
      tiers.replace('nvme-gen4-4tb', 'nvme-gen4-2tb'),
      /^a\.yaml:6:57 hardware\.memory\.ssd: unknown part "nvme-gen4-2tb" \(did you mean "nvme-gen4-[14]tb"\?\)/,
    ],
    [
      'counting what is computed, on the second tier',
      tiers.replace('ssd: 3 TiB', 'ssd: {capacity: 3 TiB, write: {policy: selective, counts: stay}}'),
      /kv\.tiers\.ssd\.write\.counts: stay counts what is computed in HBM: it is for the nearest memory; here hits$/,
    ],
    [
      'a chunk of other than whole blocks',
      tiers.replace('kv: {', 'kv: {chunk_size: 40, '),
      /kv\.chunk_size: 40 is no multiple of the 16 tokens of a block \(kv\.block_size\)$/,
    ],
    [
      'chunks in a memory that is written back',
      tiers.replace('kv: {', 'kv: {chunk_size: 256, ').replace('dram: 512 GiB', 'dram: {capacity: 512 GiB, write: back}'),
      /kv\.chunk_size: kv\.tiers\.dram\.write is back, which writes what leaves, block by block; chunks go with through or selective$/,
    ],
    [
      'two sizes',
      tiers.replace('dram: 512 GiB', 'dram: {capacity: 512 GiB, of_hbm: 2}'),
      /kv\.tiers\.dram\.of_hbm: capacity says it too; keep one$/,
    ],
    [
      'a multiple of HBM that is more than the memory',
      tiers.replace('dram: 512 GiB', 'dram: {of_hbm: 40}'),
      /kv\.tiers\.dram\.of_hbm: 40 times the KV of hbm, .* is more than the memory has: hardware\.memory\.dram is 1 TiB$/,
    ],
    [
      'a remote memory without a network',
      tiers.replace('ssd: nvme-gen4-4tb', 'remote: 10 TiB').replace('ssd: 3 TiB', 'remote: 3 TiB'),
      'a.yaml:7:37 kv.tiers.remote: hardware.links.network is missing: it leads to the remote memory, e.g. "network: 50 GB/s"',
    ],
    [
      'a page cache past DRAM',
      tiers.replace('ssd: 3 TiB', 'ssd: {capacity: 3 TiB, io: page-cache, via: direct}'),
      /kv\.tiers\.ssd\.io: page-cache lies in DRAM, and kv\.tiers\.ssd\.via is direct/,
    ],
    [
      'a page cache without room',
      tiers.replace('512 GiB', 'rest').replace('ssd: 3 TiB', 'ssd: {capacity: 3 TiB, io: page-cache}'),
      /kv\.tiers\.ssd\.io: page-cache has no room: kv\.tiers\.dram takes all of hardware\.memory\.dram$/,
    ],
    [
      'a device without a link to a host',
      tiers.replace('h100-sxm', 'tpu-v5e'),
      /kv\.tiers\.dram: tpu-v5e has no link to a host's memory; hardware\.links\.host says how fast one is, e\.g\. \{part: pcie5-x16\}$/,
    ],
  ])('%s', async (_what, text, line) => {
    const message = await refusal({'a.yaml': text});
    if (typeof line === 'string') expect(message).toBe(line);
    else expect(message).toMatch(line);
    expect(message.split('\n')).toHaveLength(1);
  });

  it.each([
    ['kv.prefix_cache=false', 'kv.tiers.dram', 'kv.prefix_cache is off'],
    ['kv.tiers=null', 'hardware.memory.dram', 'nothing is put there'],
    ['hardware.links.direct.bandwidth=10 GB/s', 'hardware.links.direct', 'kv.tiers.ssd.via: direct'],
  ])('and %s is warned of at %s', async (set, path, text) => {
    const {warnings} = await read([set]);
    expect(warnings.filter((warning) => warning.path === path && warning.text.includes(text))).toHaveLength(1);
  });
});

describe('ways between memories', () => {
  it('a copy over PCIe 5 takes 3.4 µs a block beside its bytes at 51 GB/s, so blocks of 2 MiB move at 47 GB/s', async () => {
    const {hierarchy} = below(await read());
    const {load} = hierarchy.tiers[0];
    expect(load).toMatchObject({channel: 'host.up', through: ['dram', 'host.up', 'host.both', 'hbm'], bandwidth: 51e9, latency: 10_000});
    expect(load.perBlock).toBeCloseTo(3400, 6);
    const rate = 2 ** 21 / (load.perBlock * 1e-9 + 2 ** 21 / load.bandwidth);
    expect(rate / 47.1e9).toBeCloseTo(1, 2);
    expect(hierarchy.resources).toMatchObject({hbm: 3.35e12, dram: 307.2e9, 'host.up': 51e9, 'host.down': 51e9, 'host.both': 83.4e9});
  });

  it('before vLLM 0.12 keys and values of each layer are pieces of their own: 64 for a block of 32 layers', async () => {
    const load = below(await read(['engine.version=0.11'])).hierarchy.tiers[0].load;
    expect(load.perBlock).toBeCloseTo(64 * 3400, 6);
  });

  it('an SSD is read through DRAM at its own rate, and written from there', async () => {
    const {hierarchy} = below(await read());
    const [, ssd] = hierarchy.tiers;
    expect(ssd.load).toMatchObject({
      channel: 'ssd.read',
      through: ['ssd.read', 'ssd', 'dram', 'host.up', 'host.both', 'hbm'],
      bandwidth: 7.45e9,
      latency: 65_000,
    });
    expect(ssd.load.perBlock).toBeCloseTo(0, 6);
    expect(ssd.store).toMatchObject({channel: 'ssd.write', through: ['dram', 'ssd.write', 'ssd'], bandwidth: 6.9e9});
  });

  it('a direct way leaves DRAM out', async () => {
    const {hierarchy} = below(await read(['kv.tiers.ssd.via=direct']));
    expect(hierarchy.tiers[1].load.through).toEqual(['ssd.read', 'ssd', 'host.up', 'host.both', 'hbm']);
  });

  it('without a DRAM tier blocks come from HBM, over the host link', async () => {
    const {hierarchy} = below(await read(['kv.tiers.dram=null']));
    expect(hierarchy.tiers[0].store.through).toEqual(['hbm', 'host.down', 'host.both', 'dram', 'ssd.write', 'ssd']);
  });

  it('two striped drives read twice as fast, are twice as large and last twice as long', async () => {
    const {host} = await read(['hardware.memory.ssd.count=2']);
    expect(host.ssd).toMatchObject({capacity: 8e12, read: {value: 14.9e9}, endurance: {value: 4800e12}, latency: {value: 55e-6}});
  });

  it('a figure of the scenario stands in place of the part’s', async () => {
    const {host} = await read(['hardware.memory.ssd.read_bandwidth=3 GB/s', 'hardware.links.host={part: pcie4-x16}']);
    expect(host.ssd).toMatchObject({read: {value: 3e9, grade: 'assumed'}, write: {value: 6.9e9, grade: 'datasheet'}});
    expect(host.links.host).toMatchObject({bandwidth: {value: 25e9}, duplex: null});
  });

  it('lists what the scenario states of the host, and what nobody stated, among the assumptions', async () => {
    const {assumptions} = await read(['hardware.memory.ssd.read_bandwidth=3 GB/s']);
    const listed = assumptions.filter(({path}) => /^hardware\.(memory\.(dram|ssd)|links)/.test(path)).map(({path, value}) => [path, value]);
    expect(listed).toEqual([
      ['hardware.memory.dram.bandwidth', '307.2 GB/s'],
      ['hardware.memory.ssd.read_bandwidth', '3 GB/s'],
      ['hardware.links.host.latency', '10 us'],
    ]);
  });

  it('small blocks are bound by what is in flight: depth 1 is one block a latency', async () => {
    const {hierarchy} = below(await read(['hardware.memory.ssd.queue_depth=1', 'hardware.memory.ssd.latency=1 ms']));
    expect(hierarchy.tiers[1].load.bandwidth / (2 ** 21 / 1e-3)).toBeCloseTo(1, 9);
  });

  it('four devices copy side by side, unless they share one link', async () => {
    const tensor = ['engine.parallel.tensor=4'];
    expect((await read(tensor)).host.links.host).toMatchObject({bandwidth: {value: 204e9}, piece: {value: 3.4e-6}});
    expect((await read([...tensor, 'hardware.links.host.per=replica'])).host.links.host).toMatchObject({
      bandwidth: {value: 51e9},
      piece: {value: 13.6e-6},
    });
  });
});

describe('break-even of loading and computing', () => {
  it('is the shortest prefix whose load is sooner, and one block shorter is not', async () => {
    const scenario = await read(['hardware.links.host.latency=20 ms']);
    const plan = planMemory(scenario);
    const from = breakEven(scenario, plan)['dram']!;
    expect(from).toBeGreaterThan(16);
    const {compute_s: compute, load_s: load} = loadOrCompute(scenario, plan, [from - 16, from]).load_or_compute!;
    expect(load['dram']![0]).toBeGreaterThanOrEqual(compute[0]!);
    expect(load['dram']![1]).toBeLessThan(compute[1]!);
  });

  it('has both by length: one block, two, four …, up to the largest context', async () => {
    const scenario = await read(['hardware.links.host.latency=20 ms']);
    const plan = planMemory(scenario);
    const {tokens, compute_s: compute, load_s: load} = loadOrCompute(scenario, plan).load_or_compute!;
    expect(tokens.slice(0, 4)).toEqual([16, 32, 64, 128]);
    expect(tokens.at(-1)).toBe(Math.floor(plan.maxContextTokens / 16) * 16);
    expect(Object.keys(load)).toEqual(['dram', 'ssd']);
    const even = breakEven(scenario, plan)['dram']!;
    tokens.forEach((length, i) => {
      expect(load['dram']![i]! < compute[i]!).toBe(length >= even);
    });
  });

  it('is none when the link is slower than the model', async () => {
    const scenario = await read(['hardware.links.host.bandwidth=100 MB/s']);
    expect(breakEven(scenario, planMemory(scenario))).toEqual({dram: null, ssd: null});
  });
});
