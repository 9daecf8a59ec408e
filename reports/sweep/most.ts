import {html, type Markup} from '../markup.js';
import {table} from '../page/table.js';
import type {SweepView} from './view.js';

/** How far each setting goes along one axis within the constraints. */
export function most({document: {most: found}}: SweepView): Markup | null {
  const [first] = found?.settings ?? [];
  if (found === null || first === undefined) return null;
  return html`${table({
    caption: `Most ${found.axis} within the constraints`,
    sortable: true,
    head: [...Object.keys(first.setting).map((label) => ({label})), {label: `most ${found.axis}`}],
    rows: found.settings.map(({setting, value, isLast}) => [
      ...Object.values(setting),
      value === null ? 'none' : `${isLast ? '≥ ' : ''}${value}`,
    ]),
  })}<p class="note">The largest value that meets the constraints, with all before it; ≥ where the axis ends there.</p>`;
}

/** The sentence above: the farthest, and how many settings reach none. */
export function mostTitle({document: {most: found}}: SweepView): string {
  const settings = found?.settings ?? [];
  const none = settings.filter(({value}) => value === null).length;
  return none === 0
    ? `Every setting meets the constraints up to some ${found?.axis ?? ''}.`
    : `${none} of ${settings.length} settings meet the constraints at no ${found?.axis ?? ''}.`;
}
