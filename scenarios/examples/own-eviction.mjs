/**
 * An eviction policy of one's own: a block counts as read so many uses earlier for each block before it in its prompt, so that beginnings stay longer than ends.
 *
 * `score` is the worth of keeping a block, the lowest leaves first; it may change only when the block is read.
 */
export default {
  about: 'evicts the block read longest ago, each block of depth counted as some uses more',
  params: {uses: {kind: 'count', default: 20, about: 'uses that a block of depth counts as'}},
  needs: ['depth'],
  score: (block, {readAt}, {depth}, _age, {uses}) => readAt[block] - uses * depth(block),
};
