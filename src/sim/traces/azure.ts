import type {Fail, TraceReader, TraceRow} from './reader.js';
import {WallClock} from './timestamp.js';

const fields = {time: 'TIMESTAMP', input: 'ContextTokens', output: 'GeneratedTokens', ids: ''};
const needed = [fields.time, fields.input, fields.output];

/** Azure's CSV of 2023, 2024 and 2025: wall-clock times and lengths, no ids (Azure/AzurePublicDataset). */
export const azure: TraceReader = {
  description: 'CSV of Azure/AzurePublicDataset 2023, 2024 and 2025: TIMESTAMP, ContextTokens, GeneratedTokens',
  blockSize: 0,
  partialIds: true,
  unit: 'wall-clock time',
  fields,

  matches(head) {
    const names = head.split(',');
    return needed.every((name) => names.includes(name));
  },

  *read(lines, fail) {
    let names: string[] | null = null;
    const clock = new WallClock();
    let [time, input, output] = [0, 0, 0];
    for (const line of lines) {
      const cells = line.split(',');
      if (names === null) {
        names = cells;
        [time, input, output] = needed.map((name) => cells.indexOf(name));
        continue;
      }
      if (cells.length !== names.length) fail('row', `${cells.length} cells under a header of ${names.length}`);
      const at = clock.read(cells[time]);
      if (Number.isNaN(at)) fail(fields.time, `"${cells[time]}" is no time like 2023-11-16 18:15:46.6805900`);
      const row: TraceRow = {
        time: at,
        input: tokens(cells[input], fields.input, fail),
        output: tokens(cells[output], fields.output, fail),
        ids: null,
      };
      yield row;
    }
  },

  column(line, field, head) {
    const cell = head.split(',').indexOf(field);
    return cell === -1 ? 0 : line.split(',').slice(0, cell).join(',').length + (cell === 0 ? 1 : 2);
  },

  unread(head) {
    return head.split(',').filter((name) => !needed.includes(name));
  },
};

const digits = /^\d{1,15}$/;

function tokens(cell: string, field: string, fail: Fail): number {
  return digits.test(cell) ? +cell : fail(field, `"${cell}" is no whole number of tokens`);
}
