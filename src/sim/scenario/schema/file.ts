import {family} from './node.js';
import {count, numberOrQuantity, paragraph, text, texts} from './values.js';

/** Keys about the file itself. */
export const file = {
  tiercast: count('version of the scenario format; an older file is upgraded on load with a note', {default: 1}),
  name: text('title of tables and pages', {says: 'file name'}),
  description: paragraph('what the scenario is for'),
  extends: texts(
    'scenario files that this one changes by a few lines, left to right; they lie in the folder of this file, beside it, or below either',
  ),
  vars: family('facts that several expressions use', '<name>', numberOrQuantity('a number or a quantity, used by its name in expressions')),
  sources: family(
    'where values come from: a grade (measured, fitted, datasheet, extrapolated, assumed), a text, or "grade: text"; a text alone counts as datasheet',
    '<path>',
    text('source of the key with this path'),
  ),
};
