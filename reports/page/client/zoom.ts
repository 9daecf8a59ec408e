import {timeUnit} from '../../charts/axis.js';
import {plotWidth} from '../../charts/frame.js';
import {duration, significant} from '../../format.js';
import {addBrush, hideBrush, made} from './brush.js';
import {domainOf, showDomain, wholeDomain} from './domain.js';
import {speak} from './speak.js';

/** What charts over time tell the page when they show another part of it. */
export const zoomed = 'tiercast-zoomed';

/** Gives the fields of a zoom their effect: a range dragged over any chart over time, or written by hand, is shown by all of them. */
export function addZoom(box: HTMLElement): void {
  const figures = [...document.querySelectorAll<HTMLElement>('figure[data-group="time"]')];
  const [from, to] = [box.querySelector<HTMLInputElement>('.from')!, box.querySelector<HTMLInputElement>('.to')!];
  const [first, last] = wholeDomain(figures[0]!);
  const show = (low: number, high: number) => {
    const ends = [Math.max(first, low), Math.min(last, high)] as const;
    // Nothing to see in less than a ten-thousandth of the run, nor the wrong way round.
    if (!(ends[1] - ends[0] > (last - first) * 1e-4)) return speak('no such part of the run');
    [from.value, to.value] = ends.map((end) => String(Number(end.toPrecision(6)))) as [string, string];
    for (const figure of figures) {
      hideBrush(figure);
      zoom(figure, ends);
    }
    document.dispatchEvent(new Event(zoomed));
    speak(`${duration(ends[0])} to ${duration(ends[1])}`);
  };
  for (const figure of figures) {
    addBrush(figure, (a, b) => {
      const [low, high] = domainOf(figure);
      show(low + a * (high - low), low + b * (high - low));
    });
  }
  for (const input of [from, to])
    input.addEventListener('change', () => show(from.valueAsNumber || 0, to.value === '' ? last : to.valueAsNumber));
  box.querySelector('button')!.addEventListener('click', () => show(first, last));
  [from.value, to.value] = [first, last].map((end) => String(Number(end.toPrecision(6)))) as [string, string];
  box.hidden = false;
}

function zoom(figure: HTMLElement, ends: readonly [number, number]): void {
  showDomain(figure, ends);
  const svg = figure.querySelector<SVGSVGElement>('.plot-svg')!;
  const [first, last] = wholeDomain(figure);
  const at = (value: number) => ((value - first) / (last - first)) * plotWidth;
  svg.querySelector('.marks')!.setAttribute('viewBox', `${at(ends[0])} 0 ${at(ends[1]) - at(ends[0])} ${svg.dataset['height']}`);
  // Names that stand in areas stand where those were.
  figure.classList.toggle('zoomed', ends[0] > first || ends[1] < last);
  drawTicks(svg, ends);
}

/** The time axis again, at the round numbers of what is shown. */
function drawTicks(svg: SVGSVGElement, [low, high]: readonly [number, number]): void {
  const axis = svg.querySelector('.axis-x')!;
  const height = Number(svg.dataset['height']);
  const unit = timeUnit(high - low);
  const ticks = roundNumbers(low / unit.seconds, high / unit.seconds);
  for (const tick of axis.querySelectorAll('g')) tick.remove();
  axis.querySelector('.axis-title')!.textContent = `time (${unit.name})`;
  ticks.forEach((value, i) => {
    const part = (value * unit.seconds - low) / (high - low);
    const x = `${part * 100}%`;
    const tick = made('g', ticks.length > 5 && i % 2 === 1 ? {class: 'minor'} : {});
    const text = made('text', {x, y: String(height + 20), 'text-anchor': part < 0.015 ? 'start' : part > 0.985 ? 'end' : 'middle'});
    text.textContent = significant(value, 6);
    tick.append(made('line', {x1: x, x2: x, y1: String(height), y2: String(height + 5)}), text);
    axis.append(tick);
  });
}

/** Multiples of 1, 2 or 5 × 10^k in a range, at most nine. */
function roundNumbers(low: number, high: number): number[] {
  const rough = (high - low) / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((m) => m * power >= rough)! * power;
  const values: number[] = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high * (1 + 1e-12); n++) values.push(Number((n * step).toPrecision(12)));
  return values;
}
