import {type BlockId, NO_BLOCK} from '../../sim/core/ids.js';
import {belady} from './belady.js';
import {eviction} from './eviction.js';

/** As Belady, but a block that is used again later than all that are there does not come in: it bounds policies with an admission filter. */
export const beladyBypass = eviction({
  about: 'as belady, but blocks used later than all others stay out: the best that a policy with admission can do',
  needs: ['nextUse'],
  create: (context) => {
    const policy = belady.create(context, {});
    const inside = policy.victim.bind(policy);
    policy.victim = (incoming: BlockId): BlockId => {
      const victim = inside(incoming);
      if (incoming === NO_BLOCK || victim === NO_BLOCK) return victim;
      return context.nextUse!(incoming) >= context.nextUse!(victim) ? incoming : victim;
    };
    return policy;
  },
});
