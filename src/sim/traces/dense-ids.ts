/**
 * Renumbers ids to 0, 1, 2 … in the order in which they are first seen; ids that have that order already keep it.
 *
 * Ids of a chain are then consecutive where it is new, which keeps chains short as runs.
 */
export function denseIds(raw: Float64Array): {ids: Int32Array; distinct: number} {
  let highest = -1;
  for (const id of raw) if (id > highest) highest = id;
  return highest < 4 * raw.length + 1024 ? byTable(raw, highest + 1) : byMap(raw);
}

function byTable(raw: Float64Array, size: number): {ids: Int32Array; distinct: number} {
  const names = new Int32Array(size).fill(-1);
  const ids = new Int32Array(raw.length);
  let distinct = 0;
  for (let i = 0; i < raw.length; i++) {
    const id = raw[i];
    if (names[id] === -1) names[id] = distinct++;
    ids[i] = names[id];
  }
  return {ids, distinct};
}

function byMap(raw: Float64Array): {ids: Int32Array; distinct: number} {
  const names = new Map<number, number>();
  const ids = new Int32Array(raw.length);
  for (let i = 0; i < raw.length; i++) {
    let id = names.get(raw[i]);
    if (id === undefined) names.set(raw[i], (id = names.size));
    ids[i] = id;
  }
  return {ids, distinct: names.size};
}
