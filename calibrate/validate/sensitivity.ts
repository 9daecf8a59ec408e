import type {ValidationData} from './check.js';
import {validate} from './index.js';
import type {ValidationRow} from './row.js';

/** What is stretched: the cost terms of a step, and the constants of the engine. */
export const distortedTerms = [
  'linear',
  'experts',
  'attention.prefill',
  'attention.decode',
  'head',
  'elementwise',
  'collective',
  'launch',
  'step',
  'sequence',
  'request',
  'delivery',
] as const;

/** Checks that are run again for each term: the quick ones. */
const CHECKS = ['single-stream', 'vllm-rtx4090', 'vllm-h100', 'kv-offload'];
/** Terms that hide behind the device with two steps in flight, and the check whose older engines plan one at a time. */
const HIDDEN: Readonly<Record<string, string>> = {step: 'inferencex', sequence: 'inferencex'};

/** What a factor on one term does to the table. */
export interface Sensitivity {
  readonly term: string;
  readonly factor: number;
  /** Rows whose bias moved by more than a tenth of a per cent, of all. */
  readonly moved: number;
  readonly rows: number;
  /** The row that moved most, and by how much its bias rose. */
  readonly most: string;
  readonly by: number;
  /** Rows that no longer reach their target. */
  readonly broken: number;
}

const SEEN = 0.001;

/** Runs the table once as it is and once for each term at `factor`: a wrong constant must be seen. */
export async function sensitivity(data: ValidationData, factor: number, onTerm?: (term: string) => void): Promise<Sensitivity[]> {
  const only = (term: string) => (HIDDEN[term] === undefined ? CHECKS : [...CHECKS, HIDDEN[term]]);
  const bases = new Map<string, readonly ValidationRow[]>();
  const found: Sensitivity[] = [];
  for (const term of distortedTerms) {
    onTerm?.(term);
    const names = only(term);
    const base = bases.get(names.join()) ?? (await validate(data, {only: names})).rows;
    bases.set(names.join(), base);
    const {rows} = await validate(data, {only: names, distortion: {term, factor}});
    found.push(compared(term, factor, base, rows));
  }
  return found;
}

function compared(term: string, factor: number, base: readonly ValidationRow[], rows: readonly ValidationRow[]): Sensitivity {
  const changes = rows.map((row, i) => ({name: `${row.subject}: ${row.metric}`, by: row.bias - base[i].bias}));
  const most = changes.reduce((a, b) => (Math.abs(b.by) > Math.abs(a.by) ? b : a));
  const broken = rows.filter((row, i) => reaches(base[i]) && !reaches(row)).length;
  return {
    term,
    factor,
    moved: changes.filter(({by}) => Math.abs(by) > SEEN).length,
    rows: rows.length,
    most: Math.abs(most.by) > SEEN ? most.name : 'none',
    by: most.by,
    broken,
  };
}

function reaches(row: ValidationRow): boolean {
  const {target} = row;
  return target !== null && (row[target.statistic] ?? Number.POSITIVE_INFINITY) <= target.most;
}
