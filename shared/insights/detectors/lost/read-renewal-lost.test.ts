import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const [GRANT] = story('catalog lease 30s\n 0.000 A attempts acquired');

type Reported = readonly [at: number, type: string, actor: string, detail?: object | undefined];

/** The events of a read-write lock, each with its type, its thread and what else it has. */
function reported(...events: readonly Reported[]): LockEvent[] {
  return events.map(([at, type, actor, detail], index) => {
    const own = { type, holder: holderOf(actor), mode: 'read', ...detail };
    return { ...GRANT, kind: 'read-write-lock', seq: index + 1, at: seconds(at), ...own } as LockEvent; // each test adds the other fields
  });
}

const LEASE = { holdCount: 1, leaseMs: 30_000 };
const TWICE: readonly Reported[] = [
  [0, 'lock.acquired', 'A1', LEASE],
  [1, 'lock.reentered', 'A1', { holdCount: 2, leaseMs: 30_000 }],
  [2, 'lock.partially-released', 'A1', { holdCount: 1 }],
  [3, 'lock.released', 'A1', { holdCount: 0 }],
];
const SHARED: readonly Reported[] = [
  [10, 'lock.acquired', 'A1', LEASE],
  [11, 'lock.acquired', 'A2', LEASE],
  [12, 'lock.released', 'A1', { holdCount: 0 }],
];
const EXPIRED: Reported = [41, 'lease.expired', 'A2', { expiresAt: seconds(41) }];
const WRITER: Reported = [42, 'lock.acquired', 'B', { ...LEASE, mode: 'write' }];
const REFUSED: Reported = [45, 'unlock.refused', 'A2', { reason: 'expired' }];
const verdict = (events: readonly LockEvent[], at: number, watching: Watching = {}) =>
  verdictAt('read-renewal-lost', events, seconds(at), watching);

