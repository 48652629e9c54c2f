import { describe, expect, test } from 'vitest';
import { fairStory } from '../../../testing/stories/fair-story.ts';
import { holderOf, seconds } from '../../../testing/stories/story.ts';
import type { LockState } from '../lock-state.ts';
import { reduceLock } from '../reduce.ts';
import { attemptsPerSecond } from './fair-notes.ts';

const state = (text: string) => fairStory(text).reduce<LockState | undefined>(reduceLock, undefined);
const waiter = (text: string, actor: string) => state(text)?.waiters.find(({ id }) => id === holderOf(actor));

const QUEUE = `
  0.000  A waits 300
  1.000  B waits 2
  1.001  B subscribes
  1.002  B waits 2
`;

describe('notes about a fair lock', () => {
  test('[F15] an evicted waiter keeps its eviction, and its first attempt since', () => {
    const evicted = `${QUEUE}\n 5.000 A waits 300\n 6.001 B waits 2\n 10.000 C waits 300`;
    expect(waiter(evicted, 'B')?.evicted).toEqual({ at: seconds(10), seq: expect.any(Number), deadline: seconds(8) });
    expect(waiter(`${evicted}\n 11.000 B waits 2`, 'B')?.evicted?.backAt).toBe(seconds(11));
    expect(waiter(QUEUE, 'B')?.evicted).toBeUndefined();
  });

  test('[F16] a waiter in the queue without a deadline is noted until it has one', () => {
    const undated = `${QUEUE}\n 2.000 - command ZREM Z B`;
    expect(waiter(undated, 'B')?.undated?.at).toBe(seconds(2));
    expect(waiter(`${undated}\n 3.000 - command ZADD Z 1795000100000 B`, 'B')?.undated).toBeUndefined();
  });

  test('[F17] a client whose clock is ahead is noted, with the waiters that it evicted too early', () => {
    const ahead = `${QUEUE}\n 2.000 C clock 1200\n 2.001 C waits 300`;
    expect(state(ahead)?.notes?.aheads).toMatchObject([
      { holder: holderOf('C'), aheadMs: 1_200_000, since: seconds(2.001), evicted: 1, victim: holderOf('B') },
    ]);
    expect(state(`${ahead}\n 3.000 C clock 0\n 3.001 C waits 300`)?.notes?.aheads).toBeUndefined();
    expect(state(`${ahead}\n 3.000 C plainly`)?.notes?.aheads, 'its script does not carry the time').toHaveLength(1);
    expect(state(`${QUEUE}\n 2.000 C clock 2\n 2.001 C waits 300`)?.notes?.aheads).toBeUndefined();
  });

  test('[F18] attempts without sleep behind the head of a free lock are counted as one run', () => {
    const calls = Array.from({ length: 100 }, (_, n) => `${(2.01 + n * 0.01).toFixed(3)} C waits 300`);
    const loop = `${QUEUE}\n 1.500 C waits 300\n 1.501 C subscribes\n 2.000 A unlocks\n ${calls.join('\n')}`;
    const run = waiter(loop, 'C');
    expect(run?.run).toMatchObject({ since: seconds(2.01), lastAt: seconds(3) });
    expect(run && Math.round(attemptsPerSecond(run))).toBe(100);
    expect(waiter(`${loop}\n 9.000 C waits 300`, 'C')).toBeUndefined();
  });
});
