import { expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import { DETECTORS_OF_DUMPS, DETECTORS_OF_ONE } from './detectors/all.ts';
import { ENGLISH } from './english.ts';

test('every incident that has English sentences has a detector', () => {
  const found = [...DETECTORS_OF_ONE, ...DETECTORS_OF_DUMPS].map(({ incident }) => incident);
  expect(found.sort()).toEqual(Object.keys(ENGLISH).sort());
});

test('if two clients set the same value, the text about a deleted lock names neither client by that value', () => {
  const say = { who: (id: string) => id, clock: () => 'noon' };
  const values = { holder: '1', at: redisTime(1), expiredAt: null, takenBy: null, takenAt: null };
  const explained = (late: string) => ENGLISH['foreign-delete'].explanation({ ...values, late }, say);
  expect(explained('1')).toBe(
    'A client deleted this lock at noon, while another one held it. Both had set the same value, 1.',
  );
  expect(explained('2')).toBe('2 deleted this lock at noon, while 1 held it.');
});

test('the advice about a permit that outlived its lease names its client, because a permit itself writes nothing', () => {
  const say = { who: (id: string) => id, clock: (at: number) => `${at}` };
  const values = {
    ...{ holder: 'p1', leaseMs: 4000, endedAt: redisTime(4), unlockedAt: redisTime(6), heldMs: 6000 },
    ...{ renewedAt: null, isRenewal: false, releasedBefore: null, takenBy: 'p2', takenAt: redisTime(5) },
    ...{ isRedisson: false, isWatchdogKnown: true, isPermit: true },
  };
  const { advice, explanation, later } = ENGLISH['lease-shorter-than-work'];
  expect(explanation(values, say)).toContain('All permits were taken at 5, the last one as p2: one more client may');
  expect(advice(values, say)).toBe('Check what the clients of the permits p1 and p2 wrote after 4.');
  expect(advice({ ...values, takenBy: null, takenAt: null }, say)).toBe(
    'Check what the client of permit p1 wrote after 4.',
  );
  expect(later?.({ ...values, isRedisson: true }, say)).toContain(
    'Acquire permits with a lease above the longest time',
  );
});

test('the text about a lease of 0 does not name a watchdog, because no watchdog sets such a lease', () => {
  const say = { who: (id: string) => id, clock: (at: number) => `${at}` };
  const values = {
    ...{ holder: 'A', endedAt: redisTime(0), unlockedAt: redisTime(6), heldMs: 6000, renewedAt: null },
    ...{ isRenewal: false, releasedBefore: null, takenBy: null, takenAt: null, isRedisson: true },
    ...{ isWatchdogKnown: false, isPermit: false },
  };
  const explained = (leaseMs: number) => ENGLISH['lease-shorter-than-work'].explanation({ ...values, leaseMs }, say);
  expect(explained(0)).toContain('Redis ends such a lease at once. A leaseTime below 1 ms is sent as 0.');
  expect(explained(0)).not.toContain('watchdog');
  expect(explained(2000)).toContain('its watchdog has failed');
});

test('the texts about a fair queue do not take the version of the newest script for that of the waiter', () => {
  const say = { who: (id: string) => id, clock: (at: number) => `${at}` };
  const of = { holder: 'B', deadline: redisTime(9), version: '4.7.0' };
  const texts = [
    ENGLISH['fair-hot-loop'].explanation({ ...of, perSecond: 900, attempts: 90, head: 'A' }, say),
    ENGLISH['fair-timeout-drift'].explanation({ ...of, excessSeconds: 60 }, say),
  ];
  for (const text of texts)
    expect(text).toContain('(the newest known script of this lock, maybe of another client: 4.7.0)');
});
