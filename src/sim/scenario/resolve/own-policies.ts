import {ownEviction} from '../../../policies/eviction/own.js';
import {folderOf, liesIn} from '../file/paths.js';
import {at} from '../file/tree.js';
import {isPolicyFile} from '../schema/forms.js';
import type {Draft} from './draft.js';

/** Loads the eviction policies that the scenario names by a file. One that nobody has allowed, that lies outside the folder of the file that names it, or that is no policy is a fault of its key. */
export async function loadOwnPolicies(draft: Draft): Promise<void> {
  const tiers = at(draft.tree, ['kv', 'tiers'])?.tree;
  if (tiers?.kind !== 'map') return;
  for (const memory of tiers.entries.keys()) {
    const key = `kv.tiers.${memory}.eviction`;
    const written = draft.get<unknown>(`${key}.policy`);
    if (typeof written === 'string' && isPolicyFile(written)) await load(draft, key, written);
  }
}

async function load(draft: Draft, key: string, written: string): Promise<void> {
  const {run} = draft.files;
  const refuse = (message: string) => draft.fault(`${key}.policy`, message);
  if (run === null) return refuse(`${written} is a program, and a scenario runs none by itself; --allow-code allows it`);
  const path = draft.resolvePath(`${key}.policy`, written);
  const folder = folderOf(draft.placeOf(`${key}.policy`).at.file);
  if (!liesIn(await draft.files.real(folder === '' ? '.' : folder), await draft.files.real(path)))
    return refuse(`${written} lies outside the folder of the file that names it; a policy is copied beside the scenario`);
  const policy = await draft.tryAsync(`${key}.policy`, async () => {
    await draft.readFile(path);
    const {sha256} = draft.read.find((one) => one.path === path)!;
    return ownEviction(written, await run(path, sha256));
  });
  if (policy !== undefined) draft.ownPolicies.set(key, policy);
}
