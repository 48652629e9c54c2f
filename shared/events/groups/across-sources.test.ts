import { expect, test } from 'vitest';
import { groupsReported } from '../../../testing/stories/group-story.ts';

test('[G5] locks of one name on several servers, acquired by one thread’s clients, are a RedLock', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.003 2/pay B:62 acquired
    0.006 3/pay C:62 acquired
    0.500 1/pay A:62 released
    0.503 2/pay B:62 released
    0.506 3/pay C:62 released
  `;
  expect(groupsReported(text)).toEqual(['g1', 'g1', 'g1', 'g1', 'g1', 'g1 released']);
});

test('[G5] a RedLock needs more than half of its locks; the unlock of a member that was never held belongs to it', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.003 2/pay B:62 refused
    0.006 3/pay C:62 acquired
    0.500 1/pay A:62 released
    0.503 2/pay B:62 unlock-refused
    0.506 3/pay C:62 released
  `;
  expect(groupsReported(text)).toEqual(['g1', 'g1', 'g1', 'g1', 'g1 never-held', 'g1 released']);
});

test('[G5] a RedLock that acquires less than half of its locks is rolled back', () => {
  const text = `
    0.000 1/pay A:62 refused
    0.003 2/pay B:62 acquired
    0.006 3/pay C:62 refused
    0.009 2/pay B:62 released
  `;
  expect(groupsReported(text)).toEqual(['g1', 'g1', 'g1', 'g1 roll-back rolled-back']);
});

test('[G5] the unlock of a member that was never attempted belongs to the RedLock', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.003 2/pay B:62 acquired
    0.500 1/pay A:62 released
    0.503 2/pay B:62 released
    0.506 3/pay C:62 unlock-refused
  `;
  expect(groupsReported(text)).toEqual(['g1', 'g1', 'g1', 'g1 released', 'g1 never-held']);
});

test('[G5] locks with different names on several servers are a group if their leases are set again together', () => {
  const text = `
    0.000 1/lock1 A:62 acquired 2000
    0.003 2/lock2 B:62 acquired 2000
    0.006 3/lock3 C:62 acquired 2000
    0.009 1/lock1 -:- lease-set 4000
    0.012 2/lock2 -:- lease-set 4000
    0.015 3/lock3 -:- lease-set 4000
    0.500 1/lock1 A:62 released
    0.503 2/lock2 B:62 released
    0.506 3/lock3 C:62 released
  `;
  expect(groupsReported(text)).toEqual([
    ...['g1', 'g1', 'g1', 'g1 fix-up', 'g1 fix-up', 'g1 fix-up'],
    ...['g1', 'g1', 'g1 released'],
  ]);
  expect(groupsReported(text.replaceAll('4000', '2000').split('\n').slice(0, 4).join('\n'))).toEqual(['–', '–', '–']);
});

test('[G6] if a server is down, the next member may be attempted seconds later', () => {
  const text = `
    0.000 2/- -:- unseen
    1.000 1/pay A:62 acquired
    4.000 3/pay C:62 acquired
    5.000 1/pay A:62 released
    5.003 3/pay C:62 released
  `;
  expect(groupsReported(text)).toEqual(['–', 'g2', 'g2', 'g2', 'g2 released']);
});

test('[G6] a RedLock goes on without the members on a server in a blind spot', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.003 2/pay B:62 acquired
    0.006 3/pay C:62 acquired
    0.100 2/- -:- unseen
    0.500 1/pay A:62 released
    0.506 3/pay C:62 released
  `;
  expect(groupsReported(text)).toEqual(['g1', 'g1', 'g1', '–', 'g1', 'g1 released']);
});

test('[G5] two applications with the same thread number are distinguished by what their clients did together before', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.003 2/pay B:62 acquired
    0.100 1/pay A:62 released
    0.103 2/pay B:62 released
    1.000 1/pay C:62 acquired
    1.003 2/pay D:62 acquired
    1.100 1/pay C:62 released
    1.103 2/pay D:62 released
    2.000 1/pay A:62 acquired
    2.001 1/pay C:62 refused
    2.002 2/pay D:62 refused
    2.003 2/pay B:62 acquired
  `;
  expect(groupsReported(text).slice(-4)).toEqual(['g9', 'ga', 'ga', 'g9']);
});

test('[G5] events of another server may arrive late, after the release', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.020 1/pay A:62 released
    0.003 2/pay B:62 acquired
    0.021 2/pay B:62 released
  `;
  expect(groupsReported(text)).toEqual(['g1', 'g1', 'g1', 'g1 released']);
});

test('[G6] a RedLock is recognised by its leases although one server is down and the lock acquired first was released', () => {
  const text = `
    0.000 2/- -:- unseen
    1.000 1/lock1 A:62 acquired 18000
    5.300 3/lock3 C:62 acquired 18000
    5.305 1/lock1 -:- lease-set 20000
    5.330 1/lock1 A:62 released
    5.310 3/lock3 -:- lease-set 20000
    9.000 3/lock3 C:62 released
  `;
  expect(groupsReported(text)).toEqual(['–', 'g2', 'g2', 'g2 fix-up', 'g2', 'g2 fix-up', 'g2 released']);
});

test('[G5] a refused attempt 9 s before does not belong to the RedLock that begins with the same lock', () => {
  const text = `
    0.000 1/pay A:62 refused
    9.000 1/pay A:62 acquired
    9.003 2/pay B:62 acquired
    9.006 3/pay C:62 acquired
  `;
  expect(groupsReported(text)).toEqual(['–', 'g2', 'g2', 'g2']);
});

test('[G5] the third member of a RedLock may be refused 270 ms later, over a slow connection', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.030 2/pay B:62 acquired
    0.300 3/pay C:62 refused
    0.900 1/pay A:62 released
    0.930 2/pay B:62 released
    1.200 3/pay C:62 unlock-refused
  `;
  expect(groupsReported(text)).toEqual(['g1', 'g1', 'g1', 'g1', 'g1 released', 'g1 never-held']);
});

test('[G6] a lock that a restarted server lost belongs to its RedLock, unless the RedLock was released before', () => {
  const text = `
    0.000 1/pay A:62 acquired
    0.003 2/pay B:62 acquired
    0.100 2/- -:- unseen
    0.400 2/- -:- seen-again
    0.500 2/pay B:62 lost
  `;
  expect(groupsReported(text)).toEqual(['g1', 'g1', '–', '–', 'g1']);
  const released = text.replace('0.400', '0.300 1/pay A:62 released\n0.400');
  expect(groupsReported(released)).toEqual(['g1', 'g1', '–', 'g1 released', '–', '–']);
});
