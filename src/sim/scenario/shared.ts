import type {SharedPart} from '../memory/hierarchy-config.js';
import type {MemoryPlan, Scenario, TierName, TierPlan} from './scenario.js';

/** How many of a memory below HBM there are: one for each replica, or one that all of them share. */
export function copies({scope}: Pick<TierPlan, 'scope'>, replicas: number): number {
  return scope === undefined ? replicas : 1;
}

/** Links and ports that belong to a memory, and channels that lead to it. Links of devices stay their own: `host`, and `direct` from an SSD. */
const belongings: Readonly<Record<TierName, {readonly resources: readonly string[]; readonly channels: readonly string[]}>> = {
  dram: {resources: ['dram'], channels: ['page-cache']},
  'page-cache': {resources: ['dram'], channels: ['page-cache']},
  ssd: {resources: ['ssd.read', 'ssd.write', 'ssd', 'storage.up', 'storage.down', 'storage.both'], channels: ['ssd.read', 'ssd.write']},
  remote: {resources: ['remote', 'network.up', 'network.down', 'network.both'], channels: ['network.up', 'network.down']},
};

/** What replicas have together, of memories that have room for a block, among the resources that there are; null: nothing. */
export function sharedPart({cluster}: Scenario, {tiers}: MemoryPlan, resources: Readonly<Record<string, number>>): SharedPart | null {
  const used = tiers.filter(({kvBlocks}) => kvBlocks >= 1);
  const from = used.findIndex(({scope}) => scope !== undefined);
  if (cluster.replicas === 1 || from < 0) return null;
  const of = used.slice(from).map(({memory}) => belongings[memory]);
  return {
    from,
    resources: [...new Set(of.flatMap((one) => one.resources))].filter((name) => Object.hasOwn(resources, name)),
    channels: [...new Set(of.flatMap((one) => one.channels))],
  };
}

/** Who has a memory that is shared, for lines that tell of one replica beside it. */
export function sharedText(scope: NonNullable<TierPlan['scope']>, replicas: number): string {
  const all = replicas === 2 ? 'both replicas' : `all ${replicas} replicas`;
  return scope === 'host' ? `one for ${all}, which are on one host` : `one for ${all}`;
}
