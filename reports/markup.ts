/** Text that is already HTML or SVG. Only `html` and `raw` make it, so a plain string can never slip into a page unescaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What may stand in an `html` template: text and numbers are escaped, markup is not, lists are joined, null and false vanish. */
export type Piece = Markup | string | number | null | false | readonly Piece[];

/** Escapes `text` for element content and quoted attributes, in HTML and in SVG; characters that XML cannot hold become U+FFFD. */
export function escaped(text: string): string {
  return text.replace(illegal, '\uFFFD').replace(/[&<>"']/g, (c) => entities[c]!);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that a saved SVG may not contain.
const illegal = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

const entities: Readonly<Record<string, string>> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'};

/** Builds markup from a template; every value that is not markup is escaped. Serves HTML and SVG alike. */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  let text = strings[0]!;
  for (let i = 0; i < values.length; i++) text += piece(values[i]!) + strings[i + 1]!;
  return new Markup(text);
}

function piece(value: Piece): string {
  if (value === null || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(value);
  return value.map(piece).join('');
}

/** Takes text as markup: for what this program wrote itself, never for what a file says. */
export function raw(text: string): Markup {
  return new Markup(text);
}

/** JSON for a data block in a page: `<` becomes `\u003c`, so no text in it can end the block. */
export function embeddedJson(value: unknown): Markup {
  return new Markup(
    JSON.stringify(value)
      .replace(/</g, '\\u003c')
      .replace(/\u2028/g, '\\u2028')
      .replace(/\u2029/g, '\\u2029'),
  );
}
