import {devices} from '../src/models/devices/index.js';
import {llmNames} from '../src/models/llms/index.js';
import {InputError} from '../src/sim/core/errors.js';

/** Words that say nothing about which device or model it is. */
const noise = new Set([
  'nvidia',
  'geforce',
  'amd',
  'instinct',
  'apple',
  'tesla',
  'gpu',
  'hf',
  'chat',
  'instruct',
  'base',
  'it',
  'generation',
]);

/** The built-in device that a name in somebody's table means, e.g. "NVIDIA GeForce RTX 4090", "H100 SXM 80 GB"; null when none or several fit. */
export function deviceNamed(text: string): string | null {
  if (Object.hasOwn(devices, text)) return text;
  const {words, gigabytes} = wordsOf(text);
  const fits = Object.entries(devices)
    .map(([id, {name}]) => ({id, ...wordsOf(name)}))
    .filter((own) => sameWords(words, own.words));
  const exact = fits.filter((own) => own.gigabytes === gigabytes);
  const [found, ...others] = exact.length > 0 ? exact : fits;
  return found !== undefined && others.length === 0 ? found.id : null;
}

/** The built-in model that a name means, e.g. "meta-llama/Llama-2-7b-hf", "Meta-Llama-3.1-8B-Instruct"; null when there is none. */
export function llmNamed(text: string): string | null {
  const plain = text
    .split('/')
    .at(-1)!
    .toLowerCase()
    .replace(/[_ ]/g, '-')
    .replace(/^meta-/, '');
  const fits = llmNames.filter((name) => plain === name || plain.startsWith(`${name}-`)).sort((a, b) => b.length - a.length);
  const rest = plain.slice((fits[0] ?? '').length).split('-');
  return fits.length > 0 && rest.every((word) => word === '' || noise.has(word) || /^v\d/.test(word)) ? fits[0] : null;
}

/** The same, refusing what is unknown. */
export function knownDevice(text: string): string {
  const id = deviceNamed(text);
  if (id === null) throw new InputError(`device "${text}" is no built-in device; \`tiercast list devices\` names them`);
  return id;
}

/** The same, refusing what is unknown. */
export function knownLlm(text: string): string {
  const name = llmNamed(text);
  if (name === null) throw new InputError(`model "${text}" is no built-in model; \`tiercast list models\` names them`);
  return name;
}

/** RTX and GTX are left out where one side leaves them out: "4090 24GB" means an RTX 4090. */
function sameWords(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const bare = (words: ReadonlySet<string>) => [...words].filter((word) => word !== 'rtx').sort();
  if (a.has('rtx') && !b.has('rtx')) return false;
  return bare(a).join(' ') === bare(b).join(' ') && bare(a).length > 0;
}

function wordsOf(text: string): {words: Set<string>; gigabytes: number | null} {
  const size = /(\d+)\s*gb\b/i.exec(text);
  const words = text
    .replace(/(\d+(\.\d+)?)\s*gb\b/gi, ' ')
    .replace(/\d+-core( gpu)?/gi, ' ')
    .toLowerCase()
    .split(/[^a-z0-9.]+/)
    .filter((word) => word !== '' && !noise.has(word));
  return {words: new Set(words), gigabytes: size === null ? null : Number(size[1])};
}
