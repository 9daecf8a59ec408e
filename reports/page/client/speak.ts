/** Puts text into the page's one live region, which screen readers read out. */
export function speak(text: string): void {
  document.getElementById('spoken')!.textContent = text;
}

/** How far a key moves a reading of `length` positions: the new position, or null for keys that mean nothing here. */
export function moved(key: string, at: number, length: number): number | null {
  const steps: Record<string, number> = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10};
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  const step = steps[key];
  return step === undefined ? null : Math.min(length - 1, Math.max(0, at + step));
}

/** Makes the plot of a chart reachable by Tab, and says how it is used. */
export function focusable(figure: HTMLElement, how: string): HTMLElement {
  const plot = figure.querySelector<HTMLElement>('.plot')!;
  const title = figure.querySelector('figcaption')!.textContent!;
  plot.tabIndex = 0;
  plot.setAttribute('role', 'application');
  plot.setAttribute('aria-roledescription', 'chart');
  plot.setAttribute('aria-label', `${title}. ${how}`);
  return plot;
}

/** A box with the values at the reading; filled as text, never as markup. */
export class Tip {
  readonly #box = document.createElement('div');
  readonly #plot: HTMLElement;

  constructor(plot: HTMLElement) {
    this.#plot = plot;
    this.#box.className = 'tip';
    this.#box.hidden = true;
    this.#box.setAttribute('aria-hidden', 'true');
    plot.append(this.#box);
  }

  /** Shows the lines beside `left` px of the plot's box, the first in bold, on the side where there is room. */
  show(lines: readonly string[], left: number): void {
    const heading = document.createElement('b');
    heading.textContent = lines[0]!;
    this.#box.replaceChildren(
      heading,
      ...lines.slice(1).map((line) => {
        const div = document.createElement('div');
        div.textContent = line;
        return div;
      }),
    );
    this.#box.hidden = false;
    const room = this.#plot.clientWidth;
    const width = this.#box.offsetWidth;
    const beside = left + 12 + width <= room ? left + 12 : left - 12 - width;
    this.#box.style.left = `${Math.max(0, Math.min(room - width, beside))}px`;
    // On a phone the box would hide the chart: it goes below.
    this.#box.style.top = room < 480 ? `${this.#plot.clientHeight - 8}px` : '30px';
  }

  hide(): void {
    this.#box.hidden = true;
  }
}
