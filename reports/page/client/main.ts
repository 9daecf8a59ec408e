import type {ChartData} from '../../charts/data.js';
import {addCommandCopy, addCopyButtons} from './copy.js';
import {addFilter} from './filter.js';
import {addIsolating} from './isolate.js';
import {addItemReading} from './items.js';
import {addLineReading} from './lines.js';
import {addOwnPrice} from './own-price.js';
import {addPicking} from './pick.js';
import {addPicker} from './picker.js';
import {openTablesForPrint} from './print.js';
import {addSaveButtons} from './save.js';
import {makeSortable} from './sort.js';
import {addZoom} from './zoom.js';

for (const figure of document.querySelectorAll<HTMLElement>('figure.chart')) {
  const data = JSON.parse(figure.querySelector('.chart-data')!.textContent!) as ChartData;
  if (data.kind === 'lines') addLineReading(figure, data);
  else addItemReading(figure, data);
  if (data.kind === 'lines' && data.top !== undefined) addIsolating(figure, data);
  addSaveButtons(figure, data);
}
for (const table of document.querySelectorAll<HTMLTableElement>('table[data-sortable]')) makeSortable(table);
for (const box of document.querySelectorAll<HTMLElement>('.copyable')) addCopyButtons(box);
for (const select of document.querySelectorAll<HTMLSelectElement>('select[data-picks]')) addPicking(select);
for (const input of document.querySelectorAll<HTMLInputElement>('input[data-filters]')) addFilter(input);
for (const code of document.querySelectorAll<HTMLElement>('code.command')) addCommandCopy(code);
for (const box of document.querySelectorAll<HTMLElement>('.own-price')) addOwnPrice(box);
for (const box of document.querySelectorAll<HTMLElement>('.chosen')) addPicker(box);
for (const box of document.querySelectorAll<HTMLElement>('.zoom')) addZoom(box);
openTablesForPrint();
