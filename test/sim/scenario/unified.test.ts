import {describe, expect, it} from 'vitest';
import type {InfeasibleError} from '../../../src/sim/core/errors.js';
import {breakEven} from '../../../src/sim/scenario/break-even.js';
import {hierarchyOf} from '../../../src/sim/scenario/hierarchy-of.js';
import {planMemory} from '../../../src/sim/scenario/plan.js';
import {decodeSpeed, planLines} from '../../../src/sim/scenario/plan-table.js';
import type {Scenario} from '../../../src/sim/scenario/scenario.js';
import {chat, load, refusal} from '../../support/scenario-text.js';

const GiB = 2 ** 30;
const mac = chat.replace('h100-sxm', 'm4-max-64');
const read = (set: readonly string[] = [], text = mac) => load({'a.yaml': text}, set);
const below = (scenario: Scenario) => hierarchyOf(scenario, planMemory(scenario))!;
const gib = (bytes: number) => Math.round((bytes / GiB) * 100) / 100;

/** What the planner refuses, and what would fit. */
async function problem(set: readonly string[], text = mac): Promise<string> {
  const scenario = await read(set, text);
  expect(() => planMemory(scenario)).toThrow();
  try {
    planMemory(scenario);
  } catch (error) {
    return [(error as Error).message, ...(error as InfeasibleError).nearest].join('\n');
  }
  return '';
}

describe('what the GPU may use of a unified memory', () => {
  it('is what macOS gives of the size the machine has: 11.84 GiB of 16 on an M3, 51.84 of 64', async () => {
    expect(gib((await read()).device.gpuLimit!.value)).toBe(51.84);
    const m3 = await read(['hardware.device=m3', 'hardware.memory.unified.capacity=16 GiB']);
    expect(gib(m3.device.gpuLimit!.value)).toBe(11.84);
    expect(m3.device.gpuLimit!.grade).toBe('measured');
  });

  it('and not its size is what the engine gets a share of', async () => {
    const plan = planMemory(await read(['engine.gpu_memory_utilization=0.9']));
    expect(gib(plan.deviceBytes)).toBe(64);
    expect(gib(plan.usableBytes)).toBe(46.66);
    expect(plan.terms.slice(0, 2)).toMatchObject([{name: 'GPU limit', grade: 'measured'}, {name: 'usable'}]);
  });

  it('is set as iogpu.wired_limit_mb would be', async () => {
    const plan = planMemory(await read(['hardware.memory.unified.gpu_limit=56 GiB', 'engine.gpu_memory_utilization=1']));
    expect(plan.usableBytes).toBe(56 * GiB);
    expect(plan.kvBlocks).toBeGreaterThan(planMemory(await read(['engine.gpu_memory_utilization=1'])).kvBlocks);
  });

  it('stands in the plan', async () => {
    const scenario = await read();
    const plan = planMemory(scenario);
    const lines = planLines(scenario, plan, decodeSpeed(scenario, plan), (rows) => rows.map((row) => row.join(' ')));
    expect(lines.join('\n')).toMatch(/GPU limit 51\.8 GiB measured of 68,719,476,736 B of unified memory; default of macOS 26: 0\.81/);
  });

  it('is said where a model does not fit, and raised in what would', async () => {
    const large = ['model=llama-3.1-70b', 'hardware=m4-max-128', 'model.quantization=fp8', 'engine.max_model_len=100000'];
    const message = await problem(large);
    expect(message).toContain('of 128 GiB, of which the GPU may use 107.5 GiB (hardware.memory.unified.gpu_limit)');
    expect(message).toContain('hardware.memory.unified.gpu_limit 112 GiB here');
    await expect(read([...large, 'hardware.memory.unified.gpu_limit=112 GiB']).then(planMemory)).resolves.toBeDefined();
  });

  it('is all of it where no system keeps any: one memory in a DGX Spark', async () => {
    const scenario = await read(['hardware.device=gb10']);
    expect(scenario.device.gpuLimit).toBeNull();
    expect(gib(planMemory(scenario).usableBytes / scenario.gpuMemoryUtilization)).toBe(121.69);
    expect(planMemory(await read(['hardware.device=gb10', 'hardware.memory.unified.gpu_limit=100 GiB'])).usableBytes).toBe(
      100 * GiB * scenario.gpuMemoryUtilization,
    );
  });

  it('cannot be more than there is, and says nothing of a memory that only the GPU has', async () => {
    expect(await refusal({'a.yaml': mac}, ['hardware.memory.unified.gpu_limit=70 GiB'])).toBe(
      '--set hardware.memory.unified.gpu_limit: 70 GiB is more than the memory has: hardware.memory.unified is 64 GiB',
    );
    const {warnings} = await read(['hardware.memory.hbm.gpu_limit=20 GiB'], chat);
    expect(warnings.map(({text}) => text)).toContainEqual(expect.stringContaining('it is about unified memory; h100-sxm has hbm'));
  });
});

