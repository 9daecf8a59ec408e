import {unpack} from '../../charts/data.js';
import {count, duration} from '../../format.js';
import type {PickerData} from '../picked.js';
import {addBrush, made} from './brush.js';
import {domainOf, wholeDomain} from './domain.js';
import {zoomed} from './zoom.js';

const listed = 50;
const marked = 400;
const words = {ttft: 'TTFT', tpot: 'TPOT', e2e: 'E2E'} as const;
type Metric = keyof typeof words;
type Columns = Record<keyof PickerData['columns'], (number | null)[]>;

/** Gives the table of requests its effect: a range dragged over the latency curves, a moment clicked over time, or both written by hand. */
export function addPicker(box: HTMLElement): void {
  const {all, columns: packed} = JSON.parse(box.querySelector('.chosen-data')!.textContent!) as PickerData;
  const columns = Object.fromEntries(Object.entries(packed).map(([name, column]) => [name, unpack(column)])) as Columns;
  const total = columns.id.length;
  const metric = box.querySelector('select')!;
  const [from, to] = [box.querySelector<HTMLInputElement>('.from')!, box.querySelector<HTMLInputElement>('.to')!];

  let arrivals: number[] = [];
  const show = (by: Metric, chosen: number[], what: string) => {
    chosen.sort((a, b) => (columns[by][b] ?? -1) - (columns[by][a] ?? -1) || a - b);
    const less = total < all ? `, of the ${count(total)} slowest of ${count(all)}` : '';
    const few = chosen.length > listed ? `; the ${listed} slowest of them` : '';
    box.querySelector('output')!.textContent =
      `${count(chosen.length)} ${chosen.length === 1 ? 'request' : 'requests'} ${what}${less}${few}.`;
    box.querySelector('tbody')!.replaceChildren(...chosen.slice(0, listed).map((i) => row(columns, i)));
    arrivals = chosen.slice(0, marked).map((i) => columns.arrival[i]!);
    markArrivals(arrivals);
  };
  const byLatency = () => {
    const by = metric.value as Metric;
    const [low, high] = [from.valueAsNumber || 0, to.value === '' ? Number.POSITIVE_INFINITY : to.valueAsNumber];
    const chosen = [...columns[by].keys()].filter((i) => columns[by][i] !== null && columns[by][i]! >= low && columns[by][i]! <= high);
    show(by, chosen, `with ${words[by]} from ${duration(low)}${high === Number.POSITIVE_INFINITY ? '' : ` to ${duration(high)}`}`);
  };
  const range = (low: number, high: number | null) => {
    from.value = String(Number(low.toPrecision(6)));
    to.value = high === null ? '' : String(Number(high.toPrecision(6)));
    byLatency();
  };
  const slowest = () => {
    const known = columns[metric.value as Metric].filter((value) => value !== null).sort((a, b) => b - a);
    range(known[Math.min(known.length - 1, Math.max(0, Math.ceil(all * 0.05) - 1))] ?? 0, null);
  };

  for (const input of [metric, from, to]) input.addEventListener('change', byLatency);
  box.querySelector('button')!.addEventListener('click', slowest);
  const curves = document.getElementById('chart-latency-ecdf');
  if (curves !== null) {
    const [low, high] = wholeDomain(curves);
    addBrush(curves, (a, b) => range(low * (high / low) ** a, low * (high / low) ** b));
  }
  for (const figure of document.querySelectorAll<HTMLElement>('figure[data-group="time"]')) {
    onMoment(figure, (low, high) => {
      const chosen = [...columns.arrival.keys()].filter((i) => columns.arrival[i]! >= low && columns.arrival[i]! <= high);
      show(metric.value as Metric, chosen, `that came from ${duration(low)} to ${duration(high)}`);
    });
  }
  document.addEventListener(zoomed, () => markArrivals(arrivals));
  box.hidden = false;
  slowest();
}

function row(columns: Columns, i: number): HTMLTableRowElement {
  const tr = document.createElement('tr');
  const head = document.createElement('th');
  head.scope = 'row';
  head.textContent = String(columns.id[i]);
  const cells = [
    ...(['arrival', 'ttft', 'tpot', 'e2e'] as const).map((name) => duration(columns[name][i]!)),
    ...(['input', 'output', 'hit'] as const).map((name) => count(columns[name][i]!)),
  ];
  tr.append(
    head,
    ...cells.map((text) => {
      const cell = document.createElement('td');
      cell.className = 'number';
      cell.textContent = text;
      return cell;
    }),
  );
  return tr;
}

/** A click in a chart over time chooses a fiftieth of it around. */
function onMoment(figure: HTMLElement, chosen: (low: number, high: number) => void): void {
  const svg = figure.querySelector<SVGSVGElement>('.plot-svg')!;
  let pressedAt = 0;
  const plot = figure.querySelector<HTMLElement>('.plot')!;
  plot.addEventListener('pointerdown', (event) => {
    pressedAt = event.clientX;
  });
  plot.addEventListener('click', (event) => {
    if (Math.abs((event as MouseEvent).clientX - pressedAt) > 4) return; // that was a drag
    const [first, last] = domainOf(figure);
    const box = svg.getBoundingClientRect();
    const at = first + (((event as MouseEvent).clientX - box.left) / box.width) * (last - first);
    chosen(Math.max(first, at - (last - first) / 100), Math.min(last, at + (last - first) / 100));
  });
}

/** Marks times of arrival at the foot of every chart over time. */
function markArrivals(times: readonly number[]): void {
  for (const figure of document.querySelectorAll<HTMLElement>('figure[data-group="time"]')) {
    const svg = figure.querySelector<SVGSVGElement>('.plot-svg')!;
    const [first, last] = domainOf(figure);
    const foot = Number(svg.dataset['height']);
    svg.querySelector('.rug')?.remove();
    const rug = made('g', {class: 'rug'});
    for (const time of times) {
      if (time < first || time > last) continue;
      const x = `${((time - first) / (last - first)) * 100}%`;
      rug.append(made('line', {x1: x, x2: x, y1: String(foot - 9), y2: String(foot)}));
    }
    svg.append(rug);
  }
}
