import {InputError} from '../../sim/core/errors.js';
import {Checked, thrown} from './checked.js';
import {defaultsOf, type Eviction, eviction, factTexts, type Parameter, type ParameterValues} from './eviction.js';
import {readParameters} from './parameters.js';
import type {EvictionFactory, Fact} from './policy.js';
import {type Score, scored} from './scored.js';

/** What the default export of a policy's own file may have: `score`, or `create` for all methods of a policy. */
interface OwnPolicy {
  readonly about: string;
  readonly params?: Readonly<Record<string, Parameter>>;
  readonly needs?: readonly Fact[];
  readonly uses?: readonly Fact[];
  /** The worth of keeping a block; the lowest leaves first. */
  readonly score?: (...given: [...Parameters<Score>, ParameterValues]) => number;
  readonly create?: Parameters<typeof eviction>[0]['create'];
}

/**
 * The policy that a file's module exports by default, with what it does checked while it runs.
 *
 * Throws InputError that names the file and what is missing.
 */
export function ownEviction(file: string, module: unknown): Eviction {
  const exported = (module as {default?: unknown} | null)?.default;
  const wrong = whyNot(exported);
  if (wrong !== null)
    throw new InputError(`${file}: ${wrong}; e.g. export default {about: 'evicts …', score: (block, {readAt}) => readAt[block]}`);
  const {about, params = {}, needs = [], uses = [], score, create} = exported as OwnPolicy;
  const made: (...given: Parameters<NonNullable<OwnPolicy['create']>>) => ReturnType<EvictionFactory> =
    create ?? ((context, values) => scored(numbersOf(file, (...given) => score!(...given, values)))(context));
  const policy: Eviction = eviction({
    about,
    params,
    needs,
    uses: [...new Set(uses)],
    create: (context, values) => {
      try {
        return new Checked(file, made(context, values), context.blocks);
      } catch (error) {
        throw thrown(file, 'create', error);
      }
    },
  });
  readParameters(`${file} by default`, policy, defaultsOf(policy));
  return policy;
}

/** The same score, but anything else than a number ends the run: heaps would order it at random. */
function numbersOf(file: string, score: Score): Score {
  return (block, history, known, age) => {
    const worth = score(block, history, known, age);
    if (typeof worth !== 'number' || Number.isNaN(worth))
      throw new InputError(
        `${file}: score of block ${block} is ${typeof worth === 'object' ? 'an object' : String(worth)}, which is no number`,
      );
    return worth;
  };
}

/** What is wrong with a default export, as a clause; null: nothing. */
function whyNot(policy: unknown): string | null {
  if (typeof policy !== 'object' || policy === null) return 'its default export is no object';
  const {about, params, needs, uses, score, create} = policy as Record<string, unknown>;
  if (typeof about !== 'string' || about === '') return 'about, what the policy does in one line, is missing';
  if ((typeof score === 'function') === (typeof create === 'function'))
    return 'it has to have either a function score or a function create';
  for (const [name, list] of Object.entries({needs, uses})) {
    if (list === undefined) continue;
    const unknown = Array.isArray(list) ? list.find((fact) => !Object.hasOwn(factTexts, String(fact))) : list;
    if (unknown !== undefined || !Array.isArray(list))
      return `${name} lists ${JSON.stringify(unknown)}; what can be known is ${Object.keys(factTexts).join(', ')}`;
  }
  if (params === undefined) return null;
  if (typeof params !== 'object' || params === null) return 'params is no object of parameters';
  if (Object.hasOwn(params, 'policy')) return 'its parameter policy has the name of the key beside it; another name';
  const bad = Object.entries(params).find(([, parameter]) => !isParameter(parameter));
  return bad === undefined
    ? null
    : `its parameter ${bad[0]} is not like {kind: 'share', default: 0.5, about: '…'} (share, count, number, duration, or name with names)`;
}

function isParameter(parameter: unknown): boolean {
  if (typeof parameter !== 'object' || parameter === null) return false;
  const {kind, default: value, about, names} = parameter as Record<string, unknown>;
  if (typeof about !== 'string') return false;
  if (kind === 'name') return Array.isArray(names) && names.includes(value);
  return ['share', 'count', 'number', 'duration'].includes(kind as string) && typeof value === 'number';
}
