import {expect, it} from 'vitest';
import {literal} from '../../src/models/devices/literal.js';
import {linkPart, linkParts, storagePart, storageParts} from '../../src/models/parts/index.js';
import {quantities} from '../../src/sim/core/quantity.js';
import {noSharedData, sharedData} from '../support/shared-data.js';

it('every figure of every part is a quantity, and has a grade and a source', async () => {
  const parse = await quantities();
  const all = [
    ...Object.keys(storageParts).map((id) => storagePart(id, parse)),
    ...Object.keys(linkParts).map((id) => linkPart(id, parse)),
  ];
  expect(all.length).toBeGreaterThanOrEqual(4);
  for (const part of all) {
    const figures = Object.entries(part).filter(([, value]) => typeof value === 'object');
    expect(figures.length).toBeGreaterThanOrEqual(3);
    for (const [name, value] of figures) {
      const {value: number, grade, source} = value as {value: number; grade: string; source: string};
      expect(number, `${part.id} ${name}`).toBeGreaterThan(0);
      expect(grade).toMatch(/^(measured|fitted|datasheet|extrapolated|assumed)$/);
      expect(source.length).toBeGreaterThan(5);
    }
  }
  for (const id of Object.keys(storageParts)) expect(storagePart(id, literal)).toEqual(storagePart(id, parse));
  for (const id of Object.keys(linkParts)) expect(linkPart(id, literal)).toEqual(linkPart(id, parse));
});

it('an unknown part is refused with those that are known', () => {
  expect(() => storagePart('nvme-gen5-4tb', literal)).toThrow(/unknown part "nvme-gen5-4tb".*nvme-gen4-1tb, nvme-gen4-4tb/);
});

it.skipIf(noSharedData !== null)('copies over PCIe 5 in pieces of 8 KiB to 16 MiB take what was measured, within 10 %', () => {
  const {bandwidth, piece} = linkPart('pcie5-x16', literal);
  const rows = new TextDecoder()
    .decode(sharedData('facts/storage_links.csv'))
    .split('\n')
    .map((line) => line.split(','))
    .filter(([link, gpu, how]) => link === 'host link (PCIe 5 x16)' && gpu!.startsWith('H100') && how!.includes('cudaMemcpyAsync'));
  const sizes = rows.map(([, , , size, , rate]) => ({bytes: Number.parseInt(size!, 10) * 1024, rate: Number(rate) * 1e9}));
  expect(sizes).toHaveLength(26);
  for (const {bytes, rate} of sizes.filter((row) => row.bytes >= 8192)) {
    const predicted = bytes / (piece.value + bytes / bandwidth.value);
    expect(Math.abs(predicted / rate - 1), `${bytes} B`).toBeLessThan(0.1);
  }
});
