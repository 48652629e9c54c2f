import { describe, expect, test } from 'vitest';
import { merged, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { listed } from '../../../../testing/stories/listed.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('zombie-renewal', story(`stock lease 3s\n${text}`), seconds(at), watching);

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');
const SHORT = lines(6, (n) => `${n}.000 B attempts acquired\n ${n}.200 B releases`);
const LONG = `10.000 A attempts acquired\n${lines(10, (n) => `${11 + n}.000 A renews`)}`;
const WAITING = '20.500 B attempts refused\n 20.501 B subscribes\n 20.502 B attempts refused';

describe('zombie-renewal', () => {
  test('fires if a hold is renewed again and again, although earlier holds never were', () => {
    expect(verdict(`${SHORT}\n${LONG}`, 21)).toMatchObject([
      {
        ...{ severity: 'hint', confidence: 'hint', holders: [holderOf('A')], from: seconds(10.000_002), to: null },
        values: { renewals: 10, before: 6, renewalsBefore: 0 },
      },
    ]);
    expect(verdict(`${SHORT}\n${LONG}\n${WAITING}`, 21)).toMatchObject([
      { confidence: 'likely', values: { waiting: 1 } },
    ]);
  });

  test('does not fire without earlier holds, or for a lock that is always held for long', () => {
    expect(verdict(LONG, 21)).toEqual([]);
    const usual = lines(6, (n) => `${n}.000 B attempts acquired\n ${n}.100 B renews\n ${n}.200 B releases`);
    expect(verdict(`${usual}\n${LONG}`, 21)).toEqual([]);
  });

  test('does not fire before three leases are over, even after 60 renewals', () => {
    const often = `10.000 A attempts acquired\n${lines(60, (n) => `${(10.1 + n / 10).toFixed(1)} A renews`)}`;
    expect(verdict(`${SHORT}\n${often}`, 18)).toEqual([]);
    expect(verdict(`${SHORT}\n${often}`, 20)).toHaveLength(1);
  });

  test('does not fire for a lock with a token, because the thread itself may renew it', () => {
    const events = story(`stock lease 3s\n${SHORT}\n${LONG}`).map(
      (event) => ({ ...event, kind: 'token-lock' }) as LockEvent,
    );
    expect(verdictAt('zombie-renewal', events, seconds(21))).toEqual([]);
  });

  test('does not fire once the lock is released', () => {
    expect(verdict(`${SHORT}\n${LONG}\n 20.500 A releases`, 21)).toEqual([]);
  });

  test('cannot know after a blind spot during the hold, or at level snapshot', () => {
    const blind = `${SHORT}\n${LONG}\n 20.100 redis loses sight\n 20.200 redis sees again`;
    expect(verdict(blind, 21)).toBe('cannot know: blind-spot');
    expect(verdict(`${SHORT}\n${LONG}`, 21, { level: 'snapshot' })).toBe('cannot know: level');
  });
});

/** A hold whose renewals come every 1.1 s, the first one at this second. */
const from = (first: number, count = 6) =>
  `0.000 A attempts acquired\n${lines(count, (n) => `${(first + n * 1.1).toFixed(3)} A renews`)}`;

describe('zombie-renewal, by a watchdog that began late', () => {
  test('fires if only the first renewal was late, and the client has long sent only renewals', () => {
    expect(verdict(from(2.1, 9), 11)).toMatchObject([
      {
        ...{ severity: 'hint', confidence: 'hint', holders: [holderOf('A')], to: null },
        values: { lateMs: expect.closeTo(1100, 0), forcedAt: null },
      },
    ]);
    expect(verdict(from(2.1, 9), 8.9)).toEqual([]);
  });

  test('does not fire if all renewals were in time, or all of them late', () => {
    expect(verdict(from(1.1, 9), 11)).toEqual([]);
    const slow = `0.000 A attempts acquired\n${lines(7, (n) => `${1.6 + n * 1.6} A renews`)}`;
    expect(verdict(slow, 12)).toEqual([]);
  });

  test('does not fire if Redis did not answer, once the hold is released or re-entered, or if its client is gone', () => {
    const events = story(`stock lease 3s\n${from(2.1, 9)}`);
    const stood = {
      type: 'server.stood-still',
      from: seconds(0.5),
      to: seconds(1.5),
      shownBy: 'log',
      at: seconds(1.5),
    };
    const still = merged(events, [{ ...events[0], ...stood, lock: '' } as unknown as LockEvent]); // an event about the source
    expect(verdictAt('zombie-renewal', still, seconds(11))).toEqual([]);
    expect(verdict(`${from(2.1, 9)}\n10.950 A releases`, 11)).toEqual([]);
    expect(verdict(`${from(2.1, 9)}\n10.950 A attempts reentered`, 11)).toEqual([]);
    expect(verdictAt('zombie-renewal', merged(events, listed('gone', 10.95, 'A')), seconds(11))).toEqual([]);
  });

  test('cannot know after a blind spot during the hold', () => {
    expect(verdict(`${from(2.1, 9)}\n10.950 redis loses sight\n10.960 redis sees again`, 11)).toBe(
      'cannot know: blind-spot',
    );
  });
});

describe('zombie-renewal, by a force-unlock', () => {
  const FORCED = `${from(1.1, 9)}\n10.500 C force-unlocks\n11.000 A renewal refused`;

  test('fires if another client force-unlocked a hold that was renewed, and the thread of the hold is silent', () => {
    expect(verdict(FORCED, 12)).toMatchObject([
      {
        ...{ severity: 'hint', confidence: 'hint', holders: [holderOf('A')], to: seconds(10.500_001) },
        values: { forcedAt: seconds(10.500_001), renewals: 9, lateMs: null },
      },
    ]);
    expect(verdict(`${FORCED}\n11.500 B attempts acquired`, 12)).toHaveLength(1);
  });

  test('does not fire once the thread tried to unlock or acquired the lock again', () => {
    expect(verdict(`${FORCED}\n11.500 A unlock refused`, 12)).toEqual([]);
    expect(verdict(`${FORCED}\n11.500 A attempts acquired`, 12)).toEqual([]);
  });

  test('does not fire after a short hold, without renewals, or if the client of the hold force-unlocked it', () => {
    expect(verdict(`${from(1.1, 3)}\n4.000 C force-unlocks\n4.500 A renewal refused`, 5)).toEqual([]);
    expect(verdict('0.000 A attempts acquired\n2.900 C force-unlocks\n3.000 A renewal refused', 4)).toEqual([]);
    expect(verdict(FORCED.replace('C force', 'A force'), 12)).toEqual([]);
  });

  test('reports the first renewal as a lower limit if the beginning of the hold was not seen', () => {
    const events = story(`stock lease 3s\n${FORCED}`).filter(({ type }) => type !== 'lock.acquired');
    expect(verdictAt('zombie-renewal', events, seconds(12))).toMatchObject([
      { isAtLeast: true, from: seconds(1.100_002) },
    ]);
  });

  test('does not fire at level events', () => {
    expect(verdict(FORCED, 12, { level: 'events' })).toEqual([]);
  });
});
