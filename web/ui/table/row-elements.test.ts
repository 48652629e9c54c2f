import { expect, test } from 'vitest';
import { RowElements } from './row-elements.ts';

const rows = (keys: string, kind = 'event') => [...keys].map((key) => ({ key, kind }));

test('a row keeps its element, and a new row gets the element of a row that is gone', () => {
  const elements = new RowElements();
  expect(elements.of(rows('abcd'))).toEqual([0, 1, 2, 3]);
  expect(elements.of(rows('cdef'))).toEqual([2, 3, 0, 1]);
  expect(elements.of(rows('cdef'))).toEqual([2, 3, 0, 1]);
});

test('a new row does not get an element of another kind', () => {
  const elements = new RowElements();
  expect(elements.of([...rows('ab'), ...rows('c', 'fold')])).toEqual([0, 1, 2]);
  expect(elements.of([...rows('b'), ...rows('cd', 'fold')])).toEqual([1, 2, 3]);
});

test('no two rows have the same element while rows are added and removed', () => {
  const elements = new RowElements();
  for (const keys of ['abcdef', 'ef', 'efghijkl', 'lxyz', 'abc', '', 'mn']) {
    const given = elements.of(rows(keys));
    expect(new Set(given).size).toBe(keys.length);
  }
});

test('a row whose kind changes leaves its element to a row of its old kind', () => {
  const elements = new RowElements();
  expect(elements.of([...rows('a', 'fold'), ...rows('b')])).toEqual([0, 1]);
  expect(elements.of([...rows('b', 'fold'), ...rows('c')])).toEqual([0, 1]);
});
