import {aiconfigurator} from './aiconfigurator.js';
import {llmServingSim} from './llmservingsim.js';
import type {KernelTable} from './table.js';
import {vidur} from './vidur.js';

/** Every kind of kernel table that can be read, in the order they are tried. */
export const kernelTables: readonly KernelTable[] = [...aiconfigurator, ...vidur, ...llmServingSim];
