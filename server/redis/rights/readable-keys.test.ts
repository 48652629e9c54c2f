import { expect, test } from 'vitest';
import { ReadableKeys } from './readable-keys.ts';

const MINUTE = 60_000;

/** Tries names like a user who may read those that `mayRead` allows, at `now`. Returns the names that were refused. */
function tried(keys: ReadableKeys, names: readonly string[], mayRead: (name: string) => boolean, now = 0): string[] {
  const refused: string[] = [];
  const left = new Set(names);
  for (let tries = keys.toTry([...left], now); tries.length > 0; tries = keys.toTry([...left], now)) {
    for (const name of tries) {
      left.delete(name);
      if (mayRead(name)) keys.allow(name);
      else {
        keys.refuse(name, now);
        refused.push(name);
      }
    }
  }
  return refused;
}

const named = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
const isOfOrders = (name: string) => name.startsWith('orders:');

/** Keys of a user to whom one key was refused. */
function limited(): ReadableKeys {
  const keys = new ReadableKeys();
  keys.refuse('payments:0', 0);
  return keys;
}

test('while no key was refused, every key may be read, and no key is tried or remembered', () => {
  const keys = new ReadableKeys();
  keys.allow('orders:1');
  expect(keys.verdictOf('payments:1', 0)).toBe('readable');
  expect(keys.toTry(['payments:1'], 0)).toEqual([]);
  expect(keys).toMatchObject({ isLimited: false, readable: undefined, samples: [] });
});

test('among keys whose names begin alike, one success shows that all may be read, three refusals that no key may', () => {
  const keys = limited();
  const names = [...named('payments:', 500), ...named('orders:', 500)];
  expect(tried(keys, names, isOfOrders)).toHaveLength(2);
  expect(named('orders:', 500).every((name) => keys.verdictOf(name, 0) === 'readable')).toBe(true);
  expect(named('payments:', 500).every((name) => keys.verdictOf(name, 0) === 'refused')).toBe(true);
});

test('if some names with the same beginning may be read, the longer beginning decides, then the name', () => {
  const keys = limited();
  const isOfTenant = (name: string) => name.startsWith('app:eu:1');
  tried(keys, ['app:eu:1:0'], isOfTenant);
  expect(keys.verdictOf('app:us:0', 0)).toBe('readable');
  keys.refuse('app:us:0', 0); // a key that counts as readable is read, and is refused then
  keys.refuse('app:eu:2:0', 0);
  const names = [...named('app:us:', 100), ...named('app:eu:2:', 100), ...named('app:eu:1:', 100)];
  expect(tried(keys, names, isOfTenant).length).toBeLessThan(10);
  expect(keys.verdictOf('app:us:7', 0)).toBe('refused');
  expect(keys.verdictOf('app:eu:2:7', 0)).toBe('refused');
  expect(named('app:eu:1:', 100).every((name) => keys.verdictOf(name, 0) === 'readable')).toBe(true);
});

test('refused keys are tried again after a minute, and then after longer pauses', () => {
  const keys = limited();
  const tries = (now: number) => tried(keys, named('payments:', 9), isOfOrders, now).length;
  expect([0, 1, MINUTE - 1, MINUTE, 2 * MINUTE, 3 * MINUTE].map(tries)).toEqual([2, 0, 0, 1, 0, 1]);
});

test('among keys without a common beginning, at most 60 are tried at once, then one every 10 s', () => {
  const keys = limited();
  const tries = (now: number) =>
    tried(
      keys,
      named(`${now}-x`, 500).map((name, n) => `${n}:${name}`),
      isOfOrders,
      now,
    ).length;
  expect([tries(0), tries(1), tries(10_000), tries(30_000)]).toEqual([59, 0, 1, 2]);
});

test('if a refused key may be read now, the rights have changed, and no key is treated as refused any longer', () => {
  const keys = limited();
  tried(keys, named('sessions:', 9), isOfOrders);
  expect(keys.samples).toEqual(['payments:0', 'sessions:0']);
  keys.allow('sessions:1');
  expect(keys.isLimited).toBe(true);
  keys.allow('sessions:0');
  expect(keys).toMatchObject({ isLimited: false, samples: [], readable: 'sessions:0' });
});

test('a key that may be read is treated as readable until it is refused', () => {
  const keys = limited();
  keys.allow('orders:1');
  expect(keys.readable).toBe('orders:1');
  keys.refuse('orders:2', 0);
  expect(keys.readable).toBe('orders:1');
  keys.refuse('orders:1', 0);
  expect(keys.readable).toBeUndefined();
});

test('only the first 1,000 characters of a name of a megabyte are kept', () => {
  const keys = limited();
  keys.refuse(`${'x'.repeat(1_000_000)}:1`, 0);
  expect(keys.samples.map(({ length }) => length)).toEqual([10, 1000]);
});
