import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { Quarantine } from './quarantine.ts';

const key = { db: 0, name: 'catalogue' };
const why = { reason: 'fields', size: 1_000_000 } as const;
const T = redisTime(7);

test('a key that is too large is checked again after a pause that doubles', () => {
  const quarantine = new Quarantine();
  const looks: number[] = [];
  for (let now = 0; now < 100_000; now += 1000) {
    if (quarantine.holds(key, now)) continue;
    looks.push(now);
    quarantine.put(key, why, T, now, false);
  }
  expect(looks).toEqual([0, 5000, 15_000, 35_000, 75_000]);
});

test('a report has the time since when each key has not been read, known locks first, at most ten names', () => {
  const quarantine = new Quarantine();
  expect(quarantine.report(() => false)).toBeUndefined();
  for (let n = 0; n < 30; n++) quarantine.put({ db: 0, name: `k${n}` }, why, T, 0, false);
  quarantine.put({ db: 0, name: 'x'.repeat(1_000_000) }, why, redisTime(8), 0, false);
  quarantine.put({ db: 0, name: 'k3' }, why, redisTime(9), 20_000, false);
  const report = quarantine.report(({ name }) => name === 'k3');
  expect(report?.count).toBe(31);
  expect(report?.first).toHaveLength(10);
  expect(report?.first[0]).toEqual({ db: 0, name: 'k3', ...why, since: T, isKnownLock: true });
});

test('a key that was read again is no longer reported', () => {
  const quarantine = new Quarantine();
  quarantine.put(key, why, T, 0, false);
  quarantine.clear(key, 'hash');
  expect(quarantine.holds(key, 0)).toBe(false);
  expect(quarantine.report(() => true)).toBeUndefined();
});

test('at most 1,000 keys that are too large are kept', () => {
  const quarantine = new Quarantine();
  for (let n = 0; n < 5000; n++) quarantine.put({ db: 0, name: `k${n}` }, why, T, 0, false);
  expect(quarantine.report(() => false)?.count).toBe(1000);
});

test('a known lock is checked again every 20 s at the latest', () => {
  const quarantine = new Quarantine();
  for (let now = 0; now < 1_000_000; now += 1000) {
    if (!quarantine.holds(key, now)) quarantine.put(key, why, T, now, true);
    else expect(quarantine.holds(key, now + 20_000)).toBe(false);
  }
});

test('5,000 other keys displace none of 2,000 known locks', () => {
  const quarantine = new Quarantine();
  for (let n = 0; n < 2000; n++) quarantine.put({ db: 0, name: `lock${n}` }, why, T, 0, true);
  for (let n = 0; n < 5000; n++) quarantine.put({ db: 0, name: `k${n}` }, why, T, 0, false);
  const isLock = ({ name }: { name: string }) => name.startsWith('lock');
  const locks = quarantine.locks(isLock);
  expect(locks).toHaveLength(2000);
  expect(locks[0]).toEqual({ db: 0, name: 'lock0', reason: 'fields', since: T });
});

test('a key that becomes known as a lock later is listed as a lock', () => {
  const quarantine = new Quarantine();
  quarantine.put(key, why, T, 0, false);
  expect(quarantine.locks(() => false)).toEqual([]);
  expect(quarantine.locks(() => true)).toEqual([{ ...key, reason: 'fields', since: T }]);
});

test('a list of waiters that is too large is reported, and the hash of its lock is still read', () => {
  const quarantine = new Quarantine();
  const beside = { reason: 'beside', size: 0 } as const;
  quarantine.put(key, beside, T, 0, true);
  expect(quarantine.holds(key, 0)).toBe(false);
  quarantine.clear(key, 'hash');
  quarantine.put(key, beside, redisTime(9), 1000, true);
  expect(quarantine.report(() => true)?.first).toEqual([{ ...key, ...beside, since: T, isKnownLock: true }]);
  quarantine.put(key, why, redisTime(10), 2000, true);
  expect(quarantine.locks(() => true)).toEqual([{ ...key, reason: 'fields', since: 10 }]);
  quarantine.clear(key, 'beside');
  expect(quarantine.holds(key, 2000)).toBe(true);
});

test('many long names reach the limit sooner: the oldest is dropped first, and the newest is kept', () => {
  const quarantine = new Quarantine();
  const name = (n: number) => `${n}:${'x'.repeat(1_000_000)}`;
  for (let n = 0; n < 10; n++) quarantine.put({ db: 0, name: name(n) }, why, T, 0, false);
  expect(quarantine.report(() => false)?.count).toBe(3);
  expect(quarantine.holds({ db: 0, name: name(6) }, 0)).toBe(false);
  expect(quarantine.holds({ db: 0, name: name(9) }, 0)).toBe(true);
  const huge = { db: 0, name: 'y'.repeat(5_000_000) };
  quarantine.put(huge, why, T, 0, false);
  expect(quarantine.report(() => false)?.count).toBe(1);
  expect(quarantine.holds(huge, 0)).toBe(true);
});
