import { describe, expect, test } from 'vitest';
import { fairStory } from '../../testing/stories/fair-story.ts';
import { heardStory, pushed, readFree, readHeld, released } from '../../testing/stories/heard-story.ts';
import { seconds, story } from '../../testing/stories/story.ts';
import type { Step } from '../signals/step.ts';
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
  test('[W13] the state of a lock with waiters has how the lock became free, and the message of a release', () => {
    const freed = state(`${WAITING}\n 2.000 A releases`)?.freed;
    expect(freed).toMatchObject({ by: 'lock.released', message: { at: seconds(2.000_004) } });
    expect(freed?.resubscribed).toBeUndefined();
    const deleted = state(`${WAITING}\n 2.000 operator command DEL orders:42`)?.freed;
    expect(deleted).toMatchObject({ at: seconds(2), by: 'lock.deleted' });
    expect(deleted?.message).toBeUndefined();
  });

  test('[W13] a SUBSCRIBE after the release is noted, unless it follows the first attempt of a thread', () => {
    const free = `${WAITING}\n 2.000 A releases`;
    expect(state(`${free}\n 3.000 B2 subscribes`)?.freed?.resubscribed?.at).toBe(seconds(3));
    const other = '0.000 A attempts acquired\n 1.990 C attempts refused\n 2.000 A releases\n 2.001 C subscribes';
    expect(state(other)?.freed?.resubscribed).toBeUndefined();
  });

  test('[W13] there is no note about how a lock became free if it is held again, has no waiter, or is still held', () => {
    expect(state(`${WAITING}\n 2.000 A releases\n 2.001 B attempts acquired`)?.freed).toBeUndefined();
    expect(state('0.000 A attempts acquired\n 1.000 A releases')?.freed).toBeUndefined();
    expect(state(WAITING)?.freed).toBeUndefined();
  });

  test('[W13] [S6] without commands, a release is noted, and the newest report that connections still listen', () => {
    const heard = (...steps: readonly Step[]) =>
      stateOf(heardStory(readHeld(0, 'A', 6000), ...released(1), readFree(1.01, 1), ...steps))?.freed;
    expect(heard()).toMatchObject({ at: seconds(1), by: 'lock.released', leaseEnd: seconds(6), isInferred: true });
    expect(heard()?.listened).toBeUndefined();
    const listened = heard(readFree(9, 1));
    expect(listened?.listened?.at).toBe(seconds(9));
    // the time between reports doubles: the next one is due at 17 s
    expect(heard(readFree(9, 1), readFree(15, 1))?.listened?.at).toBe(seconds(9));
    expect(heard(readFree(9, 1), readFree(19, 1))?.listened?.at).toBe(seconds(19));
    expect(heard(readFree(9, 1), readFree(10, 0))?.listened).toBeUndefined();
    expect(heard(readFree(9, 1), pushed(10, 'release'))?.listened).toBeUndefined();
    expect(heard(readFree(9, 1), readHeld(10, 'B', 6000))).toBeUndefined();
  });

  test('[W14] `sleepsUntil` is null for a sleeper without a timer, and the end of its timer for a sleeper in a queue', () => {
    const sleeps = (text: string) => state(text)?.waiters[0]?.sleepsUntil;
    expect(sleeps(WAITING)).toBeUndefined();
    expect(sleeps(WAITING.replace('1.000', '0.500 operator command PERSIST orders:42\n 1.000'))).toBeNull();
    const [waiter] =
      stateOf(fairStory('0.000 A waits 300\n 1.000 B waits 300\n 1.001 B subscribes\n 1.002 B waits 300'))?.waiters ??
      [];
    expect(waiter?.sleepsUntil).toBe(seconds(6));
  });
});
