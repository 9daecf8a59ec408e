/** Makes an SVG element. */
export function made(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** Dragging over a chart chooses a part of it, 0 at its left edge and 1 at its right. */
export function addBrush(figure: HTMLElement, chosen: (from: number, to: number) => void): void {
  const svg = figure.querySelector<SVGSVGElement>('.plot-svg')!;
  const plot = figure.querySelector<HTMLElement>('.plot')!;
  const part = (event: PointerEvent) => {
    const box = svg.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  };
  const band = made('rect', {class: 'brush', y: '0', height: svg.dataset['height']!, visibility: 'hidden'});
  svg.prepend(band);
  let start: number | null = null;
  plot.classList.add('brushable');
  plot.addEventListener('pointerdown', (event) => {
    start = part(event);
  });
  plot.addEventListener('pointermove', (event) => {
    if (start === null || event.buttons === 0) return;
    const now = part(event);
    band.setAttribute('visibility', 'visible');
    band.setAttribute('x', `${Math.min(start, now) * 100}%`);
    band.setAttribute('width', `${Math.abs(now - start) * 100}%`);
  });
  addEventListener('pointerup', (event) => {
    if (start === null) return;
    const [from, to] = [start, part(event)].sort((a, b) => a - b) as [number, number];
    start = null;
    // A click that hardly moved is none.
    if (to - from > 0.005) chosen(from, to);
    else band.setAttribute('visibility', 'hidden');
  });
}

/** Takes the band of a drag away. */
export function hideBrush(figure: HTMLElement): void {
  figure.querySelector('.brush')?.setAttribute('visibility', 'hidden');
}
