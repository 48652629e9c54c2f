import { describe, expect, test } from 'vitest';
import { merged, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const verdict = (events: readonly LockEvent[], at: number, watching: Watching = {}) =>
  verdictAt('granted-after-timeout', events, seconds(at), watching);

const GRANTED = `nightly lease 30s
  10     A attempts acquired
  11     - lists A`;

/** Adds a standstill of the server to the events. */
function withStandstill(text: string, from: number, to: number): LockEvent[] {
  const events = story(text);
  const stood = { type: 'server.stood-still', from: seconds(from), to: seconds(to), shownBy: 'log', at: seconds(to) };
  return merged([{ ...events[0], ...stood, lock: '' } as unknown as LockEvent], events); // an event about the source
}

describe('granted-after-timeout', () => {
  test('fires if a lock was granted right after a long standstill and is not renewed', () => {
    const found = { severity: 'warning', confidence: 'likely', holders: [holderOf('A')], to: null };
    expect(verdict(withStandstill(GRANTED, 6, 9.99), 22)).toMatchObject([found]);
  });

  test('fires if repeated attempts of one call ran right after the standstill', () => {
    const attempts = GRANTED.replace(
      'acquired',
      'acquired\n  10.001 A attempts reentered\n  10.002 A attempts reentered',
    );
    const found = { confidence: 'likely', holders: [holderOf('A')] };
    expect(verdict(withStandstill(attempts, 0, 9.99), 22)).toMatchObject([found]);
    const twoCalls = GRANTED.replace('acquired', 'acquired\n  10.2 A attempts reentered');
    expect(verdict(withStandstill(twoCalls, 0, 9.99), 22)).toEqual([]);
  });

  test('does not report when the hold ends if another process has set the lease', () => {
    const kept = `${GRANTED}\n  15 cron command PEXPIRE nightly 30000`;
    expect(verdict(withStandstill(GRANTED, 6, 9.99), 22)).toMatchObject([{ selfHealsAt: expect.any(Number) }]);
    expect(verdict(withStandstill(kept, 6, 9.99), 32)).toMatchObject([{ selfHealsAt: null }]);
  });

  test('does not fire before a renewal is due, or after a renewal', () => {
    expect(verdict(withStandstill(GRANTED, 6, 9.99), 19)).toEqual([]);
    expect(verdict(withStandstill(`${GRANTED}\n  20 A renews`, 6, 9.99), 32)).toEqual([]);
  });

  test('does not fire after a short standstill, or some time after a long one', () => {
    expect(verdict(withStandstill(GRANTED, 8, 9.99), 22)).toEqual([]);
    expect(verdict(withStandstill(GRANTED, 4, 9), 22)).toEqual([]);
  });

  test('does not fire for a lease that is not the default of a watchdog', () => {
    expect(verdict(withStandstill(GRANTED.replace('30s', '20s'), 6, 9.99), 22)).toEqual([]);
  });

  test('cannot know without the presence of the client', () => {
    expect(verdict(withStandstill(GRANTED.replace('  11     - lists A', ''), 6, 9.99), 22)).toBe(
      'cannot know: presence',
    );
  });
});
