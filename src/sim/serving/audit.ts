import type {LinkedList} from '../core/linked-list.js';
import type {BlockPool} from '../memory/block-pool.js';
import type {DecodeSet} from './decode-set.js';
import {type Request, State} from './request.js';

/** Throws when the decode set's sums or the pool's counts differ from a count of the requests that hold blocks, and of those `lent` to stores. For tests and debug runs. */
export function audit(
  lists: readonly LinkedList<Request>[],
  lent: Iterable<number>,
  decodes: DecodeSet,
  pool: BlockPool,
  blockSize: number,
): void {
  let count = 0,
    computed = 0,
    needs = 0,
    blocks = 0;
  const shared = new Set(lent);
  for (const list of lists) {
    for (let request = list.oldest; request !== null; request = request.younger) {
      const tokens = request.state === State.decode ? request.computed + decodes.tick - request.tick : request.computed;
      if (request.state === State.decode) {
        count++;
        computed += tokens;
        if (tokens % blockSize === 0) needs++;
      }
      blocks += Math.max(Math.ceil(tokens / blockSize), request.reserved) - request.published + (request.duplicates?.length ?? 0);
      addShared(request, shared);
    }
  }
  const wrong: string[] = [];
  if (count !== decodes.count) wrong.push(`${decodes.count} decodes, counted ${count}`);
  if (computed !== decodes.computed) wrong.push(`context ${decodes.computed}, counted ${computed}`);
  if (needs !== decodes.need()) wrong.push(`${decodes.need()} blocks needed, counted ${needs}`);
  if (blocks + shared.size !== pool.held) wrong.push(`${pool.held} blocks held, counted ${blocks + shared.size}`);
  if (pool.held + pool.cached > pool.capacity) wrong.push('more blocks than there are');
  if (wrong.length > 0) throw new Error(`books do not balance: ${wrong.join('; ')}`);
}

/** The ids of the published blocks that a request holds, each once. */
function addShared({chain, published, duplicates}: Request, ids: Set<number>): void {
  for (let run = 0, left = published, index = 0; left > 0; run++) {
    const {bases, counts} = chain!;
    const n = Math.min(left, counts[run]);
    for (let i = 0; i < n; i++, index++) if (!duplicates?.includes(index)) ids.add(bases[run] + i);
    left -= n;
  }
}
