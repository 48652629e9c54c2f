import { expect, test } from 'vitest';
import { numbersFrom } from '../../testing/stories/numbers-from.ts';
import { forgetOldest } from './forget-oldest.ts';

test('a full map drops its oldest entry, whatever was deleted, set again or cleared before', () => {
  const random = numbersFrom(3);
  const list = new Map<number, number>();
  let inOrder: number[] = [];
  for (let n = 0; n < 8000; n++) {
    const key = random(60);
    const dice = random(1000);
    if (dice === 0) {
      list.clear();
      inOrder = [];
    } else if (dice < 300) {
      list.delete(key);
      inOrder = inOrder.filter((known) => known !== key);
    } else {
      if (dice < 700) {
        list.delete(key);
        inOrder = inOrder.filter((known) => known !== key);
      }
      list.set(key, n);
      if (!inOrder.includes(key)) inOrder.push(key);
      forgetOldest(list, 20);
      if (inOrder.length > 20) inOrder.shift();
    }
    expect([...list.keys()]).toEqual(inOrder);
  }
});

test('a full set drops its oldest entry', () => {
  const list = new Set(['a', 'b', 'c']);
  forgetOldest(list, 3);
  expect([...list]).toEqual(['a', 'b', 'c']);
  forgetOldest(list, 2);
  expect([...list]).toEqual(['b', 'c']);
});

test('300,000 insertions into a full map search for its oldest entry from the beginning once', () => {
  class Searched extends Map<number, number> {
    searches = 0;
    override keys(): MapIterator<number> {
      this.searches++;
      return super.keys();
    }
  }
  const list = new Searched();
  for (let n = 0; n < 300_000; n++) {
    list.set(n, n);
    forgetOldest(list, 10_000);
  }
  expect(list.size).toBe(10_000);
  expect(list.searches).toBe(1);
});
