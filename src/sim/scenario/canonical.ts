/**
 * A number as files hold it: whole numbers exact, others with 9 significant digits, so that the last bits of a sum, which may differ between
 * machines, never reach a file.
 */
export function fileNumber(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(9));
}

/**
 * JSON with `fileNumber`, two spaces of indentation and a line break at the end; keys keep their order.
 *
 * Throws when a number is not finite: unknown is null, and JSON would hide the difference.
 */
export function canonicalJson(value: unknown): string {
  return `${JSON.stringify(value, (key, entry) => (typeof entry === 'number' ? finite(key, entry) : entry), 2)}\n`;
}

function finite(key: string, value: number): number {
  if (!Number.isFinite(value)) throw new Error(`${key} is ${value}; a result holds finite numbers or null`);
  return fileNumber(value);
}
