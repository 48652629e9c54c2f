import { expect, test } from 'vitest';
import { verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { command, eventsAt, type SentAt, script } from '../../../../testing/stories/script-story.ts';
import { seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const [A, B] = ['10.0.0.1:1', '10.0.0.2:1'];
const [ONE, OTHER] = [1, 2].map((n) => `c4b8e2f0-1111-4a5b-8c6d-00000000000${n}`) as [string, string];
const K = 'semaphore:export';
const LEASE = 4000;
/** The time of the stream's second 0, in ms. */
const START = seconds(0) / 1000;

/**
 * An application's own script: each member is scored with its end, and the set ends a minute after its newest script.
 */
function acquire(atMs: number, by: string, id: string) {
  const [now, end] = [START + atMs, START + atMs + LEASE];
  const ran = [`zremrangebyscore ${K} -inf ${now}`, `zcard ${K}`, `zadd ${K} ${end} ${id}`, `pexpire ${K} 60000`];
  return { atMs, sent: script(by, K, `1 ${id} ${now} ${end}`, ...ran) };
}

const release = (atMs: number, by: string, id: string) => ({ atMs, sent: command(by, `ZREM ${K} ${id}`) });
const verdict = (sent: SentAt, at: number) => verdictAt('lease-shorter-than-work', eventsAt(sent), seconds(at));

test('lease-shorter-than-work fires for a permit that is released after its lease, whether or not another script took it back', () => {
  const found = [{ severity: 'warning', confidence: 'likely', holders: [ONE], from: seconds(4), to: seconds(6) }];
  const values = { holder: ONE, leaseMs: LEASE, heldMs: 6000, unlockedAt: seconds(6), isPermit: true };
  const late = [{ ...found[0], values }];
  expect(verdict([acquire(0, A, ONE), release(6000, A, ONE)], 7)).toMatchObject(late);
  expect(verdict([acquire(0, A, ONE), acquire(5000, B, OTHER), release(6000, A, ONE)], 7)).toMatchObject(late);
});

test('lease-shorter-than-work does not fire for a permit that is released or renewed in time, or never released', () => {
  expect(verdict([acquire(0, A, ONE), release(3999, A, ONE)], 7)).toEqual([]);
  expect(verdict([acquire(0, A, ONE), acquire(3000, A, ONE), release(6000, A, ONE)], 7)).toEqual([]);
  expect(verdict([acquire(0, A, ONE), acquire(5000, B, OTHER)], 7)).toEqual([]);
});

test('lease-shorter-than-work does not fire if another host removes an expired permit, because any client may do so', () => {
  expect(verdict([acquire(0, A, ONE), release(6000, B, ONE)], 7)).toEqual([]);
  expect(verdict([acquire(0, A, ONE), release(6000, '10.0.0.1:2', ONE)], 7)).toHaveLength(1);
});

const [GRANT] = story('gate lease 3s\n 0.000 A attempts acquired');

/** An event of a semaphore of Redisson with one permit. */
function reported(seq: number, detail: object): LockEvent {
  const own = { ...GRANT, seq, at: seconds(seq), kind: 'expirable-semaphore', library: 'redisson', holder: 'a' };
  return { ...own, ...detail } as LockEvent; // each test adds the other fields
}

const TAKEN = reported(0, {
  type: 'permits.acquired',
  permitIds: ['p1'],
  available: 0,
  total: 1,
  expiresAt: seconds(3),
});
const BACK = reported(4, { type: 'permits.expired', permitIds: ['p1'], available: 1, total: 1 });
const NEXT = reported(5, {
  type: 'permits.acquired',
  permitIds: ['p2'],
  available: 0,
  total: 1,
  expiresAt: seconds(60),
});
const REFUSED = reported(7, { type: 'unlock.refused', holder: 'p1', mode: 'permit', reason: 'expired' });
const at8 = (...events: LockEvent[]) => verdictAt('lease-shorter-than-work', events, seconds(8));

test('lease-shorter-than-work is critical for a permit that is released late if all permits were acquired in between', () => {
  expect(at8(TAKEN, BACK, NEXT, REFUSED)).toMatchObject([
    {
      ...{ severity: 'critical', confidence: 'certain', holders: ['p1', 'p2'], from: seconds(3), to: seconds(7) },
      values: { takenBy: 'p2', takenAt: seconds(5), isRenewal: false },
    },
  ]);
  expect(at8(TAKEN, BACK, { ...NEXT, available: 1 } as LockEvent, REFUSED)).toMatchObject([
    { severity: 'warning', holders: ['p1'] },
  ]);
});

test('lease-shorter-than-work reports a refused renewal of a permit and the refused release after that as one finding', () => {
  const renewal = reported(6, { type: 'renewal.refused', holder: 'p1', mode: 'permit', reason: 'expired' });
  expect(at8(TAKEN, BACK, NEXT, renewal, REFUSED)).toMatchObject([{ to: seconds(6), values: { isRenewal: true } }]);
});

test('lease-shorter-than-work does not fire for a permit that was taken back too early, or while Redis stood still', () => {
  const early = { ...BACK, at: seconds(1) } as LockEvent;
  expect(at8(TAKEN, early, NEXT, REFUSED)).toEqual([]);
  const still = reported(3, { type: 'server.stood-still', lock: '', from: seconds(1), to: seconds(5) });
  expect(at8(TAKEN, still, BACK, NEXT, REFUSED)).toEqual([]);
});

test('lease-shorter-than-work does not fire for a permit that may have been renewed in a blind spot', () => {
  const blindSpot = reported(2, { type: 'blind-spot.ended', lock: '', reason: 'connection-lost', from: seconds(1) });
  expect(at8(TAKEN, blindSpot, BACK, NEXT, REFUSED)).toEqual([]);
  const after = { ...blindSpot, seq: 8, at: seconds(7.5) } as LockEvent;
  expect(at8(TAKEN, BACK, NEXT, REFUSED, after)).toMatchObject([{ from: seconds(3), to: seconds(7) }]);
});
