import type {ComparePanel} from '../panel.js';
import {assumptions} from './assumptions.js';
import {bounds} from './bounds.js';
import {changes} from './changes.js';
import {differences} from './differences.js';
import {distributions} from './distributions.js';
import {overTime} from './over-time.js';
import {reproduce} from './reproduce.js';
import {verdicts} from './verdicts.js';

/** Every panel of a comparison's page, in the order of the page. Causes and errors against a measurement will stand between them. */
export const comparePanels = {
  verdicts,
  changes,
  differences,
  latency: distributions,
  'over-time': overTime,
  bounds,
  assumptions,
  reproduce,
} as const satisfies Readonly<Record<string, ComparePanel>>;
export type ComparePanelName = keyof typeof comparePanels;
