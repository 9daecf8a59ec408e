import {blockAdmissionPolicies} from '../../policies/admission/index.js';
import type {TierConfig} from '../memory/hierarchy-config.js';
import type {BlockAdmissionChoice, KvTier} from './scenario.js';

/** When blocks are to be written to a memory, which of them come in, and when places are freed ahead, as a run sees it; `capacity` is in blocks. */
export function incoming(
  {write, admission, watermark}: Pick<KvTier, 'write' | 'admission' | 'watermark'>,
  capacity: number,
): Pick<TierConfig, 'write' | 'admission' | 'watermark'> {
  const low = Math.floor((watermark?.low ?? 0) * capacity);
  return {
    write: write.when === 'selective' ? {when: 'through', generated: write.generated} : write,
    admission: factory(write.when === 'selective' ? afterTouches(write) : admission),
    watermark: watermark === undefined ? null : {low, high: Math.max(low + 1, Math.ceil(watermark.high * capacity))},
  };
}

/** Selective writes are write-through to who is admitted. */
function afterTouches({afterTouches: k, counts}: Extract<KvTier['write'], {when: 'selective'}>): BlockAdmissionChoice {
  return {policy: 'after-touches', params: {k, counts}};
}

function factory(choice: BlockAdmissionChoice | undefined): TierConfig['admission'] {
  if (choice === undefined || choice.policy === 'all') return null;
  return (facts) => blockAdmissionPolicies[choice.policy].create(facts, choice.params);
}
