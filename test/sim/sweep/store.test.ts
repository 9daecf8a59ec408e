import {appendFileSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {jsonlStore} from '../../../src/sim/sweep/store/jsonl.js';
import {folderWith} from '../../support/studies.js';

const result = (value: number) => ({kind: 'done', figures: {'ttft_s.p95': value}, events: 'e0', replications: {}}) as const;

it('keeps what was put, over openings', () => {
  const path = join(folderWith({}), 'results.jsonl');
  const first = jsonlStore(path);
  first.put('a', result(1));
  first.put('b', result(2));
  first.close();
  const second = jsonlStore(path);
  expect([second.get('a'), second.get('b'), second.get('c')]).toEqual([result(1), result(2), null]);
  second.close();
});

it('cuts a half-written last line off, at whatever byte the process was killed, and writes on behind the last whole one', () => {
  const path = join(folderWith({}), 'results.jsonl');
  const store = jsonlStore(path);
  store.put('a', result(1));
  store.close();
  const whole = readFileSync(path, 'utf8');
  for (let length = 1; length < whole.length; length++) {
    appendFileSync(path, whole.replace('"a"', '"b"').slice(0, length));
    const again = jsonlStore(path);
    expect(again.get('b')).toBeNull();
    expect(again.get('a')).toEqual(result(1));
    again.close();
    expect(readFileSync(path, 'utf8')).toBe(whole);
  }
});

it('passes over a line that is no result, and one that does not say what happened', () => {
  const path = join(
    folderWith({
      'results.jsonl': `{"key":"a"}\nnonsense\n[]\n{"key":"c","kind":"done","figures":{"x":1}}\n${JSON.stringify({key: 'b', ...result(1)})}\n`,
    }),
    'results.jsonl',
  );
  const store = jsonlStore(path);
  expect([store.get('a'), store.get('b'), store.get('c')]).toEqual([null, result(1), null]);
  store.close();
});
