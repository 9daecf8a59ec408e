import type {Grade} from '../../src/models/provenance.js';
import {html} from '../markup.js';
import type {Cell} from './table.js';

/** Full for what was measured, hollow for what was assumed. */
const marks: Readonly<Record<Grade, string>> = {measured: '●', fitted: '◕', datasheet: '◑', extrapolated: '◔', assumed: '○'};

/** A cell with a grade: its mark and its word. */
export function grade(name: Grade): Cell {
  return {markup: html`<span class="grade" data-mark="${marks[name] ?? '?'}">${name}</span>`, text: name};
}
