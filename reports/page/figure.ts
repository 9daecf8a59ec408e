import type {ChartData} from '../charts/data.js';
import {unbroken} from '../format.js';
import {embeddedJson, html, Markup} from '../markup.js';
import {type Table, table} from './table.js';

export interface LegendItem {
  readonly series: number;
  readonly label: string;
  /** How the series is drawn in the chart. */
  readonly mark: 'line' | 'area';
}

/** A chart as it stands in a page: drawing, legend, the data for the reading line, and the same values as a table. */
export interface Chart {
  /** Unique in the page; also the name of saved files. */
  readonly id: string;
  /** One sentence that says what the chart shows. */
  readonly title: string;
  readonly svg: Markup;
  /** Items, or the legend as the chart draws it itself. */
  readonly legend: readonly LegendItem[] | Markup;
  readonly data: ChartData;
  readonly table: Table;
  /** Charts of one group share their reading line. */
  readonly group?: string;
  readonly note?: string;
}

/** The figure of a chart. Everything in it can be read without script; the script adds the reading line and the buttons. */
export function figure({id, title, svg, legend, data, table: rows, group, note}: Chart): Markup {
  return html`<figure class="chart" id="chart-${id}" data-chart="${id}"${group === undefined ? null : html` data-group="${group}"`}>
<figcaption>${unbroken(title)}</figcaption>
${legend instanceof Markup ? legend : legend.length > 0 ? html`<ul class="legend">${legend.map(legendItem)}</ul>` : null}
<div class="plot${data.kind === 'items' ? ' items' : ''}">${svg}</div>
${!note ? null : html`<p class="note">${note}</p>`}
<div class="tools"><details class="as-table"><summary>Show as table</summary>${table(rows)}</details></div>
<script type="application/json" class="chart-data">${embeddedJson(data)}</script>
</figure>`;
}

function legendItem({series, label, mark}: LegendItem): Markup {
  return html`<li>${swatch(series, mark)}${unbroken(label)}</li>`;
}

/** A small drawing of how a series looks. */
export function swatch(series: number, mark: LegendItem['mark']): Markup {
  return mark === 'line'
    ? html`<svg class="swatch" width="28" height="12" aria-hidden="true" focusable="false"><path class="line s${series}" d="M0,6H28"/></svg>`
    : html`<svg class="swatch" width="12" height="12" aria-hidden="true" focusable="false"><rect class="${series === 0 ? 'segment' : 'area'} s${series}" width="12" height="12"/></svg>`;
}
