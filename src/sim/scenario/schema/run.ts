import {group, later} from './node.js';
import {study} from './study.js';
import {anything, count, duration, either, name, text, texts} from './values.js';

/** More requests than a machine's memory holds a row for; above, a slip of the keyboard and not a plan. */
const mostRequests = 1e8;
const mostReplications = 1e4;

/** Keys about one run. */
export const run = group('how long and how often', {
  requests: count('ends the run; the first limit to be reached ends it', {
    most: mostRequests,
    says: '2,000 after the warm-up, a whole trace',
  }),
  sessions: count('ends the run', {says: 'none'}),
  duration: duration('ends the run', {says: 'none'}),
  warmup: either(
    'auto, duration or requests',
    ['auto'],
    [duration('cut by time'), count('cut by requests', {least: 0})],
    'what is cut from the start: by rule, by time, or a number of requests',
    {default: 'auto'},
  ),
  seed: count('random streams; same seed, same traffic', {default: 1, least: 0, unit: 'integer'}),
  replications: count('independent runs for intervals', {default: 1, most: mostReplications}),
  bounds: name(
    'bounds',
    ['off', 'hits', 'full'],
    'hits of no cache, of one that knows the future and of an endless one beside the run; full simulates none and endless',
    {default: 'hits'},
  ),
});

/** Keys about the report page. */
export const report = group('the report page', {
  title: text('title of the page', {says: 'name'}),
  panels: texts('which panels', {says: 'all'}),
  sample: count('requests that the page draws', {default: 20000, unit: 'requests'}),
});

/** Keys about measurements and gates; `study` belongs to sweeps. */
export const checks = {
  measured: later(texts('measured files that compare reads')),
  expect: later(anything('conditions for CI, e.g. ttft_s.p95 <= 500 ms', {type: 'conditions'})),
  study,
};
