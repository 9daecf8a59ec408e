import {isGood, type Row} from './rows.js';
import {coordinatesOf} from './space.js';
import type {Study} from './study.js';

/** The largest value of an axis that meets the constraints, and all before it, at one setting of the other axes. */
export interface Most {
  readonly setting: Readonly<Record<string, string>>;
  /** Null: not even the first one does. */
  readonly value: string | null;
  /** Whether it is the last of the axis, so that more may be within the constraints. */
  readonly isLast: boolean;
}

/** How far each setting goes along the axis that `study.most` names, in the order of its values; null when it names none. */
export function most({axes, most: axis}: Study, rows: readonly Row[]): {readonly axis: string; readonly settings: readonly Most[]} | null {
  if (axis === null) return null;
  const a = axes.indexOf(axis);
  const settings = new Map<string, {first: Row; good: boolean[]}>();
  for (const row of rows) {
    if (row.status === 'skipped') continue;
    const at = coordinatesOf(axes, row.point);
    const key = at.filter((_, i) => i !== a).join();
    const setting = settings.get(key) ?? {first: row, good: []};
    setting.good[at[a]] = isGood(row);
    settings.set(key, setting);
  }
  return {axis: axis.name, settings: [...settings.values()].map(({first, good}) => mostOf(first, good))};

  function mostOf(first: Row, good: readonly boolean[]): Most {
    // A value that was not tried says nothing, and the next one counts.
    const tried = axis!.values.map(({label}, i) => ({label, good: good[i]})).filter((one) => one.good !== undefined);
    const fails = tried.findIndex((one) => !one.good);
    const met = fails < 0 ? tried.length : fails;
    const setting = Object.fromEntries(axes.filter((_, i) => i !== a).map(({name}) => [name, first.axes[name]]));
    return {setting, value: met === 0 ? null : tried[met - 1].label, isLast: met === tried.length};
  }
}
