import type {Axis} from './axes.js';
import type {Row} from './rows.js';
import {coordinatesOf} from './space.js';

/** Values of an axis whose runs are the same events, whatever their names promise. */
export interface Identical {
  readonly axis: string;
  readonly values: readonly string[];
  /** At how many settings of the other axes their runs are equal, of those at which all of them ran. */
  readonly settings: number;
  readonly of: number;
}

/** Values of each axis that are identical at every setting of the others, all that are so together; then pairs that are at some. */
export function identical(axes: readonly Axis[], rows: readonly Row[]): Identical[] {
  const found = axes.flatMap((axis, a) => ofAxis(axis, settingsOf(axes, a, rows)));
  const isWhole = ({settings, of}: Identical) => settings === of;
  return [...found.filter(isWhole), ...found.filter((one) => !isWhole(one))];
}

/** What happened by value of an axis, one list a setting of the others; undefined where nothing ran. */
function settingsOf(axes: readonly Axis[], a: number, rows: readonly Row[]): (string | undefined)[][] {
  const settings = new Map<string, (string | undefined)[]>();
  for (const {point, events} of rows) {
    if (events === null) continue;
    const at = coordinatesOf(axes, point);
    const others = at.filter((_, i) => i !== a).join();
    const values = settings.get(others) ?? new Array<string | undefined>(axes[a].values.length).fill(undefined);
    values[at[a]] = events;
    settings.set(others, values);
  }
  return [...settings.values()];
}

function ofAxis({name, values}: Axis, settings: readonly (readonly (string | undefined)[])[]): Identical[] {
  const found: Identical[] = [];
  const grouped = new Set<number>();
  const labels = (group: readonly number[]) => group.map((i) => values[i].label);
  for (let i = 0; i < values.length; i++) {
    if (grouped.has(i)) continue;
    const group = [i];
    for (let j = i + 1; j < values.length; j++) {
      if (grouped.has(j)) continue;
      const both = settings.filter((events) => events[i] !== undefined && events[j] !== undefined);
      const equal = both.filter((events) => events[i] === events[j]).length;
      if (equal > 0 && equal === both.length) group.push(j);
      else if (equal > 0) found.push({axis: name, values: labels([i, j]), settings: equal, of: both.length});
    }
    if (group.length === 1) continue;
    for (const member of group) grouped.add(member);
    const all = settings.filter((events) => group.every((member) => events[member] !== undefined)).length;
    found.push({axis: name, values: labels(group), settings: all, of: all});
  }
  return found;
}
