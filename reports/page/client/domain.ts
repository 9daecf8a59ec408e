import type {LinesData} from '../../charts/data.js';

type Domain = readonly [number, number];
const whole = new WeakMap<HTMLElement, Domain>();
const shown = new WeakMap<HTMLElement, Domain>();

/** The x values at both edges of a chart with lines when nothing is zoomed. */
export function wholeDomain(figure: HTMLElement): Domain {
  let domain = whole.get(figure);
  if (domain === undefined) {
    domain = (JSON.parse(figure.querySelector('.chart-data')!.textContent!) as LinesData).x.domain;
    whole.set(figure, domain);
  }
  return domain;
}

/** The x values at both edges of a chart with lines, as it is shown. */
export function domainOf(figure: HTMLElement): Domain {
  return shown.get(figure) ?? wholeDomain(figure);
}

/** Says what a chart with lines shows from now on. */
export function showDomain(figure: HTMLElement, domain: Domain): void {
  shown.set(figure, domain);
}
