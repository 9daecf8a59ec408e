import {expect, it} from 'vitest';
import {builtinDevice, devices, resolveDevice} from '../../src/models/devices/index.js';
import {grades} from '../../src/models/provenance.js';
import {quantities} from '../../src/sim/core/quantity.js';

const ids = Object.keys(devices);

it('at least 40 accelerators and 6 CPUs are built in', () => {
  const kinds = ids.map((id) => devices[id].kind);
  expect(kinds.filter((kind) => kind !== 'cpu').length).toBeGreaterThanOrEqual(40);
  expect(kinds.filter((kind) => kind === 'cpu').length).toBeGreaterThanOrEqual(6);
});

it.each(ids)('%s reads the same with the units library as without it', async (id) => {
  expect(builtinDevice(id)).toEqual(resolveDevice(id, devices[id], await quantities()));
});

it.each(ids)('every figure of %s has a grade and a source', (id) => {
  const {memory, compute, links, power} = devices[id];
  const figures = [
    ...Object.values(memory).flatMap((m) => [m.bandwidth, ...(m.capacity === undefined ? [] : [m.capacity])]),
    ...Object.values(compute),
    ...Object.values(links).flatMap((l) => [l.bandwidth, ...(l.latency === undefined ? [] : [l.latency])]),
    ...(power === undefined ? [] : [power]),
  ];
  expect(figures.length).toBeGreaterThan(2);
  for (const figure of figures) {
    expect(grades).toContain(figure.grade);
    expect(figure.source.length).toBeGreaterThan(5);
  }
});

it.each([
  ['rtx-4090', 25_250_627_584],
  ['h100-sxm', 81_559 * 2 ** 20],
  ['l40s', 46_068 * 2 ** 20],
  ['rtx-pro-6000-server', 97_887 * 2 ** 20],
  ['mi300x', 206_141_652_992],
])('%s has the memory that its driver reports, %d B, not the marketing figure', (id, bytes) => {
  const capacity = builtinDevice(id).memory.hbm?.capacity;
  expect(capacity?.value).toBe(bytes);
  expect(capacity?.grade).toBe('measured');
});

it.each([
  ['h100-sxm', 989e12],
  ['a100-sxm-80gb', 312e12],
  ['b200-sxm', 2250e12],
  ['l40s', 362.05e12],
  ['l4', 121e12],
])('the bf16 peak of %s is the dense one', (id, flops) => {
  expect(builtinDevice(id).compute.bf16?.value).toBe(flops);
});

it('eight-bit peaks are at most twice the bf16 ones, four-bit ones at most eight times', () => {
  for (const id of ids) {
    const {bf16, fp8, int8, fp4} = builtinDevice(id).compute;
    if (bf16 === undefined) continue;
    for (const peak of [fp8, int8]) if (peak !== undefined) expect(peak.value / bf16.value, id).toBeLessThanOrEqual(2.05);
    if (fp4 !== undefined) expect(fp4.value / bf16.value, id).toBeLessThanOrEqual(8.05);
  }
});

it("a device's own memory is the first it states; a CPU's capacity is never guessed", () => {
  expect(builtinDevice('m4-max-64').home).toBe('unified');
  expect(builtinDevice('epyc-9554').home).toBe('dram');
  expect(builtinDevice('epyc-9554').memory.dram?.capacity).toBeNull();
});

it('an unknown device is named with the nearest known one', () => {
  expect(() => builtinDevice('h100-smx')).toThrow(/unknown device "h100-smx" \(did you mean "h100-sxm"\?\)/);
});
