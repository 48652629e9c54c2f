import { describe, expect, test } from 'vitest';
import { lockAt } from '../../../testing/stories/lock-at.ts';
import { seconds, story } from '../../../testing/stories/story.ts';
import { strictly } from '../../../testing/stories/strictly.ts';
import { redisTime } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import { wantedBy } from '../../insights/attention.ts';
import type { LockState } from '../../state/lock-state.ts';
import { reduceLock } from '../../state/reduce.ts';
import { believerSchema } from './lock.ts';
import { lockView, placedLock, UNKNOWN_PRESENCE } from './lock-view.ts';

const viewAt = (text: string, at: number) => lockView(lockAt(story(text), seconds(at)), seconds(at), UNKNOWN_PRESENCE);

test('[X3] a holder that still thinks it holds a lost lock is sent with exactly the fields of its schema', () => {
  const lost: LockEvent = {
    type: 'lock.lost',
    seq: 7,
    at: redisTime(1_000_000),
    source: 's',
    db: 0,
    lock: 'orders:42',
    kind: 'lock',
    certainty: 'inferred',
    holder: '6f0c1b52-3a49-4b8e-9d5f-6b1c0c6f2a11:41',
    mode: 'exclusive',
    reason: 'failover',
    expiresAt: redisTime(9_000_000),
  };
  const { believers } = lockView(reduceLock(undefined, lost), redisTime(2_000_000), UNKNOWN_PRESENCE);
  expect(believers).toHaveLength(1);
  expect(() => strictly(believerSchema, believers?.[0])).not.toThrow();
});

test.each([undefined, 0, 2])(
  'a semaphore with listeners has as many waiters in the sorted list as in its view (free permits: %s)',
  (available) => {
    const about = {
      at: seconds(1),
      source: 's',
      db: 0,
      lock: 'gate',
      kind: 'semaphore',
      certainty: 'inferred',
    } as const;
    const channel = 'redisson_sc:{gate}';
    const listened: LockEvent = { ...about, seq: 1, type: 'waiter.subscribed', channel, subscribers: 2 };
    const set: LockEvent[] = available === undefined ? [] : [{ ...about, seq: 2, type: 'permits.set', available }];
    const lock = [listened, ...set].reduce<LockState | undefined>(reduceLock, undefined);
    if (!lock) throw new Error('no lock');
    const place = placedLock(lock, seconds(2), UNKNOWN_PRESENCE);
    expect(place.wanted).toBe(available === 2 ? 0 : 2);
    expect(place.wanted).toBe(wantedBy(lockView(lock, seconds(2), UNKNOWN_PRESENCE)));
  },
);

test('[W20] a thread that is refused again and again is reported beside the waiters, for 10 s after its last attempt', () => {
  const text = `orders:42 lease 600s
    0.000 A attempts acquired
    1.000 B attempts refused
    2.000 B attempts refused
    3.000 B attempts refused`;
  const refusedAgain = { threads: 1, attempts: 3 };
  expect(viewAt(text, 13)).toMatchObject({ waiters: [], refusedAgain });
  expect(viewAt(text, 14)).not.toHaveProperty('refusedAgain');
  expect(viewAt(`${text}\n3.001 B subscribes`, 4)).not.toHaveProperty('refusedAgain');
});

describe('a lock that was never seen to be acquired, but refused a thread that sleeps', () => {
  const ASLEEP = `
    orders:42 lease 30s
    0.000  B attempts refused
    0.001  B subscribes
    0.002  B attempts refused
  `;

  test('a lock that was never seen to be acquired is assumed to be held while a refused thread sleeps', () => {
    const unseen = { holderUnseen: true, holders: [], certainty: 'inferred' };
    expect(viewAt(ASLEEP, 20)).toMatchObject({ held: true, ...unseen });
    // a thread that does not wait shows only that it was held then
    expect(viewAt('orders:42 lease 30s\n 0.000 B attempts refused', 20)).toMatchObject({ held: false, ...unseen });
  });

  test.each(['DEL orders:42', 'FLUSHALL', 'RENAME orders:42 x'])(
    'a lock with an unseen holder is free after %s',
    (command) => {
      const text = `${ASLEEP} 5.000 operator command ${command}`;
      expect(story(text).at(-1)).toMatchObject({ certainty: 'inferred', by: expect.any(String) });
      expect(story(text).at(-1)).not.toHaveProperty('holder');
      expect(viewAt(text, 6)).toMatchObject({ held: false, waiters: [{ asleep: true }] });
      expect(viewAt(text, 6)).not.toHaveProperty('holderUnseen');
      // no thread was refused the lock, so nothing shows that it was held when the command removed it
      expect(story(`orders:42 lease 30s\n 5.000 operator command ${command}`)).toEqual([]);
    },
  );

  test.each([
    ['expired', 'lease.expired'],
    ['evicted', 'lock.evicted'],
  ])('a lock with an unseen holder is free after Redis reports it as %s', (heard, type) => {
    const text = `${ASLEEP} 5.000 - hears ${heard}`;
    expect(story(text).at(-1)).toMatchObject({ type, certainty: 'observed' });
    expect(viewAt(text, 6)).toMatchObject({ held: false });
    expect(viewAt(text, 6)).not.toHaveProperty('holderUnseen');
  });

  test('a lock has no unseen holder after an unlock that found no lock', () => {
    expect(viewAt(`${ASLEEP} 5.000 C releases silently`, 6)).not.toHaveProperty('holderUnseen');
  });

  test('a lock has no unseen holder after the release by that holder, and is held once a thread acquires it', () => {
    expect(viewAt(`${ASLEEP} 5.000 A releases`, 6)).not.toHaveProperty('holderUnseen');
    expect(viewAt(`${ASLEEP} 5.000 A releases\n 5.001 B attempts acquired`, 6)).toMatchObject({ held: true });
  });
});
