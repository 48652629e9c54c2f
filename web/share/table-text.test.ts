import { expect, test } from 'vitest';
import { csvOf, jsonOf } from './table-text.ts';

test('CSV has a line for each row, with quotes where they are needed', () => {
  const rows = [
    { lock: 'orders:42', waiting: 2, since: null, held: true },
    { lock: 'a "b", c', waiting: 0, since: '2026', held: false },
  ];
  expect(csvOf(rows)).toBe('lock,waiting,since,held\r\norders:42,2,,true\r\n"a ""b"", c",0,2026,false\r\n');
  expect(csvOf([])).toBe('\r\n');
  expect(JSON.parse(jsonOf(rows))).toEqual(rows);
});

test('a name that looks like a spreadsheet formula is written as text', () => {
  expect(csvOf([{ lock: '=HYPERLINK("http://x")' }])).toBe('lock\r\n"\'=HYPERLINK(""http://x"")"\r\n');
  expect(csvOf([{ lock: '-1', waiting: -1 }])).toBe("lock,waiting\r\n'-1,-1\r\n");
});
