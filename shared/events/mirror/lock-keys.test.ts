import { expect, test } from 'vitest';
import { LockKeys } from './lock-keys.ts';

const KB = 1024;

function field() {
  return { count: 1, mode: 'exclusive', acquiredSeq: undefined } as const;
}

test('free keys beyond the memory limit are evicted, oldest first', () => {
  const keys = new LockKeys(100 * KB);
  for (let n = 0; n < 1000; n++) keys.take(0, `free:${n}`, 'lock', 1);
  expect(keys.bytes).toBeLessThanOrEqual(100 * KB);
  expect(keys.find(0, 'free:0')).toBeUndefined();
  expect(keys.find(0, 'free:999')).toBeDefined();
});

test('a held key is not evicted while there are free keys, also in another database', () => {
  const keys = new LockKeys(100 * KB);
  for (let n = 0; n < 20; n++) keys.hold(keys.take(n % 2, `held:${n}`, 'lock', 1), 'a:1', field());
  for (let n = 0; n < 1000; n++) keys.take(2, `free:${n}`, 'lock', 1);
  expect([...keys.held()]).toHaveLength(20);
  for (let n = 0; n < 20; n++) expect(keys.find(n % 2, `held:${n}`)).toBeDefined();
  expect(keys.bytes).toBeLessThanOrEqual(100 * KB);
});

test('held keys alone take at most twice the memory limit', () => {
  const keys = new LockKeys(100 * KB);
  for (let n = 0; n < 1000; n++) keys.hold(keys.take(0, `held:${n}`, 'lock', 1), 'a:1', field());
  expect(keys.bytes).toBeLessThanOrEqual(200 * KB);
  expect([...keys.all()]).toHaveLength([...keys.held()].length);
  expect(keys.find(0, 'held:999')).toBeDefined();
});

test('an evicted key is reported only if it is held or a counter', () => {
  const keys = new LockKeys(45 * KB);
  const evicted: string[] = [];
  keys.onEvicted = ({ name }) => evicted.push(name);
  keys.take(0, 'latch', 'latch', 1);
  for (let n = 0; n < 1000; n++) keys.take(0, `free:${n}`, 'lock', 1);
  expect(evicted).toEqual(['latch']);
  for (let n = 0; n < 1000; n++) keys.hold(keys.take(0, `held:${n}`, 'lock', 1), 'a:1', field());
  expect(evicted.length).toBeGreaterThan(800);
  expect(evicted[1]).toBe('held:0');
  for (const name of evicted) expect(keys.find(0, name)).toBeUndefined();
});

test('if held keys fill the memory, adding a free key does not search all held keys', () => {
  const keys = new LockKeys(430 * KB);
  let looks = 0;
  for (let n = 0; n < 900; n++) {
    const key = keys.take(0, `held:${n}`, 'lock', 1);
    keys.hold(key, 'a:1', field());
    const { holders } = key;
    Object.defineProperty(key, 'holders', {
      get: () => {
        looks++;
        return holders;
      },
    });
  }
  looks = 0;
  for (let n = 0; n < 5000; n++) keys.take(0, `free:${n}`, 'lock', 1);
  expect(looks).toBeLessThan(100 * 5000);
  expect([...keys.held()]).toHaveLength(900);
});
