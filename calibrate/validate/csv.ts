/** Rows of a CSV by column; cells may be quoted, quotes in them doubled (RFC 4180). */
export function csvRows(text: string): Readonly<Record<string, string>>[] {
  const [head, ...rows] = cells(text);
  if (head === undefined) return [];
  return rows.filter((row) => row.length === head.length).map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

function cells(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  CELL.lastIndex = 0;
  while (CELL.lastIndex < text.length) {
    const match = CELL.exec(text);
    if (match === null) break;
    const [, quoted, plain, end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
