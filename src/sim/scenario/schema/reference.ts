import {type Explanation, explain} from './explain.js';
import {find, paths} from './index.js';

/** Maps whose keys the documentation describes once, not at every place. */
const describedOnce = /^cluster\.pools\.<p>\.(?!role|replicas)|^workload\.streams\.<s>\.|^slo\.classes\.<c>\./;

/** The table of every key, as Markdown, made from the schema: what `docs/scenario.md` holds. */
export function referenceTable(): string {
  const rows = paths()
    .filter((path) => !describedOnce.test(path) && formOf(path.slice(0, path.lastIndexOf('.'))) === null)
    .map((path) => explain(path))
    .filter(({keys, path}) => keys.length === 0 || find(path)!.node.says !== undefined || formOf(path) !== null)
    .map((one) => row(`\`${one.path}\``, typeOf(one), one.default ?? '–', one.simulated ? one.why : `*later* · ${one.why}`));
  return [row('key', 'type, unit', 'default', 'why'), row('---', '---', '---', '---'), ...rows, ''].join('\n');
}

function typeOf({path, type, unit, names, later}: Explanation): string {
  const form = formOf(path);
  if (form === 'distribution') return `distribution${unit === null ? '' : ` of ${unit}`}`;
  if (names.length === 0) return form ?? unit ?? type;
  return [names.join(', '), ...(later.length === 0 ? [] : [`later: ${later.join(', ')}`])].join('; ');
}

/** Whether the map at a path is a policy or a distribution. */
function formOf(path: string): 'policy' | 'distribution' | null {
  const node = path === '' ? null : find(path)?.node;
  if (node?.kind !== 'group') return null;
  if (node.kindKey === 'policy') return 'policy';
  return node.kindKey === 'dist' ? 'distribution' : null;
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
