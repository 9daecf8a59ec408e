import {bounds} from './bounds.js';
import {hits} from './hits.js';
import {latency} from './latency.js';
import {memory} from './memory.js';
import {overTime} from './over-time.js';
import type {Panel} from './panel.js';
import {reproduce} from './reproduce.js';
import {trust} from './trust.js';

/** Every panel below the verdict, in the order of the page. */
export const panels: readonly Panel[] = [memory, latency, overTime, bounds, hits, trust, reproduce];
