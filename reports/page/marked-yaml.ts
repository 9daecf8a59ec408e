import {html, type Markup} from '../markup.js';

/** YAML of maps, two spaces a level, with the lines of the `chosen` paths marked; what lies below such a line, as the items of a list, is marked with it. */
export function markedYaml(yaml: string, chosen: readonly string[]): Markup {
  const marked = new Set(chosen);
  const path: string[] = [];
  let within = Number.POSITIVE_INFINITY;
  const lines = yaml.split('\n').map((line) => {
    const level = (line.length - line.trimStart().length) / 2;
    const key = /^ *("(?:[^"\\]|\\.)*"|[^\s"#-][^:]*):(?: |$)/.exec(line)?.[1];
    if (key !== undefined && level <= path.length) {
      path.length = level;
      path.push(key.startsWith('"') ? JSON.parse(key) : key);
      if (level <= within) within = marked.has(path.join('.')) ? level : Number.POSITIVE_INFINITY;
    }
    return line !== '' && within < Number.POSITIVE_INFINITY ? html`<mark>${line}</mark>` : html`${line}`;
  });
  return html`${lines.map((line, i) => (i === 0 ? line : html`\n${line}`))}`;
}
