import { describe, expect, test } from 'vitest';
import { verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const [GRANT, REFUSED] = story('job lease 60s\n 0.000 A attempts acquired\n 0.500 B attempts refused') as [
  LockEvent,
  LockEvent,
];

/** Refused attempts of one connection from second 1 on. */
function attempts(count: number, everyMs: number, detail: (n: number) => object = () => ({})): LockEvent[] {
  return Array.from({ length: count }, (_, n) => {
    const at = seconds(1 + (n * everyMs) / 1000);
    const own = { kind: 'token-lock', holder: 'token', by: 'app:1', attempt: n + 1 };
    return { ...REFUSED, seq: n + 3, at, ...own, ...detail(n) } as LockEvent; // each test adds the other fields
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

  const withNewTokens = (n: number) => ({ holder: `token-${n}`, attempt: 1 });

  test('[W17] fires for one connection that uses a new token for each attempt', () => {
    expect(verdict(attempts(3000, 0.5, withNewTokens), 2.6)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'certain', holders: ['app:1'], from: seconds(1), to: null },
        values: { holder: 'app:1', isNewEachTime: true, attempts: 3000, perSecond: 2000 },
      },
    ]);
    expect(verdict(attempts(3000, 0.5, withNewTokens), 70)).toEqual([]);
  });

  test('fires for a thread that calls tryLock() in a loop, and for a client that asks for permits in a loop', () => {
    const tries = attempts(3000, 0.5, () => ({ kind: 'lock', holder: 'a:1', attempt: 1, asleep: false }));
    expect(verdict(tries, 2.6)).toMatchObject([{ holders: ['app:1'], values: { attempts: 3000 } }]);
    const asks = { type: 'permits.refused', kind: 'semaphore', holder: 'app:1', permits: 1, asleep: false };
    const events = attempts(3000, 0.5, () => asks);
    expect(verdictAt('attempt-flood', events, seconds(2.6))).toMatchObject([{ holders: ['app:1'] }]);
  });

  test('does not fire for connections that poll with new tokens, 10 or 50 times a second, or that listen', () => {
    for (const everyMs of [20, 100]) expect(verdict(attempts(3000, everyMs, withNewTokens), 302)).toEqual([]);
    const pool = (n: number) => ({ ...withNewTokens(n), by: `app:${n % 50}` });
    expect(verdict(attempts(6000, 0.4, pool), 3.5)).toEqual([]);
    const woken = attempts(3000, 0.5, (n) => ({ kind: 'lock', holder: `a:${n}`, attempt: 2, asleep: true }));
    expect(verdict(woken, 2.6)).toEqual([]);
  });

  test('has ended after a second without an attempt, and is no longer reported a minute later', () => {
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
