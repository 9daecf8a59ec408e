import {unbroken} from '../format.js';
import {html, type Markup} from '../markup.js';

/** A part of a page as it is drawn; `body` null: its title says why there is nothing below. */
export interface Section {
  readonly id: string;
  readonly name: string;
  /** One sentence. */
  readonly title: string;
  readonly body: Markup | null;
}

/** A part of a page about `T`; drawn as null it is left out. */
export interface Part<T> {
  readonly name: string;
  /** One sentence that says what the part shows. */
  title(of: T): string;
  render(of: T): Markup | null;
}

/** The sections of those parts that have something to show, in their order. */
export function sectionsOf<T>(parts: Readonly<Record<string, Part<T>>>, of: T): Section[] {
  return Object.entries(parts).flatMap(([id, part]) => {
    const body = part.render(of);
    return body === null ? [] : [{id, name: part.name, title: part.title(of), body}];
  });
}

/** The body of a page: its head, links to its sections, the sections, and `made`, the sentence that says what made it. */
export function pageBody(head: Markup, label: string, sections: readonly Section[], made: string): Markup {
  return html`${head}
<nav class="panels" aria-label="${label}"><ul>${sections.map(({id, name}) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
<main id="main" tabindex="-1">
${sections.map(section)}
</main>
<footer><p>${made} Nothing on this page is loaded from elsewhere.</p></footer>`;
}

function section({id, name, title, body}: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<p class="eyebrow">${name}</p>
<h2 id="${id}-title">${unbroken(title)}</h2>
${body}
</section>
`;
}
