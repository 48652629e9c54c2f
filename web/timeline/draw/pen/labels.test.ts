import { expect, test } from 'vitest';
import { Labels } from './labels.ts';

test('texts are at the left end of their space if it is free', () => {
  const labels = new Labels();
  expect(labels.place(10, 200, 80, 34)).toBe(10);
});

test('texts move to the right of an obstacle, and are left out if they no longer fit', () => {
  const labels = new Labels();
  labels.block(40, 56, 34);
  expect(labels.place(10, 200, 80, 34)).toBe(62);
  expect(labels.place(10, 200, 80, 34)).toBeNull();
  expect(labels.place(10, 40, 30, 34)).toBe(10);
});

test('texts avoid each other only if their lines touch', () => {
  const labels = new Labels();
  labels.block(0, 100, 31);
  expect(labels.place(0, 100, 50, 33)).toBeNull();
  expect(labels.place(0, 100, 50, 46)).toBeNull();
  expect(labels.place(0, 100, 50, 16)).toBeNull();
  expect(labels.place(0, 100, 50, 47)).toBe(0);
  const others = new Labels();
  others.block(0, 100, 7.9);
  expect(others.place(0, 100, 50, 20)).toBeNull();
});
