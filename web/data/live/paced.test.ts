import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pacedBy } from './paced.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function storeOf(first: number) {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set: (next: number) => {
      value = next;
      for (const listener of listeners) listener();
    },
    listeners,
  };
}

test('a change after a pause is shown at once, and later changes together at the end of the interval', () => {
  const store = storeOf(0);
  const paced = pacedBy(store, { least: 100, most: 100, share: 1 });
  const seen: number[] = [];
  const stop = paced.subscribe(() => seen.push(paced.get()));
  store.set(1);
  for (let n = 2; n < 8; n++) {
    vi.advanceTimersByTime(30);
    store.set(n);
  }
  expect(seen).toEqual([1, 4]);
  vi.advanceTimersByTime(100);
  expect(seen).toEqual([1, 4, 7]);
  vi.advanceTimersByTime(500);
  store.set(8);
  expect(seen.at(-1)).toBe(8);
  stop();
  expect(store.listeners.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('with a listener the value stays the same until the interval ends, and without one it is current', () => {
  const store = storeOf(0);
  const paced = pacedBy(store, { least: 100, most: 100, share: 1 });
  store.set(1);
  expect(paced.get()).toBe(1);
  paced.subscribe(() => undefined);
  store.set(2);
  store.set(3);
  expect(paced.get()).toBe(2);
});

test('a view that is expensive to draw changes less often, up to a limit', async () => {
  const store = storeOf(0);
  const paced = pacedBy(store, { least: 50, most: 100, share: 0.1 });
  const drawnAt: number[] = [];
  let drawnIn = 1;
  paced.subscribe(() => {
    drawnAt.push(performance.now());
    vi.advanceTimersByTime(drawnIn);
  });
  const gapAfterManyChanges = async () => {
    for (let n = 0; n < 200; n++) {
      store.set(store.get() + 1);
      await Promise.resolve(); // the cost is noted in a microtask
      vi.advanceTimersByTime(5);
    }
    const [before = 0, last = 0] = drawnAt.slice(-2);
    return Math.floor((last - before) / 10) * 10;
  };
  expect(await gapAfterManyChanges()).toBe(50);
  drawnIn = 8;
  expect(await gapAfterManyChanges()).toBe(80);
  drawnIn = 40;
  expect(await gapAfterManyChanges()).toBe(100);
});
