import { expect, test } from 'vitest';
import { isJsonWithin } from './json-bounds.ts';

const isWithinBounds = (text: string) => isJsonWithin({ depth: 32, values: 400_000 }, text);
const LONG = 'x'.repeat(70_000);

test('the JSON of a real signal is within bounds: long names, many keys, many clients', () => {
  const name = JSON.stringify(LONG);
  expect(isWithinBounds(`{"at":1,"db":0,"do":["EVAL",${name},"1",${name}]}`)).toBe(true);
  const rows = Array.from({ length: 60_000 }, (_, n) => ({
    address: `10.0.0.1:${n}`,
    name: '',
    library: '',
    age: 1,
    idle: 1,
  }));
  expect(isWithinBounds(JSON.stringify({ at: 1, clients: rows }))).toBe(true);
});

test('JSON whose brackets are nested too deep, or with too many values, is out of bounds, also after a string', () => {
  for (const text of ['['.repeat(70_000), '{"a":'.repeat(20_000), `["${LONG}",${'['.repeat(40)}`])
    expect(isWithinBounds(text)).toBe(false);
  for (const value of ['0', '[]', '{}', '""'])
    expect(isWithinBounds(`[${`${value},`.repeat(600_000)}0]`), value).toBe(false);
});

test('brackets and commas in strings are not counted, also after escapes', () => {
  const brackets = '['.repeat(70_000);
  for (const text of [
    `"${brackets}"`,
    `"\\"${brackets}"`,
    `"\\\\\\"${brackets}"`,
    `["a\\\\","${brackets}"]`,
    `"${brackets}`,
  ])
    expect(isWithinBounds(text), text.slice(0, 10)).toBe(true);
  expect(isWithinBounds(`"\\\\",${brackets}`)).toBe(false);
});

test('the check of a text of quotes and backslashes takes linear time', () => {
  expect(isWithinBounds(`"${'\\"'.repeat(4_000_000)}`)).toBe(true);
});
