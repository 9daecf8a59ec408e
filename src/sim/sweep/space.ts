import type {Change} from '../scenario/resolve/index.js';
import type {Axis} from './axes.js';

/** How many points the axes span: the product of their values. */
export function sizeOf(axes: readonly Axis[]): number {
  return axes.reduce((product, {values}) => product * values.length, 1);
}

/** Which value each axis has at a point. Points are numbered from 0, the last axis fastest. */
export function coordinatesOf(axes: readonly Axis[], point: number): number[] {
  const coordinates = new Array<number>(axes.length);
  for (let i = axes.length - 1; i >= 0; i--) {
    const length = axes[i].values.length;
    coordinates[i] = point % length;
    point = Math.floor(point / length);
  }
  return coordinates;
}

/** The point at a place of the grid: the inverse of `coordinatesOf`. */
export function pointAt(axes: readonly Axis[], coordinates: readonly number[]): number {
  return axes.reduce((point, {values}, i) => point * values.length + coordinates[i], 0);
}

/** What each axis is called at a point, by the name of the axis. */
export function labelsOf(axes: readonly Axis[], point: number): Record<string, string> {
  const at = coordinatesOf(axes, point);
  return Object.fromEntries(axes.map(({name, values}, i) => [name, values[at[i]].label]));
}

/** What a point changes of the study's scenario, axis by axis. */
export function changesOf(axes: readonly Axis[], point: number): Change[] {
  const at = coordinatesOf(axes, point);
  return axes.flatMap(({values}, i) => values[at[i]].changes);
}
