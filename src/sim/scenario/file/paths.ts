/** The folder of a path; '' for a file in the current folder. */
export function folderOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end < 0 ? '' : end === 0 ? '/' : path.slice(0, end);
}

/** Joins a path onto a folder and takes away `.` and `x/..`; an absolute path stays. */
export function joined(folder: string, path: string): string {
  const whole = path.startsWith('/') || folder === '' ? path : `${folder}/${path}`;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts[parts.length - 1] !== '..') parts.pop();
    else parts.push(part);
  }
  return `${whole.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}

/** The path that leads from a folder to a path; both absolute, or both from the current folder. */
export function relative(folder: string, path: string): string {
  const from = joined('', folder).split('/').filter(Boolean);
  const to = joined('', path).split('/').filter(Boolean);
  let same = 0;
  while (same < from.length && same < to.length && from[same] === to[same]) same++;
  const up = from.slice(same).map((part) => (part === '..' ? '' : '..'));
  return [...up.filter(Boolean), ...to.slice(same)].join('/');
}

/** Whether a path lies in a folder or below it; both must be absolute. */
export function liesIn(folder: string, path: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

/** The last part of a path, without its ending. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/\.(ya?ml|json)$/i, '') || name;
}
