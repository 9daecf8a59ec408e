import {speak} from './speak.js';

/** Gives a field its effect on a table: rows that hold all of its words stay. */
export function addFilter(input: HTMLInputElement): void {
  const name = input.dataset['filters']!;
  const rows = [...document.querySelectorAll<HTMLTableRowElement>(`#${name}-table tbody tr`)];
  const said = document.querySelector(`[data-filtered="${name}"]`)!;
  // Read before buttons are added to the cells.
  const texts = rows.map((row) => row.textContent!.toLowerCase());
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i]!.includes(word));
      if (!row.hidden) shown++;
    });
    said.textContent = `${shown} of ${rows.length} points`;
    speak(said.textContent);
  });
}
