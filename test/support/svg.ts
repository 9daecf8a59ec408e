/** Corners of a path of M, H, V and L commands, as absolute coordinates. */
export function corners(d: string): {x: number; y: number}[] {
  const found: {x: number; y: number}[] = [];
  let [x, y] = [Number.NaN, Number.NaN];
  for (const [, command, numbers] of d.matchAll(/([MHVLZ])([^MHVLZ]*)/g)) {
    const [a, b] = numbers!.split(',').map(Number);
    if (command === 'M' || command === 'L') [x, y] = [a!, b!];
    if (command === 'H') x = a!;
    if (command === 'V') y = a!;
    if (command !== 'Z') found.push({x, y});
  }
  return found;
}

/** The `d` of every path with this class, in order. */
export function paths(markup: string, className: string): string[] {
  return [...markup.matchAll(/<path class="([^"]+)" d="([^"]*)"/g)]
    .filter(([, c]) => c!.split(' ').includes(className))
    .map(([, , d]) => d!);
}

/** Attributes of every element of this name, in order. */
export function elements(markup: string, name: string): Record<string, string>[] {
  return [...markup.matchAll(new RegExp(`<${name}\\b([^>]*)>`, 'g'))].map(([, text]) =>
    Object.fromEntries([...text!.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value])),
  );
}

/** The one figure of a chart out of a page or a panel. */
export function figureOf(markup: string, id: string): string {
  const from = markup.indexOf(`<figure class="chart" id="chart-${id}"`);
  if (from < 0) throw new Error(`no chart ${id}`);
  return markup.slice(from, markup.indexOf('</figure>', from));
}
