import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { seconds } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const LOCK = { source: 'redis', db: 0, lock: 'ledger', kind: 'fenced-lock', certainty: 'observed' } as const;
const acquires = (holder: string, fencingToken?: string) => ({
  ...{ ...LOCK, type: 'lock.acquired', holder, holdCount: 1, leaseMs: 30_000 },
  ...(fencingToken === undefined ? undefined : { fencingToken }),
});
const releases = (holder: string) => ({ ...LOCK, type: 'lock.released', holder });
const learns = (holder: string, fencingToken: string) => ({ ...LOCK, type: 'lock.learned', holder, fencingToken });

/** The verdict `at` seconds, after one event a second. */
const verdict = (at: number, watching: Watching, ...details: readonly object[]) => {
  const events = details.map((each, n) => ({ seq: n + 1, at: seconds(n + 1), ...each }) as LockEvent); // each detail has all fields of its type
  return verdictAt('fencing-token-back', events, seconds(at), watching);
};

const TO_41 = [acquires('a:1', '40'), releases('a:1'), acquires('b:1', '41'), releases('b:1')];
const BACK = [...TO_41, acquires('c:1', '1')];

describe('fencing-token-back', () => {
  test('fires if a holder gets a token that is not above the highest one, also while the lock is free', () => {
    const found = [
      {
        ...{ severity: 'warning', confidence: 'likely', holders: ['c:1'], from: seconds(5), to: null, events: [3, 5] },
        values: {
          token: '1',
          highest: '41',
          highestHolder: 'b:1',
          counter: 'redisson_lock_token:{ledger}',
          endedAt: null,
        },
      },
    ];
    expect(verdict(6, {}, ...BACK)).toMatchObject(found);
    expect(verdict(9, { level: 'events' }, ...BACK, releases('c:1'))).toMatchObject(found);
    expect(verdict(6, {}, ...TO_41, acquires('c:1', '41'))).toMatchObject([{ values: { token: '41', highest: '41' } }]);
  });

  test('fires if a read shows the token of a new hold, as without commands', () => {
    const events = [acquires('a:1'), learns('a:1', '41'), releases('a:1'), acquires('c:1'), learns('c:1', '1')];
    expect(verdict(6, { level: 'events' }, ...events)).toMatchObject([
      { holders: ['c:1'], from: seconds(5), to: null, events: [2, 5], values: { token: '1', highest: '41' } },
    ]);
    const rising = [...events.slice(0, 4), learns('c:1', '42')];
    expect(verdict(6, { level: 'events' }, ...rising)).toEqual([]);
  });

  test('compares tokens as numbers', () => {
    const far = '9007199254740993';
    expect(verdict(4, {}, acquires('a:1', '9'), releases('a:1'), acquires('b:1', '10'))).toEqual([]);
    expect(verdict(4, {}, acquires('a:1', far), releases('a:1'), acquires('b:1', '9007199254740992'))).toHaveLength(1);
  });

  test('keeps the first low token, and ends when tokens are above the highest one again', () => {
    const later = [...BACK, releases('c:1'), acquires('d:1', '2'), releases('d:1')];
    expect(verdict(9, {}, ...later)).toMatchObject([{ holders: ['c:1'], to: null }]);
    const over = [...later, acquires('e:1', '42')];
    expect(verdict(10, {}, ...over)).toMatchObject([
      { severity: 'warning', from: seconds(5), to: seconds(9), values: { endedAt: seconds(9) } },
    ]);
    expect(verdict(70, {}, ...over)).toEqual([]);
  });

  test('does not fire while tokens rise, if they are not known, or if a read corrects the token of a hold', () => {
    expect(verdict(6, {}, ...TO_41, acquires('c:1', '42'))).toEqual([]);
    expect(verdict(6, {}, ...TO_41, acquires('c:1'))).toEqual([]);
    const corrected = [acquires('a:1', '41'), learns('a:1', '39'), releases('a:1'), acquires('b:1', '40')];
    expect(verdict(6, {}, ...corrected)).toEqual([]);
  });

  test('cannot know while the source is not watched', () => {
    const blind = { ...LOCK, lock: '', kind: 'lock', type: 'blind-spot.began', reason: 'connection-lost' };
    expect(verdict(8, {}, ...BACK, blind)).toBe('cannot know: unwatched');
  });
});
