import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { eventsAt, type Sent } from '../../../../testing/stories/script-story.ts';
import { seconds } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const SEMAPHORE = { source: 'redis', db: 0, lock: 'gate', kind: 'semaphore', certainty: 'observed' } as const;
const set = (total: number) => ({ ...SEMAPHORE, type: 'permits.set', available: total, total });
const takes = (holder: string, available: number, total: number) => ({
  ...{ ...SEMAPHORE, type: 'permits.acquired', holder, permits: 1, available, total },
});
const releases = (holder: string, available: number, total: number, raisedBy?: number) => ({
  ...{ ...SEMAPHORE, type: 'permits.released', holder, permits: 1, available, total },
  ...(raisedBy === undefined ? undefined : { raisedBy }),
});
const verdict = (at: number, watching: Watching, ...details: readonly object[]) => {
  const events = details.map((each, n) => ({ seq: n + 1, at: seconds(n + 1), ...each }) as LockEvent); // each detail has all fields of its type
  return verdictAt('permits-beyond-limit', events, seconds(at), watching);
};

describe('permits-beyond-limit', () => {
  const TWICE = [set(1), takes('one', 0, 1), releases('one', 1, 1), releases('one', 2, 2, 1)];
  const OUT = [...TWICE, takes('two', 1, 2), takes('three', 0, 2)];

  test('[M12] fires when permits beyond the limit are acquired, and not when they are released too often', () => {
    expect(verdict(5, {}, ...OUT)).toEqual([]);
    expect(verdict(6, {}, ...OUT)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', holders: ['three'], from: seconds(6), to: null, events: [6] },
        values: { limit: 1, out: 2, isRaised: true, isOver: false },
      },
    ]);
  });

  test('ends when a permit beyond the limit is released, and is no longer reported a minute later', () => {
    const over = [...OUT, releases('two', 1, 2)];
    expect(verdict(8, {}, ...over)).toMatchObject([{ from: seconds(6), to: seconds(7), values: { isOver: true } }]);
    expect(verdict(68, {}, ...over)).toEqual([]);
  });

  test('does not fire for a semaphore that starts at 0, for added permits, or if the number was lowered while permits are held', () => {
    expect(verdict(5, {}, set(0), releases('one', 1, 1, 1), takes('two', 0, 1))).toEqual([]);
    const added = { ...SEMAPHORE, type: 'permits.set', changedBy: 1, available: 2, total: 2 };
    expect(verdict(9, {}, set(1), added, takes('one', 1, 2), takes('two', 0, 2))).toEqual([]);
    const lowered = { ...SEMAPHORE, type: 'permits.set', changedBy: -1, available: -1, total: 1 };
    const refused = { ...SEMAPHORE, type: 'permits.refused', holder: 'x', permits: 1, available: -1, total: 1 };
    expect(verdict(9, {}, set(2), takes('one', 1, 2), takes('two', 0, 2), lowered, refused)).toEqual([]);
  });

  test('cannot know at level events, or if the number was set before a blind spot', () => {
    expect(verdict(6, { level: 'events' }, ...OUT)).toBe('cannot know: level');
    const blind = { ...SEMAPHORE, lock: '', kind: 'lock', reason: 'connection-lost' };
    const blindSpot = [
      { ...blind, type: 'blind-spot.began' },
      { ...blind, type: 'blind-spot.ended', from: seconds(2) },
    ];
    expect(verdict(9, {}, set(1), ...blindSpot, ...OUT.slice(1))).toBe('cannot know: blind-spot');
  });
});

const LEASE = 4000;
const START = seconds(0) / 1000;
const IDS = [1, 2, 3].map((n) => `c4b8e2f0-1111-4a5b-8c6d-00000000000${n}`) as [string, string, string];

/** A script of redis-semaphore, whose client allows `limit` permits. */
function scriptAt(atMs: number, id: string, limit: number, isRenewal = false): { atMs: number; sent: Sent } {
  const sha = isRenewal ? '999a49a1d07671a8027165641001f5bad44608b3' : '43ebdb49120d170e08af560cb4e46e36f8585936';
  const now = START + atMs;
  const asks = isRenewal ? `zscore pool ${id}` : 'zcard pool';
  const ran = [`zremrangebyscore pool -inf ${now - LEASE}`, asks, `zadd pool ${now} ${id}`, `pexpire pool ${LEASE}`];
  const words = ['evalsha', sha, '1', 'pool', `${limit}`, id, `${LEASE}`, `${now}`];
  return { atMs, sent: { by: `10.0.0.${id.slice(-1)}:1`, words, ran } };
}

describe('permits-beyond-limit of a sorted set', () => {
  const [A, B, C] = IDS;
  const found = (steps: Parameters<typeof eventsAt>[0], at: number) =>
    verdictAt('permits-beyond-limit', eventsAt(steps), seconds(at));

  test('[M12] fires while a client that has a permit allows fewer permits than are acquired', () => {
    const steps = [scriptAt(0, A, 2), scriptAt(100, B, 2), scriptAt(200, C, 3), scriptAt(1000, A, 2, true)];
    expect(found(steps, 2)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'certain', holders: ['10.0.0.3:1'], from: seconds(0.2), to: null },
        values: { limit: 2, out: 3, isRaised: false },
      },
    ]);
    const later = [...steps, scriptAt(4500, C, 3, true)];
    expect(found(later, 5)).toMatchObject([{ from: seconds(0.2), to: seconds(4.5) }]);
  });

  test('does not fire if the limit of every client with a permit is at least the number of acquired permits', () => {
    expect(found([scriptAt(0, A, 3), scriptAt(100, B, 3), scriptAt(200, C, 3)], 1)).toEqual([]);
    expect(found([scriptAt(0, A, 2), scriptAt(4500, B, 3), scriptAt(4600, C, 3)], 5)).toEqual([]);
  });

  test('does not fire if each client acquired its permit within its own limit: a return must have been missed', () => {
    expect(found([scriptAt(0, A, 2), scriptAt(100, B, 2), scriptAt(200, C, 2)], 1)).toEqual([]);
  });
});
