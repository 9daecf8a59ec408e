import {type ChartData, unpack} from '../../charts/data.js';

/** Adds "Save CSV" and "Save SVG" to a chart. */
export function addSaveButtons(figure: HTMLElement, data: ChartData): void {
  const tools = figure.querySelector('.tools')!;
  const id = figure.dataset['chart']!;
  const title = figure.querySelector('figcaption')!.textContent!;
  tools.append(
    button('Save CSV', title, () => save(`${id}.csv`, 'text/csv', csvOf(data))),
    button('Save SVG', title, () => save(`${id}.svg`, 'image/svg+xml', svgOf(figure))),
  );
}

function button(label: string, of: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = label;
  made.setAttribute('aria-label', `${label}: ${of}`);
  made.addEventListener('click', act);
  return made;
}

function save(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** The drawn data as CSV: one row a point, in long form where lines have x values of their own. */
export function csvOf(data: ChartData): string {
  if (data.kind === 'items') {
    return csv([['part', data.valueLabel], ...data.items.map(({label, value}) => [label, value])]);
  }
  const {label} = data.x;
  const unit = data.x.format === 'duration' ? `${label}_s` : label;
  if (data.series.every((s) => s.x === null)) {
    const columns = data.series.map((s) => unpack(s.y));
    return csv([[unit, ...data.series.map((s) => s.label)], ...unpack(data.stops).map((x, i) => [x, ...columns.map((c) => c[i]!)])]);
  }
  const rows = data.series.flatMap((s) => {
    const y = unpack(s.y);
    return unpack(s.x ?? data.stops).map((x, i) => [s.label, x, y[i]!]);
  });
  return csv([['series', unit, 'value'], ...rows]);
}

function csv(rows: readonly (readonly (string | number | null)[])[]): string {
  return `${rows.map((row) => row.map(field).join(',')).join('\r\n')}\r\n`;
}

/** Quotes what CSV needs quoted; text that a spreadsheet would take for a formula gets an apostrophe. */
function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** The chart as a file of its own: with its margins, its style and the width it has on the screen. */
function svgOf(figure: HTMLElement): string {
  const svg = figure.querySelector<SVGSVGElement>('.plot-svg')!;
  const plot = figure.querySelector<HTMLElement>('.plot')!;
  const inner = svg.getBoundingClientRect();
  const outer = plot.getBoundingClientRect();
  const ns = 'http://www.w3.org/2000/svg';
  const file = document.createElementNS(ns, 'svg');
  file.setAttribute('xmlns', ns);
  file.setAttribute('width', String(Math.round(outer.width)));
  file.setAttribute('height', String(Math.round(outer.height)));
  const title = document.createElementNS(ns, 'title');
  title.textContent = figure.querySelector('figcaption')!.textContent;
  const style = document.createElementNS(ns, 'style');
  style.textContent = document.getElementById('chart-style')!.textContent;
  const ground = document.createElementNS(ns, 'rect');
  for (const [name, value] of Object.entries({width: '100%', height: '100%', class: 'ground'})) ground.setAttribute(name, value);
  const chart = svg.cloneNode(true) as SVGSVGElement;
  const misplaced = figure.matches('.zoomed,.isolated') ? ',.direct' : '';
  for (const gone of chart.querySelectorAll(`.reading,.brush${misplaced}`)) gone.remove();
  const place = {x: inner.left - outer.left, y: inner.top - outer.top, width: inner.width, height: inner.height};
  for (const [name, value] of Object.entries(place)) chart.setAttribute(name, String(Math.round(value)));
  file.append(title, style, ground, chart);
  return new XMLSerializer().serializeToString(file);
}
