import {InputError} from '../../core/errors.js';
import {distributionFault} from '../../workload/distributions.js';
import type {Distribution} from '../../workload/workload.js';
import type {Draft} from './draft.js';

type Parameter = 'value' | 'mean' | 'cv' | 's' | 'min' | 'max' | 'from' | 'column';

const used: Readonly<Record<string, readonly Parameter[]>> = {
  constant: ['value'],
  lognormal: ['mean', 'cv', 'min', 'max'],
  exponential: ['mean', 'min', 'max'],
  uniform: ['min', 'max'],
  geometric: ['mean', 'min', 'max'],
  gamma: ['mean', 'cv', 'min', 'max'],
  zipf: ['s', 'min', 'max'],
  empirical: ['from', 'column', 'min', 'max'],
};

/** The distribution at a path; undefined when it is not there or something is wrong with it. */
export async function resolveDistribution(draft: Draft, path: string): Promise<Distribution | undefined> {
  const stated = draft.get<{dist?: string} & Partial<Record<Parameter, number | string>>>(path);
  if (stated === undefined) return undefined;
  const {dist} = stated;
  if (dist === undefined) {
    draft.fault(path, `says no "dist"; known: ${Object.keys(used).join(', ')}`);
    return undefined;
  }
  const parameters = Object.entries(stated).filter(([name, value]) => name !== 'dist' && value !== undefined);
  for (const [name] of parameters) {
    if (!used[dist].includes(name as Parameter)) draft.noEffect(`${path}.${name}`, `${dist} has no ${name}`);
  }
  const own = Object.fromEntries(parameters.filter(([name]) => used[dist].includes(name as Parameter)));
  const distribution =
    dist === 'empirical' ? await measured(draft, path, own) : dist === 'constant' && own.value === undefined ? undefined : {dist, ...own};
  if (distribution === undefined) {
    if (dist === 'constant' && !draft.isWritten(`${path}.value`)) draft.fault(path, 'constant needs a value');
    return undefined;
  }
  const fault = distributionFault(distribution as Distribution);
  if (fault !== null) draft.fault(path, fault);
  return distribution as Distribution;
}

async function measured(draft: Draft, path: string, own: Record<string, unknown>): Promise<unknown> {
  const {from, column, ...limits} = own as {from?: string; column?: string};
  if (from === undefined || column === undefined) {
    draft.fault(path, `empirical needs a file and a column, e.g. {from: lengths.csv, column: ${column ?? 'tokens'}}`);
    return undefined;
  }
  const file = draft.resolvePath(`${path}.from`, from);
  const read = async () => csvColumn(draft.files.gunzip(await draft.readFile(file), file), file, column);
  const values = await draft.tryAsync(`${path}.from`, read, file);
  return values === undefined ? undefined : {dist: 'empirical', values, ...limits};
}

/** The numbers of one column of a CSV file with a header. Throws InputError that names line and value. */
export function csvColumn(bytes: Uint8Array, file: string, column: string): Float64Array {
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
  const header = lines[0].split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  const index = header.indexOf(column);
  if (index < 0) throw new InputError(`${file} has no column "${column}"; it has: ${header.slice(0, 12).join(', ')}`);
  const values: number[] = [];
  for (let row = 1; row < lines.length; row++) {
    if (lines[row] === '') continue;
    const cell = lines[row].split(',')[index] ?? '';
    const value = cell.trim() === '' ? Number.NaN : Number(cell);
    if (!(value >= 0 && Number.isFinite(value)))
      throw new InputError(`${file}:${row + 1} ${column}: ${JSON.stringify(cell)} is not a number from 0 on`);
    values.push(value);
  }
  return Float64Array.from(values);
}