describe('memories below a unified memory', () => {
  const dram = ['kv.tiers.dram=8 GiB'];
  const ssd = ['hardware.memory.ssd=nvme-gen4-4tb', 'kv.tiers.ssd=1 TiB'];

  it('are, as DRAM, what the engine and the system leave of it: 64 − 51.84 × 0.9 − 2.5 GB', async () => {
    const rest = await read(['kv.tiers.dram=rest', 'engine.gpu_memory_utilization=0.9']);
    expect(gib(rest.kv.tiers[0].capacity)).toBe(gib(64 * GiB - 0.9 * rest.device.gpuLimit!.value - 2.5e9));
    expect(gib(rest.kv.tiers[0].capacity)).toBe(15.02);
    const {warnings} = rest;
    expect(warnings).toEqual([]);
  });

  it('take no more than that: who wants more gives the engine less', async () => {
    expect(await refusal({'a.yaml': mac}, ['kv.tiers.dram=20 GiB'])).toMatch(
      /kv\.tiers\.dram: 20 GiB is more than the memory has: 13\.98 GiB of the one memory are left beside the engine and the system; a lower engine\.gpu_memory_utilization leaves more$/,
    );
    expect((await read(['kv.tiers.dram=20 GiB', 'engine.gpu_memory_utilization=0.75'])).kv.tiers[0].capacity).toBe(20 * GiB);
  });

  it('are not a second memory of the machine', async () => {
    expect(await refusal({'a.yaml': mac}, ['hardware.memory.dram=64 GiB', ...dram])).toBe(
      '--set hardware.memory.dram: m4-max-64 has one memory, hardware.memory.unified; kv.tiers.dram takes what the engine leaves of it',
    );
  });

  it('are copied within it at half its bandwidth, over no link', async () => {
    const {hierarchy} = below(await read(dram));
    expect(hierarchy.tiers[0].load).toMatchObject({through: ['hbm', 'hbm'], bandwidth: 273e9, latency: 0, perBlock: 0});
    expect(hierarchy.tiers[0].store).toMatchObject({through: ['hbm', 'hbm'], bandwidth: 273e9});
    expect(hierarchy.resources).toEqual({hbm: 546e9});
  });

  it('are, as an SSD, read straight into it and written straight from it, DRAM between them or not', async () => {
    const alone = below(await read(ssd)).hierarchy;
    expect(alone.tiers[0].load).toMatchObject({through: ['ssd.read', 'ssd', 'hbm'], bandwidth: 7.45e9});
    expect(alone.tiers[0].store.through).toEqual(['hbm', 'ssd.write', 'ssd']);
    expect(below(await read([...dram, ...ssd])).hierarchy.tiers[1].store.through).toEqual(['hbm', 'ssd.write', 'ssd']);
    expect(Object.keys(alone.resources)).not.toContain('dram');
  });

  it('are, as a page cache, in what is left, and cost one copy within', async () => {
    const scenario = await read([...dram, 'hardware.memory.ssd=nvme-gen4-4tb', 'kv.tiers.ssd={capacity: 1 TiB, io: page-cache}']);
    const [, cache] = below(scenario).hierarchy.tiers;
    expect(gib(scenario.kv.tiers[1].capacity)).toBe(gib(scenario.host.dram!.capacity! - 8 * GiB));
    expect(cache.load).toMatchObject({through: ['hbm', 'hbm'], bandwidth: 273e9});
    expect(cache.store).toMatchObject({channel: 'page-cache', through: ['hbm', 'hbm']});
  });

  it('are worth a load sooner the slower the chip computes', async () => {
    const scenario = await read([...dram, ...ssd]);
    expect(breakEven(scenario, planMemory(scenario))).toEqual({dram: 16, ssd: 16});
  });

  it('warn of links that nothing crosses', async () => {
    const {warnings} = await read([...ssd, 'kv.tiers.ssd.via=direct', 'hardware.links.host=50 GB/s']);
    expect(warnings.map(({path}) => path).sort()).toEqual(['hardware.links.host', 'kv.tiers.ssd.via']);
  });

  it('are two memories in a GH200: HBM, and 500 GB/s of LPDDR5X behind 450 GB/s of NVLink-C2C', async () => {
    const grace = await read(['hardware={device: gh200-96, memory: {dram: 480 GB}}', 'kv.tiers.dram=rest'], chat);
    expect(below(grace).hierarchy.tiers[0].load).toMatchObject({through: ['dram', 'host.up', 'hbm'], bandwidth: 450e9});
    expect(below(grace).hierarchy.resources).toMatchObject({hbm: 4e12, dram: 500e9, 'host.up': 450e9});
  });

  it('are read straight into the DRAM of a CPU too', async () => {
    const cpu = await read(['hardware={device: epyc-9554, memory: {dram: 256 GiB, ssd: nvme-gen4-4tb}}', 'kv.tiers.ssd=1 TiB'], chat);
    expect(below(cpu).hierarchy.tiers[0].load.through).toEqual(['ssd.read', 'ssd', 'hbm']);
  });
});
