import { describe, expect, test } from 'vitest';
import { fairStory } from '../testing/fair-story.ts';
import { seconds, story } from '../testing/story.ts';
import type { LockState } from './lock-state.ts';
import { reduceLock } from './reduce.ts';

const stateOf = (events: ReturnType<typeof story>) =>
  events.filter(({ lock }) => lock !== '').reduce<LockState | undefined>(reduceLock, undefined);
const state = (text: string) => stateOf(story(`orders:42 lease 6s\n${text}`));

const WAITING = `
  0.000  A attempts acquired
  1.000  B attempts refused
  1.001  B subscribes
  1.002  B attempts refused
`;

describe('free locks with waiters', () => {
  test('[W13] a lock with waiters notes how it became free, and the message', () => {
    const freed = state(`${WAITING}\n 2.000 A releases`)?.freed;
    expect(freed).toMatchObject({ by: 'lock.released', message: { at: seconds(2.000_004) } });
    expect(freed?.resubscribed).toBeUndefined();
    const deleted = state(`${WAITING}\n 2.000 operator command DEL orders:42`)?.freed;
    expect(deleted).toMatchObject({ at: seconds(2), by: 'lock.deleted' });
    expect(deleted?.message).toBeUndefined();
  });

  test('[W13] a SUBSCRIBE without an attempt before it is noted, one of a new thread is not', () => {
    const free = `${WAITING}\n 2.000 A releases`;
    expect(state(`${free}\n 3.000 B2 subscribes`)?.freed?.resubscribed?.at).toBe(seconds(3));
    const other = '0.000 A attempts acquired\n 1.990 C attempts refused\n 2.000 A releases\n 2.001 C subscribes';
    expect(state(other)?.freed?.resubscribed).toBeUndefined();
  });

  test('[W13] it is forgotten when the lock is held again, or has no waiter', () => {
    expect(state(`${WAITING}\n 2.000 A releases\n 2.001 B attempts acquired`)).not.toHaveProperty('freed');
    expect(state('0.000 A attempts acquired\n 1.000 A releases')).not.toHaveProperty('freed');
    expect(state(WAITING)).not.toHaveProperty('freed');
  });

  test('[W14] a waiter without a timer is noted', () => {
    const sleeps = (text: string) => state(text)?.waiters[0]?.sleepsUntil;
    expect(sleeps(WAITING)).toBeUndefined();
    expect(sleeps(WAITING.replace('1.000', '0.500 operator command PERSIST orders:42\n 1.000'))).toBeNull();
    const [waiter] =
      stateOf(fairStory('0.000 A waits 300\n 1.000 B waits 300\n 1.001 B subscribes\n 1.002 B waits 300'))?.waiters ??
      [];
    expect(waiter?.sleepsUntil).toBe(seconds(6));
  });
});
