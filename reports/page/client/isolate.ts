import {type LinesData, unpack} from '../../charts/data.js';
import {plotWidth} from '../../charts/frame.js';
import {wholeDomain} from './domain.js';
import {speak} from './speak.js';

/** Gives the legend of stacked areas its effect: a press shows one of them alone, from the foot of the chart, the next press all again. */
export function addIsolating(figure: HTMLElement, data: LinesData): void {
  const entries = [...figure.querySelectorAll<HTMLElement>('.legend li')];
  const areas = [...figure.querySelectorAll<SVGPathElement>('.marks .area')];
  const stacked = areas.map((area) => area.getAttribute('d')!);
  // The legend is in the order of the picture, from the top; areas and series from the bottom.
  const buttons = entries.map((entry, i) => button(entry, () => toggle(entries.length - 1 - i)));
  let alone = -1;
  const toggle = (index: number) => {
    alone = alone === index ? -1 : index;
    areas.forEach((area, i) => {
      area.setAttribute('visibility', alone < 0 || alone === i ? 'visible' : 'hidden');
      area.setAttribute('d', alone === i ? fromFoot(figure, data, i) : stacked[i]!);
    });
    figure.classList.toggle('isolated', alone >= 0);
    buttons.forEach((one, i) => {
      one.setAttribute('aria-pressed', String(entries.length - 1 - i === alone));
    });
    speak(alone < 0 ? 'all' : `${data.series[alone]!.label} alone`);
  };
}

function button(entry: HTMLElement, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.setAttribute('aria-pressed', 'false');
  made.append(...entry.childNodes);
  made.addEventListener('click', act);
  entry.append(made);
  return made;
}

/** The step area of one series, from 0. */
function fromFoot(figure: HTMLElement, data: LinesData, index: number): string {
  const height = Number(figure.querySelector<SVGSVGElement>('.plot-svg')!.dataset['height']);
  const [first, last] = wholeDomain(figure);
  const xs = unpack(data.stops) as number[];
  const ys = unpack(data.series[index]!.y);
  const x = (value: number) => (((value - first) / (last - first)) * plotWidth).toFixed(2);
  const steps = xs.map((_, i) => `V${(height * (1 - (ys[i] ?? 0) / data.top!)).toFixed(2)}H${x(xs[i + 1] ?? last)}`);
  return `M${x(xs[0]!)},${height}${steps.join('')}V${height}Z`;
}
