import { expect, test } from 'vitest';
import { isJsonWithin } from './json-bounds.ts';

const isWithinBounds = (text: string) => isJsonWithin({ depth: 32, values: 400_000 }, text);
const LONG = 'x'.repeat(70_000);

test('a command with names of 70,000 letters is within bounds, and so is a list of 60,000 clients', () => {
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

test('JSON is out of bounds if it has too many values, or brackets nested too deep, also behind a long string', () => {
  for (const text of ['['.repeat(70_000), '{"a":'.repeat(20_000), `["${LONG}",${'['.repeat(40)}`])
    expect(isWithinBounds(text)).toBe(false);
  for (const value of ['0', '[]', '{}', '""'])
    expect(isWithinBounds(`[${`${value},`.repeat(600_000)}0]`), value).toBe(false);
});

test('brackets in strings are not counted, also behind an escaped quote', () => {
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

test('a string of 4 million escaped quotes is checked before the time limit of a test', () => {
  expect(isWithinBounds(`"${'\\"'.repeat(4_000_000)}`)).toBe(true);
});
