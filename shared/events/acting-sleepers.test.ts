import { describe, expect, test } from 'vitest';
import { reported, story } from '../../testing/stories/story.ts';

/** B sleeps until A's message, `times` times, and does nothing else meanwhile. */
function quietSleeps(times: number): string {
  const each = Array.from({ length: times }, (_, n) => {
    const at = (seconds: number) => (n + seconds).toFixed(3);
    return `
      ${at(0.1)}  A attempts acquired
      ${at(0.2)}  B attempts refused
      ${at(0.201)}  B subscribes
      ${at(0.202)}  B attempts refused
      ${at(0.5)}  A releases
      ${at(0.501)}  B attempts acquired
      ${at(0.502)}  B unsubscribes
      ${at(0.6)}  B releases`;
  });
  return `orders:1 lease 6s${each.join('')}`;
}

/** Two threads of B sleep; their timers end at 16.000. */
const BOTH_ASLEEP = `orders:42 lease 6s
  10.000  A attempts acquired
  12.500  B attempts refused
  12.501  B subscribes
  12.502  B attempts refused
  12.600  B2 attempts refused
  12.602  B2 attempts refused`;

/** B does something at 13.500, and asks for orders:42 again at `again`. */
function acts(lock: string, does: string, again = '15.700'): string[] {
  return [
    `${lock} lease 6s
      13.500  B ${does}`,
    `orders:42 lease 6s
      ${again}  B attempts refused`,
  ];
}

const gaveUp = (lines: readonly string[]) => lines.filter((line) => line.includes('gave-up'));

describe('[W11] a sleeper whose thread does something else', () => {
  test.each([
    ['takes another lock', 'orders:7', 'attempts acquired', 'lock.acquired B ×1'],
    ['tries another lock', 'orders:7', 'attempts refused', 'lock.refused B'],
    ['unlocks the lock it does not hold', 'orders:42', 'unlock refused', 'unlock.refused B not-owner'],
  ])('[W11] a sleeper that %s gave up, and its next attempt begins a new wait', (_, lock, does, line) => {
    const events = story(quietSleeps(3), BOTH_ASLEEP, ...acts(lock, does));
    expect(reported(events).slice(-3, -1)).toEqual(['waiter.dequeued B gave-up (inferred)', line]);
    expect(events.at(-1)).toMatchObject({ type: 'lock.refused', attempt: 1, asleep: false });
    expect(events.at(-1)).not.toHaveProperty('wokenBy');
  });

  test('[W11] a sleeper stays asleep if the watchdog renews another lock of its thread', () => {
    const events = story(quietSleeps(3), BOTH_ASLEEP, ...acts('orders:7', 'renews', '15.999'));
    expect(gaveUp(reported(events))).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'lock.refused', attempt: 3, wokenBy: 'own-timer' });
  });

  test('[W11] a sleeper stays asleep after only two quiet sleeps of its client, which may be asynchronous', () => {
    const events = story(quietSleeps(2), BOTH_ASLEEP, ...acts('orders:7', 'attempts acquired', '15.999'));
    expect(gaveUp(reported(events))).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'lock.refused', attempt: 3, wokenBy: 'own-timer' });
  });

  test('[W11] the only sleeper of its client stays asleep: an UNSUBSCRIBE would show that it gave up', () => {
    const alone = BOTH_ASLEEP.split('\n').filter((line) => !line.includes('B2'));
    const events = story(quietSleeps(3), alone.join('\n'), ...acts('orders:7', 'attempts acquired', '15.999'));
    expect(gaveUp(reported(events))).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'lock.refused', attempt: 3, wokenBy: 'own-timer' });
  });

  test('[W11] the only sleeper of its client gave up if it takes another lock 0.5 s after a message, but not after 50 ms', () => {
    const alone = BOTH_ASLEEP.split('\n').filter((line) => !line.includes('B2'));
    const released = `${alone.join('\n')}\n  13.000  A releases`;
    const events = story(released, 'orders:7 lease 6s\n 13.500  B attempts acquired');
    expect(reported(events).slice(-2)).toEqual(['waiter.dequeued B gave-up (inferred)', 'lock.acquired B ×1']);
    const soon = story(released, 'orders:7 lease 6s\n 13.050  B attempts acquired');
    expect(gaveUp(reported(soon))).toEqual([]);
  });

  test('[W11] a sleeper that takes another lock gave up, even if it attempted a third lock before its last attempt', () => {
    const alone = BOTH_ASLEEP.split('\n').filter((line) => !line.includes('B2'));
    const events = story(
      alone.join('\n'),
      'orders:7 lease 6s\n 12.510  C attempts acquired\n 12.700  B attempts refused',
      `orders:42 lease 6s
        12.750  A releases
        12.755  C attempts acquired
        12.760  B attempts refused
        13.000  C releases`,
      'orders:8 lease 6s\n 13.500  B attempts acquired',
    );
    expect(reported(events).slice(-2)).toEqual(['waiter.dequeued B gave-up (inferred)', 'lock.acquired B ×1']);
  });

  test('[W11] a sleeper that takes another lock stays asleep if a message may have woken another thread of its client', () => {
    const events = story(`${BOTH_ASLEEP}\n  13.000  A releases`, 'orders:7 lease 6s\n 13.500  B attempts acquired');
    expect(gaveUp(reported(events))).toEqual([]);
  });

  test('[W11] an attempt when the timer ends shows an asynchronous client: its other sleepers did not give up', () => {
    const events = story(
      quietSleeps(3),
      BOTH_ASLEEP,
      ...acts('orders:7', 'attempts acquired', '15.995'),
      `orders:42 lease 6s
        15.996  B attempts refused
        15.997  B2 attempts refused`,
      `orders:8 lease 6s
        16.500  B2 attempts acquired`,
    );
    expect(gaveUp(reported(events))).toEqual(['waiter.dequeued B gave-up (inferred)']);
  });
});
