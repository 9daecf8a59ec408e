import type {PanelName} from '../../src/sim/scenario/result.js';
import {bounds} from './bounds.js';
import {goals} from './goals.js';
import {hits} from './hits.js';
import {latency} from './latency.js';
import {loadOrCompute} from './load-or-compute.js';
import {memory} from './memory.js';
import {moved} from './moved.js';
import {overTime} from './over-time.js';
import type {Panel} from './panel.js';
import {prefetch} from './prefetch.js';
import {reproduce} from './reproduce.js';
import {trust} from './trust.js';
import {wear} from './wear.js';
import {worth} from './worth.js';

/** Every panel below the verdict, by the name that scenario files use. The order of the page is that of `panelNames`. */
export const panels: Readonly<Record<PanelName, Panel>> = {
  memory,
  latency,
  'over-time': overTime,
  bounds,
  moved,
  prefetch,
  wear,
  hits,
  'load-or-compute': loadOrCompute,
  worth,
  goals,
  trust,
  reproduce,
};
