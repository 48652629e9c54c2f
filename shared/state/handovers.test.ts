import { expect, test } from 'vitest';
import { seconds, story } from '../../testing/stories/story.ts';
import { compareHandovers, handoversPerSecond } from './handovers.ts';
import type { LockState } from './lock-state.ts';
import { reduceLock } from './reduce.ts';

/** The state after a story of two threads that take turns `times` times, each turn `everySeconds` long. */
function afterTurns(times: number, everySeconds: number): LockState {
  const lines = ['orders:42 lease 300s', '0.000 A attempts acquired'];
  for (let n = 1; n <= times; n++) {
    const [holder, waiter] = n % 2 === 1 ? ['A', 'B'] : ['B', 'A'];
    const at = n * everySeconds;
    lines.push(`${(at - 0.3).toFixed(3)} ${waiter} attempts refused`, `${(at - 0.29).toFixed(3)} ${waiter} subscribes`);
    lines.push(`${(at - 0.28).toFixed(3)} ${waiter} attempts refused`, `${at.toFixed(3)} ${holder} releases`);
    lines.push(`${(at + 0.001).toFixed(3)} ${waiter} attempts acquired`);
  }
  const lock = story(lines.join('\n')).reduce<LockState | undefined>(reduceLock, undefined);
  if (!lock) throw new Error('the story has no event');
  return lock;
}

test('[W12] two hand-overs a second for two minutes average two a second', () => {
  const { handovers } = afterTurns(240, 0.5);
  if (!handovers) throw new Error('no hand-over was seen');
  expect(handoversPerSecond(handovers, handovers.at)).toBeCloseTo(2, 1);
});

test('[W12] two hand-overs a second for five seconds average two a second as well; a single hand-over gives no rate', () => {
  expect(afterTurns(10, 0.5).handovers?.perSecond).toBeCloseTo(2, 0);
  expect(afterTurns(1, 0.5).handovers?.perSecond).toBe(0);
});

test('[W12] the average rate of hand-overs falls to 37 % in 30 s without a hand-over', () => {
  const { handovers } = afterTurns(240, 0.5);
  if (!handovers) throw new Error('no hand-over was seen');
  expect(handoversPerSecond(handovers, seconds(150.001))).toBeCloseTo(handovers.perSecond / Math.E, 1);
});

test('[W12] an acquisition by a thread that did not wait is not a hand-over', () => {
  const events = story(`
    orders:42 lease 6s
    0.000 A attempts acquired
    1.000 A releases
    2.000 B attempts acquired
  `);
  expect(events.reduce<LockState | undefined>(reduceLock, undefined)?.handovers).toBeUndefined();
});

test('the average rates of two locks are compared at the same instant', () => {
  const busy = { perSecond: 3, since: seconds(-300), at: seconds(0) };
  const recent = { perSecond: 2, since: seconds(-240), at: seconds(60) };
  expect(compareHandovers(busy, recent)).toBeLessThan(0);
  expect(compareHandovers(recent, busy)).toBeGreaterThan(0);
  expect(compareHandovers(undefined, recent)).toBeLessThan(0);
  expect(compareHandovers(undefined, undefined)).toBe(0);
});
