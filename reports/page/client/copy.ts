import {speak} from './speak.js';

/** Adds "Copy" to a block of text. */
export function addCopyButtons(box: HTMLElement): void {
  const block = box.querySelector('pre')!;
  const title = box.querySelector('h3')!.textContent!;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${title}`);
  button.addEventListener('click', async () => {
    const done = await copy(block);
    button.textContent = done ? 'Copied' : 'Selected: press Ctrl+C';
    speak(button.textContent);
  });
  box.append(button);
}

/** Copies the text of a block; where a page opened from a disk may not, it selects it for the reader to copy. */
async function copy(block: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(block.textContent!);
    return true;
  } catch {
    const selection = getSelection()!;
    selection.selectAllChildren(block);
    return document.execCommand('copy');
  }
}
