/** An LRU cache as one would write it first: a Map from block to a node of a linked list, newest first behind `head`. Returns seconds; throws when it does not hit as often as `expected`. */
export function mapLru(accesses, capacity, expected) {
  const nodes = new Map();
  const head = {block: -1, before: null, after: null};
  head.before = head.after = head;
  const unlink = (node) => {
    node.before.after = node.after;
    node.after.before = node.before;
  };
  const toFront = (node) => {
    node.before = head;
    node.after = head.after;
    head.after.before = node;
    head.after = node;
  };
  let hits = 0;
  const start = performance.now();
  for (let i = 0; i < accesses.length; i++) {
    const block = accesses[i];
    let node = nodes.get(block);
    if (node !== undefined) {
      hits++;
      unlink(node);
    } else {
      if (nodes.size === capacity) {
        nodes.delete(head.before.block);
        unlink(head.before);
      }
      node = {block, before: null, after: null};
      nodes.set(block, node);
    }
    toFront(node);
  }
  const seconds = (performance.now() - start) / 1e3;
  if (hits !== expected) throw new Error(`the two caches disagree: ${expected} and ${hits} hits`);
  return seconds;
}
