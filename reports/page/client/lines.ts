import {type LinesData, unpack} from '../../charts/data.js';
import {type Format, formats} from '../../format.js';
import {domainOf} from './domain.js';
import {focusable, moved, speak, Tip} from './speak.js';

interface Series {
  readonly label: string;
  readonly format: Format;
  readonly x: readonly (number | null)[];
  readonly y: readonly (number | null)[];
}

/** Reading lines of the charts that move together, by group. */
const groups = new Map<string, ReadingLine[]>();

/** Gives a chart with lines its reading line: by mouse, by touch and by arrow keys. */
export function addLineReading(figure: HTMLElement, data: LinesData): void {
  const plot = focusable(figure, 'Arrow keys move the reading line; Page Up and Down by ten; Home and End to the edges.');
  const line = new ReadingLine(plot, data);
  const name = figure.dataset['group'] ?? figure.id;
  groups.set(name, [...(groups.get(name) ?? []), line]);
  const all = (act: (line: ReadingLine) => void) => groups.get(name)!.forEach(act);

  plot.addEventListener('pointermove', (event) => {
    const x = line.valueAt(event.clientX);
    all((other) => other.show(x, other === line));
  });
  plot.addEventListener('pointerleave', () => all((other) => other.hide()));
  plot.addEventListener('blur', () => all((other) => other.hide()));
  plot.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') all((other) => other.hide());
    const next = moved(event.key, line.stop, line.stops.length);
    if (next === null) return;
    event.preventDefault();
    const x = line.stops[next]!;
    all((other) => {
      other.stop = next;
      other.show(x, other === line);
    });
    speak(line.text(x).join(', '));
  });
}

class ReadingLine {
  readonly stops: readonly number[];
  /** Where the keyboard stands; −1 before the first key. */
  stop = -1;
  readonly #data: LinesData;
  readonly #series: readonly Series[];
  readonly #svg: SVGSVGElement;
  readonly #plot: HTMLElement;
  readonly #figure: HTMLElement;
  readonly #tip: Tip;
  readonly #mark: SVGLineElement;

  constructor(plot: HTMLElement, data: LinesData) {
    this.#figure = plot.closest('figure')!;
    this.#plot = plot;
    this.#data = data;
    this.#svg = plot.querySelector<SVGSVGElement>('.plot-svg')!;
    this.stops = unpack(data.stops) as number[];
    this.#series = data.series.map((s) => ({
      label: s.label,
      format: formats[s.format],
      x: s.x === null ? this.stops : unpack(s.x),
      y: unpack(s.y),
    }));
    this.#tip = new Tip(plot);
    this.#mark = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    this.#mark.setAttribute('class', 'reading');
    this.#mark.setAttribute('y1', '0');
    this.#mark.setAttribute('y2', this.#svg.dataset['height']!);
    this.#mark.setAttribute('visibility', 'hidden');
    this.#svg.append(this.#mark);
  }

  /** The x value under a place on the screen, within the domain. */
  valueAt(clientX: number): number {
    const box = this.#svg.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (clientX - box.left) / box.width));
    const [low, high] = domainOf(this.#figure);
    return this.#data.x.log ? low * (high / low) ** part : low + (high - low) * part;
  }

  /** Draws the line at `x`; values are shown beside it only `withTip`. */
  show(x: number, withTip: boolean): void {
    const [low, high] = domainOf(this.#figure);
    const part = this.#data.x.log ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low);
    const at = `${Math.min(1, Math.max(0, part)) * 100}%`;
    this.#mark.setAttribute('x1', at);
    this.#mark.setAttribute('x2', at);
    this.#mark.setAttribute('visibility', 'visible');
    if (!withTip) {
      this.#tip.hide();
      return;
    }
    const box = this.#svg.getBoundingClientRect();
    this.#tip.show(this.text(x), box.left - this.#plot.getBoundingClientRect().left + part * box.width);
  }

  hide(): void {
    this.#mark.setAttribute('visibility', 'hidden');
    this.#tip.hide();
  }

  /** The values at `x`, one line a series, as they are shown and spoken. */
  text(x: number): string[] {
    const {format, label} = this.#data.x;
    return [`${label} ${formats[format](x)}`, ...this.#series.map((s) => `${s.label} ${s.format(heldAt(s, x, this.#data.x.log))}`)];
  }
}

/** The value that holds at `x`: that of the last point at or before it. Before the first point of a distribution it is 0. */
function heldAt({x: xs, y}: Series, x: number, distribution: boolean): number | null {
  let low = 0;
  let high = xs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // A stop and a point that are the same number may differ in the last digit kept.
    if (xs[middle]! <= x * (1 + 1e-6)) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? (y[low - 1] ?? null) : distribution ? 0 : null;
}
