import {html, type Markup} from '../markup.js';

/** A cell: text, or a number shown by `text` and sorted by `value`. */
export type Cell = string | {readonly text: string; readonly value: number | null} | {readonly markup: Markup; readonly text: string};

export interface Table {
  /** What the table lists; read out, not drawn. */
  readonly caption: string;
  readonly head: readonly {readonly label: string; readonly numeric?: boolean; readonly markup?: Markup}[];
  readonly rows: readonly (readonly Cell[])[];
  /** Whether its columns can be sorted. */
  readonly sortable?: boolean;
}

/** A table inside a box that scrolls by itself, also by keyboard. The first cell of a row is its header. */
export function table({caption, head, rows, sortable = false}: Table): Markup {
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table${sortable ? html` data-sortable` : null}>
<caption class="unseen">${caption}</caption>
<thead><tr>${head.map((h) => html`<th scope="col"${h.numeric ? html` class="number"` : null}>${h.markup ?? h.label}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, i) => cellOf(cell, i === 0, head[i]!.numeric ?? false, sortable))}</tr>\n`)}</tbody>
</table></div>`;
}

function cellOf(cell: Cell, first: boolean, numeric: boolean, sortable: boolean): Markup {
  const text = typeof cell === 'string' ? cell : 'markup' in cell ? cell.markup : cell.text;
  const kind = numeric ? html` class="number"` : null;
  const value = sortable && typeof cell === 'object' && 'value' in cell && cell.value !== null ? html` data-value="${cell.value}"` : null;
  return first ? html`<th scope="row"${kind}${value}>${text}</th>` : html`<td${kind}${value}>${text}</td>`;
}

/** A number with the text that shows it. */
export function number(value: number | null, format: (value: number | null) => string): Cell {
  return {text: format(value), value};
}
