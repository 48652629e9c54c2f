import { describe, expect, test } from 'vitest';
import type { LockEvent } from '../../../events/event.ts';
import { verdictAt } from '../../../testing/report-from-events.ts';
import { seconds, story } from '../../../testing/story.ts';

const [GRANT, REFUSED] = story('job lease 60s\n 0.000 A attempts acquired\n 0.500 B attempts refused') as [
  LockEvent,
  LockEvent,
];

/** Refused attempts of one connection from second 1 on. */
function attempts(count: number, everyMs: number, detail: (n: number) => object = () => ({})): LockEvent[] {
  return Array.from({ length: count }, (_, n) => {
    const at = seconds(1 + (n * everyMs) / 1000);
    const own = { kind: 'token-lock', holder: 'token', by: 'app:1', attempt: n + 1 };
    return { ...REFUSED, seq: n + 3, at, ...own, ...detail(n) } as LockEvent; // each test gives the rest
  });
}

const verdict = (events: readonly LockEvent[], at: number) =>
  verdictAt('attempt-flood', [GRANT, ...events], seconds(at));

describe('attempt-flood', () => {
  test('fires for thousands of attempts a second by one client', () => {
    expect(verdict(attempts(3000, 0.5), 2.6)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'certain', holders: ['token'], from: seconds(1), to: null },
        values: { attempts: 3000, perSecond: 2000 },
      },
    ]);
  });

  test('ends after a second without an attempt, and is reported for a minute', () => {
    expect(verdict(attempts(3000, 0.5), 4)).toMatchObject([{ to: seconds(2.4995) }]);
    expect(verdict(attempts(3000, 0.5), 70)).toEqual([]);
  });

  test('does not fire for a burst, for slower polling, or for many clients at once', () => {
    expect(verdict(attempts(1000, 0.1), 2)).toEqual([]);
    expect(verdict(attempts(3000, 5), 16)).toEqual([]);
    expect(
      verdict(
        attempts(3000, 0.5, (n) => ({ holder: `t${n % 60}`, attempt: Math.floor(n / 60) + 1 })),
        2.6,
      ),
    ).toEqual([]);
  });
});
