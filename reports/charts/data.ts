import type {FormatName} from '../format.js';

/** What the page's script knows of a chart with lines: enough to read values at a position, and to write the CSV. */
export interface LinesData {
  readonly kind: 'lines';
  readonly x: {
    readonly label: string;
    readonly format: FormatName;
    readonly log: boolean;
    /** Values at the left and right edge of the plot. */
    readonly domain: readonly [number, number];
  };
  /** Where the reading line may stand when the keyboard moves it, ascending. */
  readonly stops: Column;
  readonly series: readonly SeriesData[];
  /** The value at the top edge, of stacked areas that can be shown alone; 0 is at the foot. */
  readonly top?: number;
}

/** One line or area. A value holds from its x until the next. */
export interface SeriesData {
  readonly label: string;
  readonly format: FormatName;
  /** Own x values, ascending; null: the stops of the chart. */
  readonly x: Column | null;
  readonly y: Column;
}

/** What the script knows of a chart with separate marks: bars, segments, dots. `value` null: unknown. */
export interface ItemsData {
  readonly kind: 'items';
  readonly valueLabel: string;
  readonly format: FormatName;
  readonly items: readonly {
    readonly label: string;
    readonly value: number | null;
    /** How the value is shown where the chart's format does not say it. */
    readonly text?: string;
    readonly note: string;
  }[];
}

export type ChartData = LinesData | ItemsData;

/** Numbers of a column as whole multiples of `unit`, which JSON writes shorter; null: unknown. */
export interface Column {
  readonly unit: number;
  readonly n: readonly (number | null)[];
}

/** Packs `values` to 1/100,000 of the largest magnitude: finer than a pixel. For columns whose values span few decades. */
export function pack(values: ArrayLike<number>): Column {
  let largest = 0;
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i]!) > largest) largest = Math.abs(values[i]!);
  const unit = largest > 0 ? Number(`1e${Math.ceil(Math.log10(largest)) - 6}`) : 1;
  return {unit, n: Array.from(values, (v) => (Number.isFinite(v) ? Math.round(v / unit) + 0 : null))};
}

/** Packs `values` with six significant digits each: for columns that span decades, as on a log axis. */
export function packExact(values: ArrayLike<number>): Column {
  return {unit: 1, n: Array.from(values, (v) => (Number.isFinite(v) ? Number(v.toPrecision(6)) : null))};
}

/** The values of a column. */
export function unpack({unit, n}: Column): (number | null)[] {
  return n.map((v) => (v === null ? null : Number((v * unit).toPrecision(6))));
}
