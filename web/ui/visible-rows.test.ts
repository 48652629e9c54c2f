import { expect, test } from 'vitest';
import { RowPlaces } from './visible-rows.ts';

const keyOf = (index: number) => `row ${index}`;

function placed(count: number): RowPlaces {
  const places = new RowPlaces();
  places.place('first', count, keyOf, 30);
  return places;
}

test('rows that are not measured have the usual height', () => {
  const places = placed(1000);
  expect([places.startOf(0), places.startOf(7), places.height]).toEqual([0, 210, 30_000]);
  expect([0, 29, 30, 15_000, 1e9].map((px) => places.indexAt(px))).toEqual([0, 0, 1, 500, 999]);
});

test('a measured row moves all rows after it, also when rows are added before it', () => {
  const places = placed(10);
  expect(places.measure('row 2', 2, 100)).toBe(70);
  places.place('first', 10, keyOf, 30);
  expect([places.startOf(2), places.startOf(3), places.height]).toEqual([60, 160, 370]);
  expect([159, 160].map((px) => places.indexAt(px))).toEqual([2, 3]);
  places.place('with one more', 11, (index) => `row ${index - 1}`, 30);
  expect([places.startOf(3), places.startOf(4), places.height]).toEqual([90, 190, 400]);
});

test('a row that is as high as it was taken for changes nothing', () => {
  const places = placed(10);
  expect(places.measure('row 2', 2, 30.2)).toBe(0);
  expect(places.height).toBe(300);
});

test('another density gives other places', () => {
  const places = placed(10);
  places.place('first', 10, keyOf, 24);
  expect(places.height).toBe(240);
});

test('an empty table has no height', () => {
  const places = placed(0);
  expect([places.height, places.indexAt(100)]).toEqual([0, 0]);
});
