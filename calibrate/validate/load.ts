import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {loadMeasured, readText} from '../../src/sim/measured/load.js';
import {loadTable} from '../load.js';
import type {ValidationData} from './check.js';
import {csvRows} from './csv.js';

/** The data of a folder. */
export function validationData(folder: string): ValidationData {
  return {
    has: (path) => existsSync(join(folder, path)),
    runs: (path) => loadMeasured(join(folder, path)),
    csv: (path) => csvRows(readText(join(folder, path))),
    kernels: (path) => loadTable(join(folder, 'kernels', path)),
  };
}
