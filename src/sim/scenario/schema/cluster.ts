import {routingPolicies} from '../../../policies/routing/index.js';
import {policy} from './forms.js';
import {family, group, later, type Node} from './node.js';
import {count, duration, name, ratio, text} from './values.js';

/** More would not fit a machine: each is simulated with a cache of its own. */
const mostReplicas = 10_000;

/** Keys about several replicas; `replica` are the keys that describe one. */
export function cluster(replica: Readonly<Record<string, Node>>) {
  return group('several replicas behind a router', {
    replicas: count('equal replicas, each with devices and memories of its own', {default: 1, most: mostReplicas}),
    router: policy('router', Object.keys(routingPolicies), [], 'which replica gets a request', {says: 'round-robin'}),
    pools: later(
      family(
        'replicas of different kinds',
        '<p>',
        group('one pool', {
          role: name('role', ['prefill', 'decode', 'both'], 'what its replicas do', {default: 'both'}),
          replicas: count('replicas of the pool', {default: 1}),
          ...replica,
        }),
      ),
    ),
    transfer: later(
      group('how KV goes from prefill to decode', {
        mode: name('mode', ['push', 'pull'], 'who starts it', {default: 'pull'}),
        granularity: name('granularity', ['request', 'layer', 'block'], 'what goes at once', {default: 'request'}),
      }),
    ),
    autoscale: later(
      group('replicas that come and go', {
        pool: text('which pool'),
        metric: text('what is watched'),
        target: ratio('its target', {zero: true}),
        min: count('fewest replicas', {least: 0}),
        max: count('most replicas'),
        delay: duration('until a new replica serves'),
      }),
    ),
  });
}
