import {family, group, later} from './node.js';
import {duration, quantity, share} from './values.js';

const latencies = (says: string) => ({
  ttft: duration('longest time to first token of a good request', {says}),
  tpot: duration('longest time per output token of a good request', {says}),
  e2e: duration('longest time from arrival to last token of a good request', {says}),
});

/** Keys about the goals; a request is good when it meets all of them. */
export const slo = group('goals per request; good = meets all', {
  ...latencies('none'),
  session: duration('longest time from the first arrival of a good session to its last token', {says: 'none'}),
  makespan: duration('longest time from the first arrival of the run to its last token', {says: 'none'}),
  attainment: share('share of requests, and of sessions, that must be good', {default: 0.95}),
  classes: family(
    'goals of the classes that workload.class and workload.streams name',
    '<c>',
    group('goals of one class; the others are those of all', {
      ...latencies('that of slo'),
      attainment: share("share of the class's requests that must be good", {says: 'slo.attainment'}),
    }),
  ),
});

/** Keys about prices. */
export const cost = group('prices; without a device price no cost is printed', {
  device: quantity('price', 'of one device; your contract, not a fact', {says: 'none'}),
  devices: later(family('by device', '<D>', quantity('price', 'of one such device'))),
  host: quantity('price', 'of the host of a replica', {default: '0 USD/hour'}),
  dram: quantity('price-per-byte', 'of memory, all that the host has', {default: '0 USD/GiB/hour'}),
  ssd: quantity('price-per-byte', 'of storage, all that the host has', {default: '0 USD/GiB/hour'}),
  energy: quantity('energy-price', 'of energy; devices draw hardware.power all the time', {default: '0 USD/kWh'}),
});
