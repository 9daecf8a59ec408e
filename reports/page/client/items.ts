import type {ItemsData} from '../../charts/data.js';
import {formats} from '../../format.js';
import {focusable, moved, speak, Tip} from './speak.js';

/** Gives a chart of separate marks its reading: arrow keys go from mark to mark, the mouse picks the one under it. */
export function addItemReading(figure: HTMLElement, data: ItemsData): void {
  const plot = focusable(figure, 'Arrow keys go from part to part.');
  const tip = new Tip(plot);
  const marks = [...plot.querySelectorAll<SVGElement>('[data-item]')];
  let at = -1;

  const clear = () => {
    for (const mark of marks) mark.classList.remove('picked');
    tip.hide();
  };
  const pick = (index: number): string => {
    clear();
    const item = data.items[index]!;
    const mark = marks[index]!;
    mark.classList.add('picked');
    const lines = [`${item.label} ${item.text ?? formats[data.format](item.value)}`, item.note];
    const box = mark.getBoundingClientRect();
    tip.show(lines, box.left + box.width / 2 - plot.getBoundingClientRect().left);
    return lines.join(', ');
  };

  marks.forEach((mark, index) => {
    mark.addEventListener('pointerenter', () => pick(index));
    mark.addEventListener('pointerleave', clear);
    // The page shows the value itself; the browser's own tip would lie over it.
    mark.querySelector('title')?.remove();
  });
  plot.addEventListener('blur', clear);
  plot.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') clear();
    const next = moved(event.key, at, marks.length);
    if (next === null) return;
    event.preventDefault();
    at = next;
    speak(pick(next));
  });
}
