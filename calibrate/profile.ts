import {writeFit} from '../src/models/cost/fit/index.js';
import type {Device} from '../src/models/devices/device.js';
import {FEWEST, type FittedKernel, type KernelSamples} from './fit-tables.js';

/** Kernels that a dense or expert model needs; those without a fit run on the datasheet. */
const expected = ['gemm.bf16', 'attn.prefill.bf16', 'attn.decode.bf16', 'moe.bf16.balanced'];

/** Mean error up to which a profile has each grade; the worst kernel decides. */
const gradeLimits = [
  ['B', 0.1],
  ['C', 0.2],
  ['D', Number.POSITIVE_INFINITY],
] as const;

/** The grade of a profile whose worst kernel has this mean error; fits from tables that others measured are B at best. */
export function gradeOf(mape: number): string {
  return gradeLimits.find(([, limit]) => mape <= limit)![0];
}

/** A device profile as JSON: fits with error, range and source, and what was measured, dropped and left to the datasheet. */
export function importedProfile(id: string, device: Device, groups: readonly KernelSamples[], fits: readonly FittedKernel[]) {
  const measured = fits.map(({kernel}) => kernel.name).sort();
  return {
    profile: 1,
    id,
    kind: device.kind,
    name: device.name,
    extends: device.id,
    fits: Object.fromEntries(
      fits.map(({kernel, fitted, error, sources}) => [
        kernel.name,
        writeFit({kernel, fitted, error, grade: 'fitted', source: sources.join(' + ')}),
      ]),
    ),
    quality: {...qualityOf(groups, fits), dropped: droppedOf(groups)},
    kernels: Object.fromEntries(fits.map(({kernel, backends}) => [kernel.name, backends.join(' | ')])),
    coverage: {measured, datasheet: expected.filter((name) => !measured.includes(name))},
  };
}

/** Imported tables were not measured here, so the grade is B at best. */
function qualityOf(groups: readonly KernelSamples[], fits: readonly FittedKernel[]) {
  const worst = fits.reduce<FittedKernel | null>((most, fit) => ((fit.error?.mape ?? 0) > (most?.error?.mape ?? 0) ? fit : most), null);
  const mape = worst?.error?.mape ?? Number.POSITIVE_INFINITY;
  const few = groups.filter(({samples}) => samples.length < FEWEST);
  return {
    grade: fits.length === 0 ? 'D' : gradeOf(mape),
    reasons: [
      'imported, not measured on this machine',
      ...(worst === null ? [] : [`worst kernel: ${worst.kernel.name}, ${(100 * mape).toFixed(1)} % mean error in cross-validation`]),
      ...few.map(({kernel, samples}) => `${kernel.name}: ${samples.length} usable rows, fewer than ${FEWEST}, not fitted`),
    ],
  };
}

function droppedOf(groups: readonly KernelSamples[]) {
  return groups.flatMap(({kernel, dropped}) => Object.entries(dropped).map(([reason, rows]) => ({kernel: kernel.name, reason, rows})));
}

/** The id of a profile that is written to `path`: the file's name without its ending. */
export function profileId(path: string): string {
  return path
    .split(/[\\/]/)
    .at(-1)!
    .replace(/(\.profile)?\.json$/, '');
}

/** The profile as a file: indented, with lists of numbers on one line. */
export function profileText(profile: object): string {
  const text = JSON.stringify(profile, null, 1);
  return `${text.replace(/\[\s+(?:-?[\d.e+-]+,?\s+)+\]/g, (list) => list.replace(/\s+/g, ''))}\n`;
}
