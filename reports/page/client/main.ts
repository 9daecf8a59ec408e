import type {ChartData} from '../../charts/data.js';
import {addCopyButtons} from './copy.js';
import {addItemReading} from './items.js';
import {addLineReading} from './lines.js';
import {openTablesForPrint} from './print.js';
import {addSaveButtons} from './save.js';
import {makeSortable} from './sort.js';

for (const figure of document.querySelectorAll<HTMLElement>('figure.chart')) {
  const data = JSON.parse(figure.querySelector('.chart-data')!.textContent!) as ChartData;
  if (data.kind === 'lines') addLineReading(figure, data);
  else addItemReading(figure, data);
  addSaveButtons(figure, data);
}
for (const table of document.querySelectorAll<HTMLTableElement>('table[data-sortable]')) makeSortable(table);
for (const box of document.querySelectorAll<HTMLElement>('.copyable')) addCopyButtons(box);
openTablesForPrint();
