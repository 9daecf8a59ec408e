import {expect, it} from 'vitest';
import {bounds} from '../../../src/models/cost/cost.js';
import {RunRecorder} from '../../../src/sim/metrics/run-recorder.js';
import {Sharing} from '../../../src/sim/serving/sharing.js';
import {NO_OWNER} from '../../../src/sim/workload/workload.js';
import {hierarchyConfig} from '../../support/tiers.js';

it('what a shared memory holds counts when it lasts, not when a place is taken and given back at one moment', () => {
  const config = hierarchyConfig({dram: 4, shared: 'dram'});
  const resources = Object.keys(config.resources).length - 1;
  const {shared} = new RunRecorder(2, {bounds: bounds.length, terms: 0, tiers: ['dram'], resources, classes: ['a'], shares: true});
  const owners = {owner: () => NO_OWNER, entered: () => {}, left: () => {}};
  const clock = {now: 5};
  const sharing = new Sharing({config, owners, facts: {}, recorder: shared!, clock, onStir: () => {}});
  const dram = sharing.memories.tiers.get(0)!;
  dram.reserve(1);
  dram.reserve(2);
  dram.abandon(2);
  clock.now = 15;
  dram.abandon(1);
  // One block for 10 ns of 20.
  expect(sharing.take(20).tiers[0].usedBlocks).toEqual({mean: 0.5, max: 1});
});
