import {speak} from './speak.js';

type Direction = 'ascending' | 'descending';

/** Turns the headers of a table into buttons that sort it: numbers by value, text by alphabet; equal rows keep their order. */
export function makeSortable(table: HTMLTableElement): void {
  const headers = [...table.tHead!.rows[0]!.cells];
  headers.forEach((header, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener('click', () => {
      const direction: Direction = header.ariaSort === 'ascending' ? 'descending' : 'ascending';
      for (const other of headers) other.removeAttribute('aria-sort');
      header.setAttribute('aria-sort', direction);
      sortRows(table.tBodies[0]!, column, direction);
      speak(`sorted by ${button.textContent}, ${direction}`);
    });
  });
}

function sortRows(body: HTMLTableSectionElement, column: number, direction: Direction): void {
  const sign = direction === 'ascending' ? 1 : -1;
  const rows = [...body.rows];
  rows.sort((a, b) => sign * compare(a.cells[column]!, b.cells[column]!));
  body.append(...rows);
}

function compare(a: HTMLElement, b: HTMLElement): number {
  const [x, y] = [a.dataset['value'], b.dataset['value']];
  if (x !== undefined && y !== undefined) return Number(x) - Number(y);
  return a.textContent!.localeCompare(b.textContent!, 'en', {numeric: true});
}