describe('read-renewal-lost', () => {
  test('does not fire if the reader was refused the lock again before its unlock', () => {
    const events = (backAt?: number) =>
      reported(...TWICE, ...SHARED, EXPIRED, WRITER, [
        45,
        'unlock.refused',
        'A2',
        { reason: 'expired', ...(backAt && { backAt }) },
      ]);
    expect(verdict(events(), 46)).toHaveLength(1);
    expect(verdict(events(seconds(44)), 46)).toEqual([]);
  });

  test('does not fire for a client version without this fault, or if only a second reader acquired the lock', () => {
    const by = (clientVersion: string) =>
      reported(
        ...TWICE,
        SHARED[0] as Reported,
        [11, 'lock.acquired', 'A2', { ...LEASE, clientVersion }],
        SHARED[2] as Reported,
        EXPIRED,
        REFUSED,
      );
    expect(verdict(by('3.20.0–3.43.0'), 46)).toEqual([]);
    expect(verdict(by('4.7.0'), 46)).toEqual([]);
    expect(verdict(by('3.40.0–3.46.0'), 46)).toMatchObject([{ severity: 'warning' }]);
    const reader: Reported = [42, 'lock.acquired', 'B', LEASE];
    expect(verdict(reported(...TWICE, ...SHARED, EXPIRED, reader, REFUSED), 46)).toMatchObject([
      { severity: 'warning' },
    ]);
  });

  test('reports a hold once, also if its thread unlocks again', () => {
    const again: Reported = [47, 'unlock.refused', 'A2', { reason: 'expired' }];
    expect(verdict(reported(...TWICE, ...SHARED, EXPIRED, REFUSED, again), 48)).toMatchObject([{ to: seconds(45) }]);
  });

  test('fires if renewals stopped at the release of a thread that had re-entered; is critical if a writer acquired the lock', () => {
    const values = { holder: holderOf('A2'), releasedBy: holderOf('A1'), releasedAt: seconds(12) };
    const found = { confidence: 'likely', from: seconds(41), to: seconds(45), values };
    expect(verdict(reported(...TWICE, ...SHARED, EXPIRED, REFUSED), 46)).toMatchObject([
      { ...found, severity: 'warning' },
    ]);
    const overlap = reported(...TWICE, ...SHARED, EXPIRED, WRITER, REFUSED);
    expect(verdict(overlap, 46)).toMatchObject([
      { ...found, severity: 'critical', holders: [holderOf('A2'), holderOf('B')] },
    ]);
    expect(verdict(overlap, 44)).toEqual([]);
  });

  test('does not fire without an earlier re-entry, or if the other reader belongs to another client', () => {
    expect(verdict(reported(...SHARED, EXPIRED, REFUSED), 46)).toEqual([]);
    const other = SHARED.map(([at, type, actor, detail]): Reported => [at, type, actor === 'A2' ? 'C' : actor, detail]);
    const lost = [EXPIRED, REFUSED].map(([at, type, , detail]): Reported => [at, type, 'C', detail]);
    expect(verdict(reported(...TWICE, ...other, ...lost), 46)).toEqual([]);
  });

  test('does not fire if a renewal followed the release, or was attempted too late, as after a pause', () => {
    const renewed: Reported = [20, 'lease.renewed', 'A2', { cause: 'watchdog', leaseMs: 30_000 }];
    expect(verdict(reported(...TWICE, ...SHARED, renewed, EXPIRED, REFUSED), 46)).toEqual([]);
    const tried: Reported = [44, 'renewal.refused', 'A2', { reason: 'expired' }];
    expect(verdict(reported(...TWICE, ...SHARED, EXPIRED, tried, REFUSED), 46)).toEqual([]);
  });

  test('does not fire if the lease may be one that the application set', () => {
    const own = [...TWICE, ...SHARED].map(([at, type, actor, detail]): Reported => {
      return [at, type, actor, detail && 'leaseMs' in detail ? { ...detail, leaseMs: 29_000 } : detail];
    });
    expect(verdict(reported(...own, EXPIRED, REFUSED), 46)).toEqual([]);
  });

  test('fires for a 3 s watchdog if a renewal of the same client shows it, or of any client if all have the same watchdog', () => {
    const short = [...TWICE, ...SHARED].map(([at, type, actor, detail]): Reported => {
      return [at, type, actor, detail && 'leaseMs' in detail ? { ...detail, leaseMs: 3000 } : detail];
    });
    const [left, right] = [short.slice(0, -1), short.slice(-1)];
    const renewedBy = (actor: string): Reported => [11.5, 'lease.renewed', actor, { cause: 'watchdog', leaseMs: 3000 }];
    // the writer's client has the default watchdog
    const lost = [...right, EXPIRED, WRITER, REFUSED];
    expect(verdict(reported(...left, renewedBy('A2'), ...lost), 46)).toMatchObject([{ severity: 'critical' }]);
    expect(verdict(reported(...left, renewedBy('C'), ...lost), 46)).toEqual([]);
    expect(verdict(reported(...left, renewedBy('C'), ...right, EXPIRED, REFUSED), 46)).toMatchObject([
      { severity: 'warning' },
    ]);
    expect(verdict(reported(...left, ...lost), 46)).toEqual([]);
  });

  test('without commands, is a hint if the client used the lock after a renewal was due', () => {
    const level = { level: 'events' } as const;
    const cannotKnow = 'cannot know: level';
    const back: Reported = [44, 'lock.acquired', 'A3', LEASE];
    const values = { holder: holderOf('A2'), releasedBy: holderOf('A1'), unlockedAt: null };
    const hint = { severity: 'warning', confidence: 'hint', from: seconds(41), to: null, values };
    expect(verdict(reported(...TWICE, ...SHARED, EXPIRED, WRITER, back), 46, level)).toMatchObject([hint]);
    const before: Reported = [30, 'lock.acquired', 'A3', LEASE];
    expect(verdict(reported(...TWICE, ...SHARED, before, EXPIRED, WRITER), 46, level)).toMatchObject([hint]);
    expect(verdict(reported(...TWICE, ...SHARED, EXPIRED, WRITER), 46, level)).toBe(cannotKnow);
    expect(verdict(reported(...SHARED, EXPIRED, back), 46, level)).toBe(cannotKnow);
    const renewed: Reported = [20, 'lease.renewed', 'A2', { cause: 'watchdog', leaseMs: 30_000 }];
    expect(verdict(reported(...TWICE, ...SHARED, renewed, EXPIRED, back), 46, level)).toBe(cannotKnow);
  });

  test('compares leases that reads found with a tolerance, because without commands they seem a little shorter', () => {
    const found = (leaseMs: number) =>
      [...TWICE, ...SHARED, EXPIRED, [44, 'lock.acquired', 'A3', LEASE] as Reported].map(
        ([at, type, actor, detail]): Reported => {
          return [at, type, actor, detail && 'leaseMs' in detail ? { ...detail, leaseMs } : detail];
        },
      );
    expect(verdict(reported(...found(29_991)), 46, { level: 'events' })).toHaveLength(1);
    expect(verdict(reported(...found(20_000)), 46, { level: 'events' })).toBe('cannot know: level');
  });
});
