import {family, group, later} from './node.js';
import {duration, quantity, share} from './values.js';

const targets = {
  ttft: duration('longest time to first token of a good request', {says: 'none'}),
  tpot: duration('longest time per output token of a good request', {says: 'none'}),
  e2e: duration('longest time from arrival to last token of a good request', {says: 'none'}),
  session: later(duration('longest time of a session', {says: 'none'})),
  makespan: later(duration('longest time of the whole run', {says: 'none'})),
  attainment: share('share of requests that must be good', {default: 0.95}),
};

/** Keys about the goals; a request is good when it meets all of them. */
export const slo = group('goals per request; good = meets all', {
  ...targets,
  classes: later(family('goals by class', '<c>', group('goals of one class', targets))),
});

/** Keys about prices. */
export const cost = group('prices; without a device price no cost is printed', {
  device: quantity('price', 'of one device; your contract, not a fact', {says: 'none'}),
  devices: later(family('by device', '<D>', quantity('price', 'of one such device'))),
  host: quantity('price', 'of the host of a replica', {default: '0 USD/hour'}),
  dram: later(quantity('price-per-byte', 'of memory', {default: '0 USD/GiB/hour'})),
  ssd: later(quantity('price-per-byte', 'of storage', {default: '0 USD/GiB/hour'})),
  energy: quantity('energy-price', 'of energy', {default: '0 USD/kWh'}),
});
