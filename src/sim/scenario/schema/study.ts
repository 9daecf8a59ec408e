import {group, later} from './node.js';
import {anything, count, name, share} from './values.js';

const search = group(
  'how points are chosen',
  {
    method: name('search', ['grid', 'random'], 'all points, or some drawn without repetition', {
      says: 'grid up to 2,000 points',
      later: ['sobol', 'lhs', 'halving', 'nsga2', 'surrogate', 'descent', 'capacity', 'placement'],
    }),
    points: count('how many points are drawn', {says: 'all'}),
    seed: count('which points are drawn; same seed, same points', {says: '1', least: 0, unit: 'integer'}),
    promote: later(share('share of the points that goes on to the next round')),
  },
  {kindKey: 'method', short: {key: () => 'method', cited: 'as-written'}},
);

/** Keys about a sweep: what it varies and what it looks for. */
export const study = group('what a sweep varies and looks for', {
  axes: anything('paths or names with the values they take: a list, {range: {from, to, points, scale}} or {set: [{path: value}], labels}', {
    type: 'map',
    says: 'required',
  }),
  skip: anything('points that are left out, by some of their values', {type: 'list', says: 'none'}),
  constraints: anything('conditions that a point must meet: path op value', {type: 'conditions', says: 'slo + fits'}),
  objectives: anything('what is minimised or maximised: paths of a result', {type: 'list', says: 'required'}),
  search,
  stop: later(anything('most points or wall time', {type: 'map'})),
  compare: anything('axes whose values are compared with each other at each setting of the others, on the same random streams', {
    type: 'text or list',
    says: 'none',
  }),
  most: anything('the axis whose largest value within the constraints is looked for at each setting of the others', {
    type: 'text',
    says: 'none',
  }),
  baseline: anything('the point that others are compared with', {type: 'map', says: 'none'}),
});
