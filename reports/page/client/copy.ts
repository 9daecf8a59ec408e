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

/** Puts a button before a command in a table; the command itself is shown in short. */
export function addCommandCopy(code: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy the command of point ${code.closest('tr')!.cells[0]!.textContent}`);
  button.addEventListener('click', async () => {
    const done = await copy(code);
    button.textContent = done ? 'Copied' : 'Selected';
    speak(button.textContent);
  });
  code.before(button, ' ');
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
