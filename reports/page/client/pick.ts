/** Gives a list its effect: of the blocks that it picks from, the chosen one is shown. */
export function addPicking(select: HTMLSelectElement): void {
  const blocks = [...document.querySelectorAll<HTMLElement>(`[data-pick="${select.dataset['picks']}"]`)];
  const show = () => {
    for (const block of blocks) block.hidden = block.dataset['index'] !== select.value;
  };
  select.addEventListener('change', show);
  // A browser may remember what was chosen before.
  show();
}
