import Table from 'cli-table3';

const nothing = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
  ].map((place) => [place, '']),
);

/** Lines of aligned columns, two spaces apart, without borders or colours; numbers are set to the right. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const right = rows[0].map(
    (_, at) => rows.some((row) => number.test(row[at])) && rows.slice(1).every((row) => row[at] === '' || number.test(row[at])),
  );
  const table = new Table({
    chars: {...nothing, middle: '  '},
    style: {head: [], border: [], 'padding-left': 0, 'padding-right': 0},
    colAligns: right.map((isRight) => (isRight ? 'right' : 'left')),
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

const number = /^(− )?[\d,.]+( \S+)?$|^–$/;
