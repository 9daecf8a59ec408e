import type {KvTier, Scenario} from '../scenario.js';
import type {Draft} from './draft.js';

type Scope = NonNullable<KvTier['scope']>;

/** Who shares a tier beside the replica that writes it; nothing where it is its own, or there is one replica. */
export function resolveScope(draft: Draft, path: string, {replicas}: Scenario['cluster']): Pick<KvTier, 'scope'> {
  const scope = draft.get<Scope | 'replica'>(`${path}.scope`) ?? 'replica';
  if (scope === 'replica') return {};
  if (replicas > 1) return {scope};
  draft.noEffect(`${path}.scope`, 'there is one replica; cluster.replicas says more');
  return {};
}

/**
 * Refuses what cannot be shared: a memory above one that each replica has for itself, and what lies in a device's own memory.
 *
 * What leaves a memory of all could not be written to one of many, and what each of many has could not be found in it. `one`: the device's memory is also DRAM.
 */
export function refuseScopes(draft: Draft, tiers: readonly KvTier[], {one, home}: {readonly one: boolean; readonly home: string}): void {
  const pathOf = ({name}: KvTier) => `kv.tiers.${name === 'page-cache' ? 'ssd' : name}.scope`;
  for (const [i, tier] of tiers.entries()) {
    if (tier.scope === undefined) continue;
    const own = tiers.slice(i + 1).find(({scope}) => scope === undefined);
    if (own !== undefined)
      draft.fault(
        pathOf(tier),
        `${tier.scope} shares ${tier.name}, and each replica has ${own.name} below it for itself: what leaves a memory of all cannot go to one of many; ${pathOf(own)}: ${tier.scope} too`,
      );
    if (one && (tier.name === 'dram' || tier.name === 'page-cache'))
      draft.fault(
        pathOf(tier),
        `${tier.scope} shares ${tier.name}, which lies in the device's one memory, ${home}: replicas have one each`,
      );
  }
  const cache = tiers.find(({name}) => name === 'page-cache');
  const dram = tiers.find(({name}) => name === 'dram');
  if (cache?.scope !== undefined && dram !== undefined && dram.scope === undefined)
    draft.fault(
      'kv.tiers.ssd.scope',
      `${cache.scope} shares the page cache of the SSD too (kv.tiers.ssd.io), and each replica has DRAM, where it lies, for itself; kv.tiers.dram.scope: ${cache.scope} too`,
    );
}
