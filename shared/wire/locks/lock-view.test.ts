import { describe, expect, test } from 'vitest';
import { lockAt } from '../../../testing/stories/lock-at.ts';
import { seconds, story } from '../../../testing/stories/story.ts';
import { redisTime } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import { reduceLock } from '../../state/reduce.ts';
import { believerSchema } from './lock.ts';
import { lockView, UNKNOWN_PRESENCE } from './lock-view.ts';

test('[X3] a believer on the wire has the fields of its schema and no others', () => {
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
  expect(() => believerSchema.strict().parse(believers?.[0])).not.toThrow();
});

describe('a thread is refused and sleeps, and its lock was never seen to be taken', () => {
  const ASLEEP = `
    orders:42 lease 30s
    0.000  B attempts refused
    0.001  B subscribes
    0.002  B attempts refused
  `;
  const viewAt = (text: string, at: number) =>
    lockView(lockAt(story(text), seconds(at)), seconds(at), UNKNOWN_PRESENCE);

  test('its holder was not seen, so it is not called free', () => {
    expect(viewAt(ASLEEP, 20)).toMatchObject({ held: false, holderUnseen: true, holders: [] });
  });

  test('it is free once a holder that was not seen releases it, and held once a thread acquires it', () => {
    expect(viewAt(`${ASLEEP} 5.000 A releases`, 6)).not.toHaveProperty('holderUnseen');
    expect(viewAt(`${ASLEEP} 5.000 A releases\n 5.001 B attempts acquired`, 6)).toMatchObject({ held: true });
  });
});
